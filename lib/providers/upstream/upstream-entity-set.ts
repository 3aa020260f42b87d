import type { NavigationProperty } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type {
  CountQuery,
  EntitySetProvider,
  ExpandBranch,
  KeyQuery,
  ReadQuery,
  RelatedTo,
  Rows,
  RowsPage,
} from '../../provider/provider.js'
import type { Pushdown } from '../../provider/pushdown.js'
import type { ReadByKeys } from '../../provider/value-reads.js'
import { addReadByKeys } from '../../provider/value-reads.js'
import type { Expression } from '../../query/expression.js'
import { ODataError } from '../../errors/odata-error.js'
import { groupBy } from '../../util/get-or-create.js'
import { isRecord } from '../../util/is-record.js'
import { required } from '../../util/required.js'
import { jsonOf } from './error-document.js'
import { nestedConverter } from './nested-converter.js'
import type { SortKey, QuerySyntax } from './query-translator.js'
import { QueryTranslator } from './query-translator.js'
import type { QueryOption } from './query-text.js'
import { queryText } from './query-text.js'
import type { UpstreamSet } from './read-related.js'
import { readRelated } from './read-related.js'
import type { QueryPart } from './refused-parts.js'
import { keysPart, searchPart } from './refused-parts.js'
import { queuedEntities } from './upstream-change-set.js'
import { badGateway, refusedQuery } from './upstream-errors.js'
import { collectionPath } from './upstream-model.js'
import type { UpstreamPage, UpstreamRead } from './upstream-pages.js'
import { collectRows, countOf, readEntity, readError, readFurther, readPage } from './upstream-pages.js'
import type { UpstreamService } from './upstream-service.js'

type Reads = Required<Pick<EntitySetProvider, 'read' | 'readByKey' | 'count' | 'readRelated' | 'pushdown'>>

/** Everything that an entity set needs besides the service. */
interface UpstreamSetOptions<Key extends SortKey> {
  /** Path of the entity set in the V2 model. */
  readonly path: string
  readonly setOf: (path: string) => UpstreamSet
  readonly syntax: QuerySyntax<Key>
  /** The number of entities in a page of the service, if it is known. */
  readonly pageSize?: number | undefined
  /** False if the service may evaluate a condition in another way, or ignore it. */
  readonly isExact: boolean
}

/** Errors that single reads would get too. */
const errorsOfAllReads: ReadonlySet<string> = new Set([
  'GatewayTimeout',
  'ServiceUnavailable',
  'TooManyRequests',
  'Unauthorized',
])

/** Reads an entity set of an upstream service. The versions of OData differ in the URLs. */
export abstract class UpstreamEntitySet<
  Service extends UpstreamService = UpstreamService,
  Key extends SortKey = SortKey,
