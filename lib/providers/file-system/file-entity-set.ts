import type { EntityType } from '../../edm/edm-model.js'
import type { Condition } from '../../evaluation/compile-expression.js'
import { ExpressionCompiler } from '../../evaluation/compile-expression.js'
import { withoutNavigation } from '../../evaluation/evaluation-context.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type {
  CountQuery,
  EntitySetProvider,
  Pushdown,
  ReadQuery,
  RelatedQuery,
  RelatedTo,
  Rows,
} from '../../provider/provider.js'
import type { Expression } from '../../query/expression.js'
import { forEachPath } from '../../query/expression.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import { TimeSlice } from '../../util/time-slice.js'
import type { FileMedia } from './file-media.js'
import { fileModel } from './file-model.js'
import type { ReadContext } from './file-reader.js'
import { FileReader } from './file-reader.js'
import type { FileRow } from './file-row.js'
import type { FileTree } from './file-tree.js'
import type { PathInterval } from './path-interval.js'
import { contains, intersection, intervalAfter, intervalOf, isPath, onlyPath } from './path-interval.js'
import { isPathKey, parentOf, prefixOf } from './path-key.js'
import { TreeWalk } from './tree-walk.js'

/** The key of an entity of the file service. */
export interface FileKey {
  readonly path: unknown
}

/**
 * The entity set of the file service.
 *
 * @spec MS-ODATA 2.2.6.3.1 (retrieving entities)
 */
export class FileEntitySet implements EntitySetProvider<FileRow, FileKey> {
  readonly pushdown = filePushdown

  constructor(
    private readonly tree: FileTree,
    readonly media: FileMedia,
  ) {}

  readByKey({ path }: FileKey): PromiseOrValue<FileRow | undefined> {
    return this.tree.find(path)
  }

  async read(query: ReadQuery, call: Pick<ProviderCall, 'signal'>): Promise<Rows<FileRow>> {
    const plan = planOf(query)
    const scope = scopeOf(query.source, plan.interval)
    if (scope.kind !== 'Walk') return this.readOne(scope, plan)
    const reader = this.reader(scope, plan, this.contextOf(call))
    const first = (await reader.next()) ?? []
    return reader.isFinished ? first : batches(first, reader)
  }

  async count(query: CountQuery, call: Pick<ProviderCall, 'signal'>): Promise<number> {
    const plan = planOf(query)
    const scope = scopeOf(query.source, plan.interval)
    if (scope.kind !== 'Walk') return (await this.readOne(scope, plan)).length
    return this.reader(scope, plan, this.contextOf(call)).count()
  }

  async readRelated(
    query: RelatedQuery,
    call: Pick<ProviderCall, 'signal'>,
  ): Promise<readonly (readonly FileRow[])[]> {
    const { rows, ...from } = query.sources
    const plan = planOf(query)
    const context = this.contextOf(call)
    const lists: (readonly FileRow[])[] = []
    // Many files have the same parent.
    const known = new Map<string, readonly FileRow[]>()
    for (const row of rows) {
      const scope = scopeOf({ ...from, row }, plan.interval)
      let list = scope.kind === 'One' ? known.get(scope.path) : undefined
      list ??= await this.readAll(scope, plan, context)
      if (scope.kind === 'One') known.set(scope.path, list)
      lists.push(list)
    }
    return lists
  }

  private contextOf({ signal }: Pick<ProviderCall, 'signal'>): ReadContext {
    return { opener: this.tree.opener, slice: new TimeSlice({ signal }), signal }
  }

  private reader(
    { directory }: Extract<Scope, { kind: 'Walk' }>,
    plan: QueryPlan,
    context: ReadContext,
  ): FileReader {
    const { interval, descending } = plan
    const walk = new TreeWalk(this.tree.listings, { directory, interval, descending })
    const { directoryTimes, maxSize } = this.tree
    return new FileReader(walk, { ...plan, directoryTimes, maxSize }, context)
  }

