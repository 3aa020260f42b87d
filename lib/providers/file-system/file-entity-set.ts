import type { ProviderCall } from '../../provider/provider-call.js'
import type {
  CountQuery,
  EntitySetProvider,
  ReadQuery,
  RelatedQuery,
  RelatedTo,
  Rows,
  Pushdown,
} from '../../provider/provider.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import type { FileMedia } from './file-media.js'
import type { ReadContext } from './file-reader.js'
import { FileReader } from './file-reader.js'
import type { FileRow } from './file-row.js'
import type { FileTree } from './file-tree.js'
import type { PathInterval } from './path-interval.js'
import { contains, onlyPath, intersection, intervalBehind, intervalOf } from './path-interval.js'
import { isPathKey, parentOf, prefixOf } from './path-key.js'
import { TreeWalk } from './tree-walk.js'
import type { EntityType } from '../../edm/edm-model.js'
import type { Condition } from '../../evaluation/compile-expression.js'
import { ExpressionCompiler } from '../../evaluation/compile-expression.js'
import { withoutNavigation } from '../../evaluation/evaluation-context.js'
import type { Expression, OrderByTerm } from '../../query/expression.js'
import { forEachPath } from '../../query/expression.js'
import { TimeSlice } from '../../util/time-slice.js'
import { fileModel } from './file-model.js'

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
    const asked = fileQuery(query)
    const place = placeOf(query.source, asked.interval)
    if (place.kind !== 'Walk') return this.one(place, asked)
    const reader = this.reader(place, asked, this.contextOf(call))
    const first = (await reader.next()) ?? []
    return reader.isFinished ? first : following(first, reader)
  }

  async count(query: CountQuery, call: Pick<ProviderCall, 'signal'>): Promise<number> {
    const asked = fileQuery(query)
    const place = placeOf(query.source, asked.interval)
    if (place.kind !== 'Walk') return (await this.one(place, asked)).length
    return this.reader(place, asked, this.contextOf(call)).count()
  }

  async readRelated(
    query: RelatedQuery,
    call: Pick<ProviderCall, 'signal'>,
  ): Promise<readonly (readonly FileRow[])[]> {
    const { rows, ...from } = query.sources
    const asked = fileQuery(query)
    const context = this.contextOf(call)
    const lists: (readonly FileRow[])[] = []
    // Many files have the same parent.
    const known = new Map<string, readonly FileRow[]>()
    for (const row of rows) {
      const place = placeOf({ ...from, row }, asked.interval)
      let list = place.kind === 'One' ? known.get(place.path) : undefined
      list ??= await this.list(place, asked, context)
      if (place.kind === 'One') known.set(place.path, list)
      lists.push(list)
    }
    return lists
  }

  private contextOf({ signal }: Pick<ProviderCall, 'signal'>): ReadContext {
    return { opener: this.tree.opener, slice: new TimeSlice({ signal }), signal }
  }

  private reader(
    { directory }: Extract<Place, { kind: 'Walk' }>,
    asked: FileQuery,
    context: ReadContext,
  ): FileReader {
    const { interval, descending } = asked
    const walk = new TreeWalk(this.tree.listings, { directory, interval, descending })
    return new FileReader(walk, { ...asked, directoryTimes: this.tree.directoryTimes }, context)
  }

  /** All rows of a place in one array. */
  private async list(place: Place, asked: FileQuery, context: ReadContext): Promise<readonly FileRow[]> {
    context.signal.throwIfAborted()
    if (context.slice.shouldYield()) await context.slice.yield()
    if (place.kind !== 'Walk') return this.one(place, asked)
    const reader = this.reader(place, asked, context)
    const list: FileRow[] = []
    for (let rows = await reader.next(); rows !== undefined; rows = await reader.next()) {
      for (const row of rows) list.push(row)
    }
    return list
  }

  /** The one row that is at a place, if it is what was asked for. */
  private async one(
    place: Exclude<Place, { kind: 'Walk' }>,
    { interval, condition, skip, top }: FileQuery,
  ): Promise<readonly FileRow[]> {
    if (place.kind === 'Nowhere' || !contains(interval, place.path) || skip > 0 || top < 1) return []
    const row = await this.tree.find(place.path)
    return row === undefined || condition?.isTrue(row) === false ? [] : [row]
  }
}