> implements UpstreamSet {
  readonly path: string
  readonly translator: QueryTranslator<Key>
  protected readonly setOf: (path: string) => UpstreamSet
  private readonly isExact: boolean
  /** The largest page that the service has sent, when it had more entities. */
  private pageSize: number | undefined
  /** True if the service has sent more entities than `$top`: then this service sorts and pages. */
  private ignoresPaging = false
  /** True if the service has sent other entities than those with the requested keys. */
  private ignoresKeys = false

  constructor(
    readonly service: Service,
    { path, setOf, syntax, pageSize, isExact }: UpstreamSetOptions<Key>,
  ) {
    this.path = path
    this.translator = new QueryTranslator(path, service.refused, syntax)
    this.setOf = setOf
    this.pageSize = pageSize
    this.isExact = isExact
  }

  /** True if the service evaluates searches of this set. */
  protected abstract readonly isSearchable: boolean
  /** Returns true if the service has the URL of related entities. */
  protected abstract canFollow(navigation: NavigationProperty): boolean
  /** Returns a branch of `$expand` as a part of a query. @returns undefined if it cannot be expressed */
  protected abstract expandPart(branch: ExpandBranch): QueryPart | undefined
  /** Returns the options for properties and related entities. */
  protected abstract shape(query: KeyQuery): QueryOption[]
  /** Returns the options for the search of a request; none without a search. */
  protected abstract searchOptions(call: ProviderCall): readonly QueryOption[]

  /** Returns the members of the provider of this set that read entities. */
  members(): EntitySetProvider {
    return this.reads()
  }

  /** @param added to the pushed operations */
  protected reads(added: Pushdown = {}): Reads {
    const { translator } = this
    const currentPageSize = (): number | undefined => this.pageSize
    const hasPaging = (): boolean => !this.ignoresPaging
    return {
      read: (query, call) => this.read(query, call),
      readByKey: addReadByKeys(
        (key, query, call) => this.readByKey(key, query, call),
        (...read) => this.readSeveral(...read),
      ),
      count: (query, call) => this.count(query, call),
      readRelated: (query, call) => readRelated(this, query, this.setOf, call),
      pushdown: {
        ...added,
        filter: (condition, isRestriction) => this.accepts(condition, isRestriction === true),
        orderBy: (terms) => hasPaging() && translator.acceptsOrder(terms),
        get paging() {
          return hasPaging()
        },
        count: true,
        // Learned from responses, so that no page takes two requests.
        get pageSize() {
          return currentPageSize()
        },
        navigation: (navigation) => this.canFollow(navigation),
        expand: (branch) => this.canExpand(branch),
        sourceKeys: true,
        search: this.isSearchable,
      },
    }
  }

  /** Returns whether a condition is pushed: a service that evaluates it in another way must not widen a restriction. */
  private accepts(condition: Expression, isRestriction: boolean): boolean | 'narrow' {
    if (!this.translator.acceptsCondition(condition)) return false
    return isRestriction && !this.isExact ? 'narrow' : true
  }

  get hasKeys(): boolean {
    return !this.ignoresKeys && this.service.refused.accepts(keysPart(this.path))
  }

  canExpand(branch: ExpandBranch): boolean {
    const part = this.expandPart(branch)
    return part !== undefined && this.service.refused.accepts(part)
  }

  keyText(row: Row): string | undefined {
    return this.service.model.keyPredicate(this.path, row)
  }

  keyCondition(row: Row): string | undefined {
    return this.service.model.keyCondition(this.path, row)
  }

  async read(query: ReadQuery, call: ProviderCall, isSearched = true): Promise<Rows | RowsPage | null> {
    const { source, orderBy, seek, skip, top } = query
    if (source?.navigation.isCollection === false) return this.readSingle(query, source, call)
    const { translator, service } = this
    const isLimited = top !== undefined && top === this.pageSize
    const parts: QueryPart[] = []
    const order = orderBy && required(translator.order(orderBy))
    const conditions = [
      translator.filter(query.filter, parts),
      seek && order && translator.seek(order, seek),
    ].filter((one) => one !== undefined)
    const options: QueryOption[] = [
      ['$filter', conditions.length === 0 ? undefined : conditions.join(' and ')],
      ...(isSearched ? this.search(call, parts) : []),
      ['$orderby', order && translator.orderText(order, parts)],
      ['$skip', skip === 0 ? undefined : skip],
      // One entity more makes the service report whether others follow.
      ['$top', isLimited ? top + 1 : top],
    ]
    if (query.count === true) options.push(service.protocol.countOption)
    const read = this.readOf(this.pathOf(source), query, options, parts, top)
    const page = await readPage(service, read, call)
    if (page === undefined) {
      if (source !== undefined) return null
      throw badGateway(`The upstream service does not have the entity set '${this.path}'.`)
    }
    const sentTop = isLimited ? top + 1 : (top ?? Number.POSITIVE_INFINITY)
    // All entities for `$top=0` are a mistake of some services that do evaluate other pages.
    if (page.rows.length > sentTop && sentTop > 0) {
      this.ignoresPaging = true
      throw refusedQuery(`sends more entities of '${this.path}' than $top`)
    }
    return this.pageOf(page, read, call, isLimited)
  }

  /** Returns a page of the service, and those that follow it as far as they are requested. */
  protected pageOf(page: UpstreamPage, read: UpstreamRead, call: ProviderCall, isLimited = false): RowsPage {
    const { rows, count, next } = page
    const { top } = read
    if (next !== undefined && rows.length < top && rows.length > 0) this.pageSize = rows.length
    if (next === undefined || rows.length >= top || (isLimited && rows.length > 0))
      return {
        rows: rows.length > top ? rows.slice(0, top) : rows,
        count,
        hasMore: next !== undefined || rows.length > top,
      }
    const all = readFurther(this.service, read, page, call)
    return isLimited ? { rows: all, count, hasMore: true } : { rows: all, count }
  }

  /** Reads the entity at the end of a single-valued navigation property. A filter needs its key. */
  private async readSingle(query: ReadQuery, source: RelatedTo, call: ProviderCall): Promise<Rows | null> {
    const isFiltered = query.filter !== undefined
    const entity = await this.relatedEntity(source, isFiltered ? { properties: new Set() } : query, call)
    if (entity === undefined) return null
    if (entity === null) return []
    if (!isFiltered) return [entity]
    const key = this.keyCondition(entity)
    if (key === undefined) return []
    const parts: QueryPart[] = []
    const filter = required(this.translator.filter(query.filter, parts))
    const read = this.readOf(this.pathOf(undefined), query, [['$filter', `${key} and ${filter}`]], parts)
    return (await readPage(this.service, read, call))?.rows ?? []
  }

  /** Reads a single related entity. @returns undefined if its source does not exist, null if it has no related entity */
  protected relatedEntity(
    source: RelatedTo,
    query: KeyQuery,
    call: ProviderCall,
  ): Promise<Row | null | undefined> {
    return this.entity(this.pathOf(source), query, call)
  }

  async readByKeys(keys: readonly string[], query: KeyQuery, call: ProviderCall): Promise<readonly Row[]> {
    const parts: QueryPart[] = [keysPart(this.path)]
    // Services that ignore the filter send all entities of the set.
    const top = keys.length + 1
    const read = this.readOf(this.pathOf(undefined), query, [['$filter', keys.join(' or ')]], parts, top)
    const page = await readPage(this.service, read, call)
    return page === undefined ? [] : collectRows(this.pageOf(page, read, call))
  }

  /** Reads entities with the same properties by one request; see {@link ReadByKeys}. */
  private async readSeveral(...[reads, call, isShown]: Parameters<ReadByKeys>): Promise<(Row | undefined)[]> {
    const found: (Row | undefined)[] = []
    const groups = groupBy(reads.entries(), ([, { query }]) => queryText(this.shape(query)))
    const joined = this.hasKeys ? [...groups.values()].filter(({ length }) => length > 1) : []
    await Promise.all(
      joined.map(async (group) => {
        const rows = await this.rowsOf(group, call)
        for (const [index, { key }] of group) {
          const text = this.keyText(key)
          found[index] = rows.get(text)
          // Callers may change rows that are not only serialized.
          if (!isShown) rows.delete(text)
        }
      }),
    )
    return found
  }

  /** Returns entities by their keys; none if they must be read one by one, which responds to each with its own error. */
  private async rowsOf(
    reads: readonly (readonly [index: number, read: Parameters<ReadByKeys>[0][number]])[],
    call: ProviderCall,
  ): Promise<Map<string | undefined, Row>> {
    const query = reads[0]?.[1].query ?? {}
    const conditions = new Set(reads.flatMap(([, { key }]) => this.keyCondition(key) ?? []))
    try {
      const rows = await this.readByKeys([...conditions], query, call)
      if (rows.length > conditions.size) this.ignoresKeys = true
      return new Map(rows.map((row) => [this.keyText(row), row]))
    } catch (error) {
      if (!(error instanceof ODataError) || errorsOfAllReads.has(error.code)) throw error
      return new Map()
    }
  }

  protected async readByKey(key: Row, query: KeyQuery, call: ProviderCall): Promise<Row | undefined> {
    const queued = queuedEntities(call)?.row(this.path, key)
    if (queued !== undefined) return queued
    const path = this.service.model.entityPath(this.path, key)
    return path === undefined ? undefined : ((await this.entity(path, query, call)) ?? undefined)
  }

  protected entity(path: string, query: KeyQuery, call: ProviderCall): Promise<Row | null | undefined> {
    return readEntity(this.service, this.readOf(path, query, [], []), call)
  }

  private async count({ filter, source }: CountQuery, call: ProviderCall): Promise<number> {
    const parts: QueryPart[] = []
    const options: QueryOption[] = [
      ['$filter', this.translator.filter(filter, parts)],
      ...this.search(call, parts),
    ]
    const response = await this.service.client.send({
      method: 'GET',
      path: `${this.pathOf(source)}/$count${queryText(options)}`,
      headers: { accept: 'text/plain, */*;q=0.1' },
      call,
    })
    if (response.status === 404) {
      response.discard()
      return 0
    }
    if (response.status !== 200)
      throw await readError(this.service, response, { set: this.path, parts }, call)
    this.service.refused.succeeded(this.path, parts, call)
    const text = (await response.text()).replace(/^\uFEFF/, '').trim()
    // Some services send it as a value in JSON.
    const body = text.startsWith('{') ? jsonOf(text) : text
    return countOf(isRecord(body) ? body.value : body, this.path)
  }

  private search(call: ProviderCall, parts: QueryPart[]): readonly QueryOption[] {
    const options = this.searchOptions(call)
    if (options.length > 0) parts.push(searchPart(this.path))
    return options
  }

  /** Returns the path of the set, or of the related entities of an entity. */
  protected pathOf(source: RelatedTo | undefined): string {
    return collectionPath(this.service.model, this.path, source)
  }

  protected readOf(
    path: string,
    query: KeyQuery,
    options: readonly QueryOption[],
    parts: readonly QueryPart[],
    top = Number.POSITIVE_INFINITY,
  ): UpstreamRead {
    const { expand = [] } = query
    return {
      set: this.path,
      path: path + queryText([...this.shape(query), ...options]),
      parts: [...parts, ...expand.map((branch) => required(this.expandPart(branch)))],
      convert: nestedConverter(expand, this.path, this.service),
      top,
    }
  }
}
