import type { EntityType } from '../../edm/edm-model.js'
import { ODataError } from '../../errors/odata-error.js'
import { ExpressionCompiler } from '../../evaluation/compile-expression.js'
import type { Row } from '../../evaluation/row.js'
import { withoutNavigation } from '../../evaluation/evaluation-context.js'
import type { MediaContent, MediaProvider, NewMedia } from '../../provider/media.js'
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
import { fileModel } from './file-model.js'
import type { FileRow } from './file-row.js'
import type { FileContents, FileSource, QueryPlan, ReadLimits, FileRowReader } from './file-source.js'
import type { PathInterval } from './path-interval.js'
import { contains, intersection, intervalAfter, intervalOf, isPath, onlyPath } from './path-interval.js'
import { isPathKey, parentOf, prefixOf } from './path-key.js'

/** The key of an entity of the file service. */
interface FileKey {
  readonly path: unknown
}

/**
 * The entity set of the file service.
 *
 * @spec MS-ODATA 2.2.6.3.1 (retrieving entities)
 */
export class FileEntitySet<
  Media extends MediaProvider<FileRow> = MediaProvider<FileRow>,
> implements EntitySetProvider<FileRow, FileKey> {
  readonly pushdown: Pushdown

  constructor(
    private readonly source: FileSource,
    readonly media: Media,
  ) {
    this.pushdown = pushdownOf(source)
  }

  readByKey(
    { path }: FileKey,
    _options: unknown,
    { signal }: Pick<ProviderCall, 'signal'>,
  ): PromiseOrValue<FileRow | undefined> {
    return this.source.find(path, signal)
  }

  async read(query: ReadQuery, call: Pick<ProviderCall, 'signal'>): Promise<Rows<FileRow>> {
    const plan = planOf(query)
    const scope = scopeOf(query.source, plan.interval)
    if (scope.kind !== 'Walk') return this.readOne(scope, plan, call.signal)
    const reader = this.source.reader(scope.directory, plan, limitsOf(call))
    const first = (await reader.next()) ?? []
    return reader.isFinished ? first : batches(first, reader)
  }

  async count(query: CountQuery, call: Pick<ProviderCall, 'signal'>): Promise<number> {
    const plan = planOf(query)
    const scope = scopeOf(query.source, plan.interval)
    if (scope.kind !== 'Walk') return (await this.readOne(scope, plan, call.signal)).length
    return this.source.reader(scope.directory, plan, limitsOf(call)).count()
  }

  async readRelated(
    query: RelatedQuery,
    call: Pick<ProviderCall, 'signal'>,
  ): Promise<readonly (readonly FileRow[])[]> {
    const { rows, ...from } = query.sources
    const plan = planOf(query)
    const limits = limitsOf(call)
    const lists: (readonly FileRow[])[] = []
    // Many files have the same parent.
    const known = new Map<string, readonly FileRow[]>()
    for (const row of rows) {
      const scope = scopeOf({ ...from, row }, plan.interval)
      let list = scope.kind === 'One' ? known.get(scope.path) : undefined
      list ??= await this.readAll(scope, plan, limits)
      if (scope.kind === 'One') known.set(scope.path, list)
      lists.push(list)
    }
    return lists
  }

  private async readAll(scope: Scope, plan: QueryPlan, limits: ReadLimits): Promise<readonly FileRow[]> {
    limits.signal.throwIfAborted()
    if (limits.slice.shouldYield()) await limits.slice.yield()
    if (scope.kind !== 'Walk') return this.readOne(scope, plan, limits.signal)
    const list: FileRow[] = []
    const reader = this.source.reader(scope.directory, plan, limits)
    for await (const rows of batches([], reader)) list.push(...rows)
    return list
  }

  private async readOne(
    scope: Exclude<Scope, { kind: 'Walk' }>,
    { interval, condition, skip, top }: QueryPlan,
    signal: AbortSignal,
  ): Promise<readonly FileRow[]> {
    if (scope.kind === 'None' || !contains(interval, scope.path) || skip > 0 || top < 1) return []
    const row = await this.source.find(scope.path, signal)
    return row === undefined || condition?.isTrue(row) === false ? [] : [row]
  }
}

function limitsOf({ signal }: Pick<ProviderCall, 'signal'>): ReadLimits {
  return { slice: new TimeSlice({ signal }), signal }
}

/** Changes files and directories. */
interface FileChanges {
  insert(content: NewMedia, signal: AbortSignal): Promise<FileRow>
  replace(row: FileRow, content: MediaContent, signal: AbortSignal): Promise<string | undefined>
  delete(path: unknown, signal: AbortSignal): Promise<boolean>
}

/**
 * The entity set of a writable file service.
 *
 * @spec MS-ODATA 2.2.7 (data modification)
 */
export class WritableFileEntitySet extends FileEntitySet implements EntitySetProvider<FileRow, FileKey> {
  constructor(
    source: FileSource,
    contents: FileContents,
    private readonly files: FileChanges,
  ) {
    super(source, {
      contentType: (row) => contents.contentType(row),
      open: (row, call) => contents.open(row, call),
      insert: (content, { signal }) => files.insert(content, signal),
      write: (row, content, { signal }) => files.replace(row, content, signal),
    })
  }

  /** Accepts unchanged values, which clients send back, and rejects changes. */
  async update(
    key: FileKey,
    values: Row,
    _condition: unknown,
    call: Pick<ProviderCall, 'signal'>,
  ): Promise<FileRow | undefined> {
    const row = await this.readByKey(key, {}, call)
    if (row === undefined) return undefined
    for (const [name, value] of Object.entries(values)) {
      if (isSame(value, (row as Row)[name])) continue
      throw new ODataError('BadRequest', { message: `'${name}' of a file cannot be changed.` })
    }
    return row
  }

  delete({ path }: FileKey, _condition: unknown, { signal }: Pick<ProviderCall, 'signal'>): Promise<boolean> {
    return this.files.delete(path, signal)
  }
}

function isSame(a: unknown, b: unknown): boolean {
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime()
  return typeof a === 'bigint' ? String(a) === String(b) : a === b
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
  reader: FileRowReader,
): AsyncGenerator<readonly FileRow[], void, undefined> {
  yield first
  for (let rows = await reader.next(); rows !== undefined; rows = await reader.next()) yield rows
}

/** Properties that are read from directories, without stats of the entries. */
const listedProperties: ReadonlySet<string> = new Set(['path', 'name', 'isDirectory'])

/** Accepts everything that needs only the names in directories. */
function pushdownOf({ readsBackwards }: FileSource): Pushdown {
  return {
    filter: usesListedPropertiesOnly,
    orderBy: (terms) =>
      terms.every(({ expression, descending }) => isPath(expression) && (readsBackwards || !descending)),
    paging: true,
    navigation: ({ name }) => name === 'Files' || name === 'Parent',
  }
}

/** Plans a query that {@link pushdownOf} accepts. */
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