  private async readAll(scope: Scope, plan: QueryPlan, context: ReadContext): Promise<readonly FileRow[]> {
    context.signal.throwIfAborted()
    if (context.slice.shouldYield()) await context.slice.yield()
    if (scope.kind !== 'Walk') return this.readOne(scope, plan)
    const list: FileRow[] = []
    for await (const rows of batches([], this.reader(scope, plan, context))) list.push(...rows)
    return list
  }

  private async readOne(
    scope: Exclude<Scope, { kind: 'Walk' }>,
    { interval, condition, skip, top }: QueryPlan,
  ): Promise<readonly FileRow[]> {
    if (scope.kind === 'None' || !contains(interval, scope.path) || skip > 0 || top < 1) return []
    const row = await this.tree.find(scope.path)
    return row === undefined || condition?.isTrue(row) === false ? [] : [row]
  }
}

/** The part of the tree that can have rows of a query. */
type Scope =
  /** The whole tree, or the entries of a directory whose path has a trailing `/`. */
  | { readonly kind: 'Walk'; readonly directory: string | undefined }
  | { readonly kind: 'One'; readonly path: string }
  | { readonly kind: 'None' }

function scopeOf(source: RelatedTo | undefined, interval: PathInterval): Scope {
  const only = onlyPath(interval)
  if (source === undefined) {
    return only === undefined ? { kind: 'Walk', directory: undefined } : { kind: 'One', path: only }
  }
  const { path } = source.row
  if (!isPathKey(path)) return { kind: 'None' }
  if (source.navigation.name === 'Parent') {
    const parent = parentOf(path)
    return parent === undefined ? { kind: 'None' } : { kind: 'One', path: parent }
  }
  if (only === undefined) return { kind: 'Walk', directory: prefixOf(path) }
  return parentOf(only) === path ? { kind: 'One', path: only } : { kind: 'None' }
}

/** Yields the first batch and those of the reader. */
async function* batches(
  first: readonly FileRow[],
  reader: FileReader,
): AsyncGenerator<readonly FileRow[], void, undefined> {
  yield first
  for (let rows = await reader.next(); rows !== undefined; rows = await reader.next()) yield rows
}

/** Properties that are read from directories, without stats of the entries. */
const listedProperties: ReadonlySet<string> = new Set(['path', 'name', 'isDirectory'])

/** Accepts everything that needs only the names in directories. */
const filePushdown: Pushdown = {
  filter: usesListedPropertiesOnly,
  orderBy: (terms) => terms.every(({ expression }) => isPath(expression)),
  paging: true,
  navigation: ({ name }) => name === 'Files' || name === 'Parent',
}

/** The plan of a query. */
interface QueryPlan {
  readonly interval: PathInterval
  readonly descending: boolean
  readonly condition: Condition | undefined
  /** True if rows need sizes and times, which are read from the file system entry by entry. */
  readonly information: boolean
  readonly skip: number
  /** Infinite without a limit. */
  readonly top: number
}

/** Plans a query that {@link filePushdown} accepts. */
function planOf(query: Omit<ReadQuery, 'entitySet' | 'source'>): QueryPlan {
  const { filter, orderBy = [], seek, properties } = query
  const descending = orderBy.map((term) => term.descending)
  const sought = seek === undefined ? {} : intervalAfter(seek, descending)
  return {
    interval: filter === undefined ? sought : intersection(sought, intervalOf(filter)),
    descending: descending[0] ?? false,
    condition: filter && new ExpressionCompiler(fileType(), withoutNavigation).condition(filter),
    information: properties === undefined || statProperties.some((name) => properties.has(name)),
    skip: query.skip ?? 0,
    top: query.top ?? Number.POSITIVE_INFINITY,
  }
}

const statProperties = ['size', 'lastAccess', 'lastModified'] as const satisfies readonly (keyof FileRow)[]

function fileType(): EntityType {
  const type = fileModel.defaultContainer.entitySet('Files')?.entityType
  if (type === undefined) throw new Error('The model of the file service has no files.')
  return type
}

function usesListedPropertiesOnly(condition: Expression): boolean {
  let isListed = true
  forEachPath(condition, (path) => {
    if (path.kind !== 'PropertyPath' || path.steps.length > 0 || !listedProperties.has(path.property.name))
      isListed = false
  })
  return isListed
}
