import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { isInteger } from '../../edm/primitive-types/primitive-type-name.js'
import type { Row } from '../../evaluation/row.js'
import type { Column } from './column.js'
import type { MappedRelation } from './mapped-table.js'
import { groupBy } from '../../util/get-or-create.js'

/** The maximum number of rows that a statement without rank reads for all sources. */
export const MAX_GROUPED_ROWS = 4_000
/** The number of reads after which a relation with large groups is grouped again. */
const RETRY_AFTER_READS = 100

/** Returns true if the database treats values of a type as equal exactly when their canonical strings are equal. */
export function isGroupKey(type: PrimitiveTypeName): boolean {
  return isInteger(type) || type === 'Edm.Guid'
}

const canonicalInteger = /^(?:0|-?[1-9]\d*)$/
const canonicalGuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** A row whose related rows are read. */
export interface RelatedSource {
  /** Values of the columns by which the relation is followed. */
  readonly values: readonly unknown[]
  readonly list: Row[]
}

/** Returns the column by whose values related rows can be grouped, if the relation has one. */
export function groupColumnOf({ own, other, link, target }: MappedRelation): Column | undefined {
  const [column, ...others] = own
  if (link !== undefined || column === undefined || others.length > 0) return undefined
  const found = target.columns.find(({ quoted }) => quoted === other[0])
  return found !== undefined && isGroupKey(found.type) && isGroupKey(column.type) ? found : undefined
}

/** Returns the group of each cell; undefined when a cell has no group. */
export function groupsOf<G>(
  cells: readonly unknown[],
  groups: ReadonlyMap<string, G>,
): readonly G[] | undefined {
  const found: G[] = []
  let last: unknown
  let group: G | undefined
  for (const cell of cells) {
    // Rows are sorted by their group.
    if (group === undefined || cell !== last) group = groups.get(groupKey(cell) ?? '')
    if (group === undefined) return undefined
    last = cell
    found.push(group)
  }
  return found
}

/** Returns the canonical string of a value; undefined for values that have several forms. */
export function groupKey(value: unknown): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'string') return undefined
  const key = String(value)
  return canonicalInteger.test(key) || canonicalGuid.test(key) ? key : undefined
}

/** Returns sources by their value; undefined when the value of one has several forms. */
export function groupSources<S extends RelatedSource>(
  sources: readonly S[],
): ReadonlyMap<string, readonly S[]> | undefined {
  const groups = groupBy(sources, ({ values }) => groupKey(values[0]))
  return groups.has(undefined) ? undefined : (groups as ReadonlyMap<string, readonly S[]>)
}

/** Relations that cannot be read by groups for now, since they have too many rows or no canonical values. */
export class UngroupedRelations {
  private readonly readsLeft = new Map<string, number>()

  add(path: string): void {
    this.readsLeft.set(path, RETRY_AFTER_READS)
  }

  has(path: string): boolean {
    const left = this.readsLeft.get(path) ?? 0
    if (left > 0) this.readsLeft.set(path, left - 1)
    return left > 0
  }
}
