import type { EntitySet, Property } from '../edm/edm-model.js'
import { originalSet } from '../edm/model-view.js'
import { ODataError } from '../errors/odata-error.js'
import { ExpressionCompiler } from '../evaluation/compile-expression.js'
import { withoutNavigation } from '../evaluation/evaluation-context.js'
import type { Row } from '../evaluation/row.js'
import type { ChangedRow, Changes, ChangeSource } from '../provider/change-source.js'
import type { Expression } from '../query/expression.js'
import { conjunction, forEachPath } from '../query/expression.js'
import type { SeekPosition } from '../query/entity-query.js'
import { readArray } from '../util/batch-reader.js'
import { isRecord } from '../util/is-record.js'
import { CollectionPage } from './collection-page.js'
import { navigationSteps } from './navigation-steps.js'
import type { AuthorizedQuery } from './permissions.js'
import type { ProviderCalls } from './provider-calls.js'
import { invalidProviderResult } from './provider-calls.js'
import type { Conditions } from './pushdown.js'
import { isEmpty, isScan, withPaths } from './pushdown.js'
import type { RowBatch } from './row-batch.js'

/** A page of the changes that a caller sees. */
interface ChangedPage {
  /** The present entities that meet the conditions. */
  readonly page: CollectionPage
  readonly removed: readonly RemovedRow[]
  /** The position of the snapshot that they were read from. */
  readonly position: string
  /** The key of the last change, if further changes follow. */
  readonly next: SeekPosition | undefined
}

/** An entity that met the conditions, and does not any more. */
interface RemovedRow {
  readonly key: Row
  readonly at: Date | undefined
}

/** The maximum number of changes of a page, which are in memory together. */
const MAX_CHANGES = 10_000

const positionFormat = /^[\w~.:-]{1,3000}$/

/** Reads the changes of entity sets. */
export class ChangeReader {
  constructor(
    private readonly calls: ProviderCalls,
    private readonly pageSize: (set: EntitySet) => number,
    /** Computes properties. */
    private readonly complete: (rows: readonly Row[], query: AuthorizedQuery) => Promise<RowBatch>,
  ) {}

  /** Returns the reason why the changes of entities that meet conditions cannot be found; undefined if they can. */
  reasonAgainst(set: EntitySet, { filters, restrictions }: Conditions): string | undefined {
    const source = this.calls.changes(set)
    if (source === undefined) return `'${set.path}' has no change tracking.`
    const conditions = [...restrictions, ...filters]
    if (conditions.length === 0) return undefined
    if (source.hasEarlier !== true) return `Changes of '${set.path}' cannot be filtered.`
    return conditions.some((one) => !isOnStates(one, this.calls, set))
      ? 'Changes cannot be filtered by related entities, binary or computed properties.'
      : undefined
  }

  /** Reads the present position of the changes of a set. */
  async position(set: EntitySet): Promise<string> {
    return checkedPosition(set, await this.sourceOf(set).position(this.calls.call))
  }

  /**
   * Reads a page of the changes after a position. An entity that has met the conditions in any state since then, and does
   * not now, is removed; entities that never met them do not appear.
   *
   * @throws ODataError Gone if the changes are not known any more
   */
  async page(authorized: AuthorizedQuery, position: string): Promise<ChangedPage> {
    const { conditions, query } = authorized
    const { set } = query.projection
    const { key } = set.entityType
    const after = query.seek && Object.fromEntries(key.map(({ name }, index) => [name, query.seek?.[index]]))
    const top = Math.min(this.pageSize(set), MAX_CHANGES)
    const needed = neededFor(conditions, set)
    const result = await this.sourceOf(set).since({ position, after, top, needed }, this.calls.call)
    const { position: reached, rows, more } = checkedChanges(set, result)
    const meets = testOf(conditions, set)
    const entries: Row[] = []
    const removed: RemovedRow[] = []
    for (const { key: keyOfRow, row, earlier, at } of rows) {
      if (row !== undefined && meets(row)) entries.push(row)
      else if (earlier === undefined || earlier.some((state) => state !== undefined && meets(state)))
        removed.push({ key: keyOfRow, at })
    }
    const last = more ? rows.at(-1)?.key : undefined
    const next = last && key.map(({ name }) => last[name])
    return { page: await this.pageOf(entries, authorized), removed, position: reached, next }
  }

  private async pageOf(entries: readonly Row[], authorized: AuthorizedQuery): Promise<CollectionPage> {
    const isPlain = authorized.query.projection.entityType.computedProperties.length === 0
    const page = new CollectionPage(readArray(entries), {
      limit: Number.POSITIVE_INFINITY,
      mayContinue: false,
      inlineCount: undefined,
      expand: isPlain ? undefined : (rows) => this.complete(rows, authorized),
      positionOf: () => [],
    })
    // Errors of computed properties can still become an error response.
    if (!isPlain) await page.expandAhead(entries.length)
    return page
  }

  private sourceOf(set: EntitySet): ChangeSource {
    const source = this.calls.changes(set)
    if (source === undefined)
      throw new ODataError('BadRequest', { message: `'${set.path}' has no change tracking.` })
    return source
  }
}

/** Returns true if a condition can be evaluated on earlier states, which lack binary values. */
function isOnStates(condition: Expression, calls: ProviderCalls, set: EntitySet): boolean {
  if (navigationSteps(condition).length > 0 || isScan(condition)) return false
  // Full-text indexes of the provider may find others than the evaluation of the condition.
  if (condition.search !== undefined && typeof calls.pushdown(set)?.search === 'function') return false
  let hasBinary = false
  forEachPath(condition, (path) => {
    hasBinary ||= path.kind === 'PropertyPath' && path.property.type === 'Edm.Binary'
  })
  return !hasBinary
}

/** Returns the properties that conditions depend on. */
function neededFor(conditions: Conditions, set: EntitySet): readonly Property[] {
  if (isEmpty(conditions)) return []
  const { entityType } = originalSet(set)
  const all = [entityType, ...entityType.derivedTypes]
  const properties = new Set(all.flatMap((type) => type.properties))
  const names = withPaths(new Set(), [...conditions.restrictions, ...conditions.filters])
  return [...properties].filter(({ name }) => names?.has(name) !== false)
}

/** Compiles conditions. Filters are evaluated only on states that the caller may see. */
function testOf({ filters, restrictions }: Conditions, set: EntitySet): (row: Row) => boolean {
  const compiler = new ExpressionCompiler(originalSet(set).entityType, withoutNavigation)
  const compiled = [restrictions, filters].flatMap((group) => {
    const expression = conjunction(group)
    return expression === undefined ? [] : [compiler.condition(expression)]
  })
  return (row) => compiled.every((condition) => condition.isTrue(row))
}

function checkedPosition(set: EntitySet, position: unknown): string {
  if (typeof position === 'string' && positionFormat.test(position)) return position
  throw invalidProviderResult(set, 'a position of letters, digits and _~.:-', position)
}

function checkedChanges(set: EntitySet, changes: unknown): Changes {
  if (!isRecord(changes) || !Array.isArray(changes.rows) || typeof changes.more !== 'boolean')
    throw invalidProviderResult(set, 'changes with position, rows and more', changes)
  checkedPosition(set, changes.position)
  for (const row of changes.rows as readonly unknown[])
    if (!isRecord(row) || !isRecord(row.key)) throw invalidProviderResult(set, 'changes with a key', row)
  return changes as unknown as Changes & { readonly rows: readonly ChangedRow[] }
}