/** Where the rows are that a query can have. */
type Place =
  /** Everywhere, or in a directory whose path, with `/` at its end, is given. */
  | { readonly kind: 'Walk'; readonly directory: string | undefined }
  | { readonly kind: 'One'; readonly path: string }
  | { readonly kind: 'Nowhere' }

function placeOf(source: RelatedTo | undefined, interval: PathInterval): Place {
  const only = onlyPath(interval)
  if (source === undefined) {
    return only === undefined ? { kind: 'Walk', directory: undefined } : { kind: 'One', path: only }
  }
  const { path } = source.row
  if (!isPathKey(path)) return { kind: 'Nowhere' }
  if (source.navigation.name === 'Parent') {
    const parent = parentOf(path)
    return parent === undefined ? { kind: 'Nowhere' } : { kind: 'One', path: parent }
  }
  if (only === undefined) return { kind: 'Walk', directory: prefixOf(path) }
  return parentOf(only) === path ? { kind: 'One', path: only } : { kind: 'Nowhere' }
}

async function* following(
  first: readonly FileRow[],
  reader: FileReader,
): AsyncGenerator<readonly FileRow[], void, undefined> {
  yield first
  for (let rows = await reader.next(); rows !== undefined; rows = await reader.next()) yield rows
}

/** What a directory tells of its entries without asking for each of them. */
const listed: ReadonlySet<string> = new Set(['path', 'name', 'isDirectory'])

/** What the file service does itself: everything that needs no more than the names in directories. */
const filePushdown: Pushdown = {
  filter: looksAtNamesOnly,
  orderBy: (terms) => terms.every(isPathTerm),
  paging: true,
  navigation: ({ name }) => name === 'Files' || name === 'Parent',
}

/** A query made ready for a walk through the tree. */
interface FileQuery {
  readonly interval: PathInterval
  readonly descending: boolean
  readonly condition: Condition | undefined
  /** Whether sizes and times are wanted. */
  readonly information: boolean
  readonly skip: number
  /** Infinite when there is no limit. */
  readonly top: number
}

/** Makes a query ready of which only what {@link filePushdown} accepts is asked. */
function fileQuery(query: Omit<ReadQuery, 'entitySet' | 'source'>): FileQuery {
  const { filter, orderBy = [], seek, properties } = query
  const descending = orderBy.map((term) => term.descending)
  const sought = seek === undefined ? {} : intervalBehind(seek, descending)
  return {
    interval: filter === undefined ? sought : intersection(sought, intervalOf(filter)),
    descending: descending[0] ?? false,
    condition: filter && new ExpressionCompiler(fileType(), withoutNavigation).condition(filter),
    information: properties === undefined || unlisted.some((name) => properties.has(name)),
    skip: query.skip ?? 0,
    top: query.top ?? Number.POSITIVE_INFINITY,
  }
}

const unlisted = ['size', 'lastAccess', 'lastModified'] as const satisfies readonly (keyof FileRow)[]

function fileType(): EntityType {
  const type = fileModel.defaultContainer.entitySet('Files')?.entityType
  if (type === undefined) throw new Error('The model of the file service has no files.')
  return type
}

function looksAtNamesOnly(condition: Expression): boolean {
  let only = true
  forEachPath(condition, (path) => {
    if (path.kind !== 'PropertyPath' || path.steps.length > 0 || !listed.has(path.property.name)) only = false
  })
  return only
}

function isPathTerm({ expression }: OrderByTerm): boolean {
  return (
    expression.kind === 'PropertyPath' && expression.steps.length === 0 && expression.property.name === 'path'
  )
}
