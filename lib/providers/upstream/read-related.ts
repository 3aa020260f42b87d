import type { Row } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type {
  ExpandBranch,
  KeyQuery,
  ReadQuery,
  RelatedQuery,
  Rows,
  RowsPage,
} from '../../provider/provider.js'
import { plainRow } from '../../evaluation/value-row.js'
import { collectRows } from './upstream-pages.js'

/** An entity set, as the sets whose entities refer to its entities use it. */
export interface UpstreamSet {
  /** Of the entity set in the V2 model. */
  readonly path: string
  /** True if its entities can be read by conditions on their keys. */
  readonly hasKeys: boolean
  canExpand(branch: ExpandBranch): boolean
  /** Returns the key of a row as a string. */
  keyText(row: Row): string | undefined
  /** Returns the condition that an entity has the key of a row. @returns undefined for a key that no entity can have */
  keyCondition(row: Row): string | undefined
  /** @param isSearched whether the search of the request applies to these entities. Default: true. */
  read(query: ReadQuery, call: ProviderCall, isSearched?: boolean): Promise<Rows | RowsPage | null>
  /** Reads entities. @param keys conditions on the key */
  readByKeys(keys: readonly string[], query: KeyQuery, call: ProviderCall): Promise<readonly Row[]>
}

/** Requests are limited to about this many characters of keys: servers accept 8 KB, and CAP 14 KB. */
const MAX_KEY_CHARACTERS = 4_000

/** The number of requests that run at the same time for one expansion. */
const MAX_CONCURRENT_READS = 4

/**
 * Reads the related entities of several entities: `Orders?$filter=ID eq 1 or ID eq 2&$expand=Items(…)`. Where that is
 * not possible, one request for each of the entities.
 */
export async function readRelated(
  target: UpstreamSet,
  query: RelatedQuery,
  setOf: (path: string) => UpstreamSet,
  call: ProviderCall,
): Promise<readonly (readonly Row[])[]> {
  const { sources, filter, orderBy, properties, skip, top } = query
  const source = setOf(sources.entitySet)
  const { navigation } = sources
  const branch: ExpandBranch = {
    navigation,
    entitySet: target.path,
    ...(properties && { properties }),
    ...(filter && { filter }),
    ...(navigation.isCollection && orderBy ? { orderBy } : {}),
    ...(navigation.isCollection && top !== undefined ? { top: top + (skip ?? 0) } : {}),
  }
  const isTogether =
    sources.rows.length > 1 && query.seek === undefined && source.hasKeys && source.canExpand(branch)
  if (!isTogether) return readAlone(target, query, call)
  const found = new Map<string, readonly Row[]>()
  await inParallel(chunksOf(source, sources.rows), async (chunk) => {
    const rows = await source.readByKeys(chunk, { properties: new Set(), expand: [branch] }, call)
    for (const row of rows) {
      const key = source.keyText(row)
      const value = row[navigation.name]
      if (key !== undefined && value !== undefined) found.set(key, listOf(value))
    }
  })
  const missing = sources.rows.filter((row) => !found.has(source.keyText(row) ?? ''))
  const alone = await readAlone(target, { ...query, sources: { ...sources, rows: missing } }, call)
  const listOfMissing = new Map(missing.map((row, index) => [row, alone[index] ?? []]))
  return sources.rows.map((row) => {
    const all = found.get(source.keyText(row) ?? '') ?? listOfMissing.get(row) ?? []
    return skip === undefined || listOfMissing.has(row) ? all : all.slice(skip)
  })
}

/** Reads the related entities of each entity by a request of its own. */
async function readAlone(
  target: UpstreamSet,
  { sources: { entitySet, navigation, rows }, ...query }: RelatedQuery,
  call: ProviderCall,
): Promise<readonly (readonly Row[])[]> {
  const lists: (readonly Row[])[] = []
  await inParallel([...rows.entries()], async ([index, row]) => {
    const source = { entitySet, navigation, row: plainRow(row) }
    lists[index] = await collectRows(await target.read({ ...query, source }, call, false))
  })
  return lists
}

function listOf(value: unknown): readonly Row[] {
  if (Array.isArray(value)) return value as readonly Row[]
  return value === null ? [] : [value as Row]
}

/** Divides entities so that the conditions on their keys fit into URLs. */
function chunksOf(source: UpstreamSet, rows: readonly Row[]): string[][] {
  const conditions = new Set(rows.flatMap((row) => source.keyCondition(row) ?? []))
  const chunks: string[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const condition of conditions) {
    const length = encodeURIComponent(condition).length + 10
    if (size + length > MAX_KEY_CHARACTERS) {
      chunks.push([])
      size = 0
    }
    size += length
    chunks.at(-1)?.push(condition)
  }
  return chunks
}

/** Works on several items at the same time. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const pending = [...items].reverse()
  const run = async (): Promise<void> => {
    for (let item = pending.pop(); item !== undefined; item = pending.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT_READS, items.length) }, run))
}
