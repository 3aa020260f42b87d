import type { NavigationProperty } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type {
  AggregateQuery,
  CountQuery,
  EntitySetProvider,
  ExpandBranch,
  KeyQuery,
  ReadQuery,
  RelatedTo,
  Rows,
  RowsPage,
} from '../../provider/provider.js'
import type { GroupingSpec } from '../../evaluation/aggregate.js'
import type { GroupPage } from '../../provider/pushdown.js'
import type { Expression } from '../../query/expression.js'
import { required } from '../../util/required.js'
import { queuedEntities } from '../upstream/upstream-change-set.js'
import type { V4Aggregation } from './query/v4-aggregate.js'
import { InexactValue, isWhole, v4Aggregation } from './query/v4-aggregate.js'
import type { QueryOption } from '../upstream/query-text.js'
import { queryText } from '../upstream/query-text.js'
import { V4QueryTranslator } from './query/v4-query.js'
import type { QueryPart } from '../upstream/refused-parts.js'
import { applyPart, keysPart, searchPart } from '../upstream/refused-parts.js'
import { v4Search } from './query/v4-search.js'
import { badGateway } from '../upstream/upstream-errors.js'
import { canExpand, expandText, nestedConverter } from './v4-expand.js'
import type { UpstreamPage, UpstreamRead } from '../upstream/upstream-pages.js'
import {
  collectRows,
  countOf,
  readEntity,
  readError,
  readFurther,
  readPage,
} from '../upstream/upstream-pages.js'
import { readRelated } from '../upstream/read-related.js'
import type { V4Service } from './v4-service.js'
import type { SetOf, V4Set } from './v4-set.js'

/** The page size of CAP unless its configuration has another one. */
const CAP_PAGE_SIZE = 1_000

/** Stands for the group of no entities. */
const noGroup: Row = {}

/** Reads an entity set of a V4 service. */
export class V4EntitySet implements V4Set {
  readonly translator: V4QueryTranslator
  /** Converts an entity of a response in place. */
  readonly convert: (entity: unknown) => Row
  /** The largest page that the service has sent, when it had more entities. */
  private pageSize: number | undefined

  constructor(
    readonly service: V4Service,
    /** Of the entity set in the V2 model. */
    readonly path: string,
    private readonly setOf: SetOf,
  ) {
    this.translator = new V4QueryTranslator(service, path)
    const converter = service.model.converters.of(this.translator.mapping.type)
    this.convert = (entity) => converter.convert(entity)
    const { dialect, pageSize = dialect === 'cap' ? CAP_PAGE_SIZE : undefined } = service.settings
    this.pageSize = pageSize
  }

  private get isCap(): boolean {
    return this.service.settings.dialect === 'cap'
  }

  /** Returns the members of the provider of this set. */
  provider(): EntitySetProvider {
    const { translator } = this
    const { kind } = translator.mapping
    const reads: EntitySetProvider = {
      read: (query, call) => this.read(query, call),
      // Contained entities are found only through their parents.
      ...(kind === 'Contained'
        ? {}
        : { readByKey: (key: Row, query: KeyQuery, call: ProviderCall) => this.readByKey(key, query, call) }),
    }
    if (kind === 'Singleton')
      return { ...reads, pushdown: { navigation: (navigation) => this.canFollow(navigation) } }
    const currentPageSize = (): number | undefined => this.pageSize
    return {
      ...reads,
      count: (query, call) => this.count(query, call),
      readRelated: (query, call) => readRelated(this, query, this.setOf, call),
      ...(this.canAggregate
        ? { aggregate: (query: AggregateQuery, call: ProviderCall) => this.aggregate(query, call) }
        : {}),
      pushdown: {
        filter: (condition, isRestriction) => this.accepts(condition, isRestriction === true),
        orderBy: (terms) => translator.acceptsOrder(terms),
        paging: true,
        count: true,
        // Learned from responses, so that no page takes two requests.
        get pageSize() {
          return currentPageSize()
        },
        navigation: (navigation) => this.canFollow(navigation),
        expand: (branch) => this.canExpand(branch),
        sourceKeys: true,
        search: true,
        aggregation: (page) => this.acceptsGroups(page),
      },
    }
  }

  private get canAggregate(): boolean {
    const { canAggregate, kind } = this.translator.mapping
    return kind === 'EntitySet' && (canAggregate || this.isCap)
  }

  private aggregationOf(spec: GroupingSpec): V4Aggregation | undefined {
    return v4Aggregation(spec, this.translator.mapping.type, this.service.model, this.isCap)
  }

  private acceptsGroups(page: GroupPage): boolean {
    const found = this.canAggregate && isWhole(page) ? this.aggregationOf(page) : undefined
    return found !== undefined && this.service.refused.accepts(applyPart(this.path, found.text))
  }

  /** Groups entities by `$apply`. @returns undefined if a value is not exact, and for searches */
  private async aggregate(query: AggregateQuery, call: ProviderCall): Promise<readonly Row[] | undefined> {
    const { text, convert } = required(this.aggregationOf(query))
    const parts: QueryPart[] = [applyPart(this.path, text)]
    if (v4Search(call, this.isCap) !== undefined) return undefined
    const filter = this.translator.filter(query.filter, parts)
    const read: UpstreamRead = {
      set: this.path,
      path:
        this.collectionPath(query.source) +
        queryText([
          ['$apply', filter === undefined ? text : `filter(${filter})/${text}`],
          ['$top', query.top],
        ]),
      parts,
      convert: (group) => convert(group) ?? noGroup,
      top: query.top ?? Number.POSITIVE_INFINITY,
    }
    try {
      const page = await readPage(this.service, read, call)
      const rows = page === undefined ? [] : await collectRows(this.pageOf(page, read, call))
      return rows.filter((row) => row !== noGroup)
    } catch (error) {
      if (error instanceof InexactValue) return undefined
      throw error
    }
  }

  /** Returns whether a condition is pushed: a service that ignores the case of strings must not widen a restriction. */
  private accepts(condition: Expression, isRestriction: boolean): boolean | 'narrow' {
    const translated = this.translator.acceptedCondition(condition)
    if (translated === undefined) return false
    return isRestriction && translated.comparesStrings && !this.isCap ? 'narrow' : true
  }

  canExpand(branch: ExpandBranch): boolean {
    return canExpand(branch, this, this.setOf)
  }

  /** Returns the key of a row as a string. */
  keyText(row: Row): string | undefined {
    return this.service.model.keyPredicate(this.path, row)
  }

  get hasKeys(): boolean {
    const { translator, service, path } = this
    return translator.mapping.kind === 'EntitySet' && service.refused.accepts(keysPart(path))
  }

  keyCondition(row: Row): string | undefined {
    return this.service.model.keyCondition(this.path, row)
  }

  private canFollow(navigation: NavigationProperty): boolean {
    return this.service.model.navigationName(navigation) !== undefined
  }

  async read(query: ReadQuery, call: ProviderCall, isSearched = true): Promise<Rows | RowsPage | null> {
    const { source, filter, orderBy, seek, skip, top, properties, expand } = query
    const { translator, service } = this
    if (translator.mapping.kind === 'Singleton') return this.readSingleton(query, call)
    if (source?.navigation.isCollection === false) return this.readSingle(query, source, call)
    const isLimited = top !== undefined && top === this.pageSize
    const parts: QueryPart[] = []
    const order = orderBy && required(translator.order(orderBy))
    const conditions = [
      translator.filter(filter, parts),
      seek && order && translator.seek(order, seek),
    ].filter((one) => one !== undefined)
    const read = this.readOf(
      this.collectionPath(source),
      [
        ['$select', translator.select(properties)],
        ['$expand', expandText(expand, this, this.setOf, parts)],
        ['$filter', conditions.length === 0 ? undefined : conditions.join(' and ')],
        ['$search', isSearched ? this.search(call, parts) : undefined],
        ['$orderby', order && translator.orderText(order, parts)],
        ['$skip', skip],
        // One entity more makes the service report whether others follow.
        ['$top', isLimited ? top + 1 : top],
        ['$count', query.count === true ? 'true' : undefined],
      ],
      parts,
      { top, expand },
    )
    const page = await readPage(service, read, call)
    if (page === undefined) {
      if (source !== undefined) return null
      throw badGateway(`The V4 service does not have the entity set '${this.path}'.`)
    }
    return this.pageOf(page, read, call, isLimited)
  }

  /** Returns a page of the service, and those that follow it as far as they are requested. */
  private pageOf(page: UpstreamPage, read: UpstreamRead, call: ProviderCall, isLimited = false): RowsPage {
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

  private async readSingleton({ properties }: ReadQuery, call: ProviderCall): Promise<readonly Row[]> {
    const entity = await this.readEntity(this.translator.mapping.name, { properties }, call)
    return entity === undefined || entity === null ? [] : [entity]
  }

  /** Reads the entity at the end of a single-valued navigation property. A filter needs its key. */
  private async readSingle(query: ReadQuery, source: RelatedTo, call: ProviderCall): Promise<Rows | null> {
    const { filter } = query
    const path = this.collectionPath(source)
    const isFiltered = filter !== undefined
    const entity = await this.readEntity(path, isFiltered ? { properties: new Set() } : query, call)
    if (entity === undefined) return null
    if (entity === null) return []
    if (!isFiltered) return [entity]
    const key = this.service.model.keyCondition(this.path, entity)
    return key === undefined ? [] : this.readMatching(key, query, call)
  }

  private async readMatching(key: string, query: ReadQuery, call: ProviderCall): Promise<Rows> {
    const parts: QueryPart[] = []
    const filter = this.translator.filter(query.filter, parts)
    const read = this.readOf(
      encodeURIComponent(this.translator.mapping.name),
      [
        ['$select', this.translator.select(query.properties)],
        ['$filter', filter === undefined ? key : `${key} and ${filter}`],
      ],
      parts,
    )
    return (await readPage(this.service, read, call))?.rows ?? []
  }

  /** Reads the keys of entities and the related entities of one branch. @param keys conditions on the key */
  async readByKeys(
    keys: readonly string[],
    branch: ExpandBranch,
    call: ProviderCall,
  ): Promise<readonly Row[]> {
    const parts: QueryPart[] = [keysPart(this.path)]
    const read = this.readOf(
      encodeURIComponent(this.translator.mapping.name),
      [
        ['$select', this.translator.select(new Set())],
        ['$expand', expandText([branch], this, this.setOf, parts)],
        ['$filter', keys.join(' or ')],
      ],
      parts,
      { expand: [branch] },
    )
    const page = await readPage(this.service, read, call)
    return page === undefined ? [] : collectRows(this.pageOf(page, read, call))
  }

  private async readByKey(key: Row, query: KeyQuery, call: ProviderCall): Promise<Row | undefined> {
    const queued = queuedEntities(call)?.row(this.path, key)
    if (queued !== undefined) return queued
    const path = this.service.model.entityPath(this.path, key)
    if (path === undefined) return undefined
    const entity = (await this.readEntity(path, query, call)) ?? undefined
    if (this.translator.mapping.kind !== 'Singleton' || entity === undefined) return entity
    return this.keyText(entity) === this.keyText(key) ? entity : undefined
  }

  private readEntity(
    path: string,
    { properties, expand }: KeyQuery,
    call: ProviderCall,
  ): Promise<Row | null | undefined> {
    const parts: QueryPart[] = []
    const options: QueryOption[] = [
      ['$select', this.translator.select(properties)],
      ['$expand', expandText(expand, this, this.setOf, parts)],
    ]
    return readEntity(this.service, this.readOf(path, options, parts, { expand }), call)
  }

  private async count({ filter, source }: CountQuery, call: ProviderCall): Promise<number> {
    const parts: QueryPart[] = []
    const { client } = this.service
    const options: QueryOption[] = [
      ['$filter', this.translator.filter(filter, parts)],
      ['$search', this.search(call, parts)],
    ]
    const path = `${this.collectionPath(source)}/$count${queryText(options)}`
    const response = await client.send({
      method: 'GET',
      path,
      headers: { accept: 'text/plain, application/json;q=0.5' },
      call,
    })
    if (response.status === 404) {
      response.discard()
      return 0
    }
    if (response.status !== 200)
      throw await readError(this.service, response, { set: this.path, parts }, call)
    this.service.refused.succeeded(this.path, parts, call)
    return countOf((await response.text()).replace(/^\uFEFF/, '').trim(), this.path)
  }

  private search(call: ProviderCall, parts: QueryPart[]): string | undefined {
    const text = v4Search(call, this.isCap)
    if (text !== undefined) parts.push(searchPart(this.path))
    return text
  }

  /** Returns the path of the set, or of the related entities of an entity. */
  private collectionPath(source: RelatedTo | undefined): string {
    const { model } = this.service
    if (source === undefined) {
      if (this.translator.mapping.kind === 'Contained') return model.requiredPath(this.path, {})
      return encodeURIComponent(this.translator.mapping.name)
    }
    const name = required(model.navigationName(source.navigation))
    return `${model.requiredPath(source.entitySet, source.row)}/${encodeURIComponent(name)}`
  }

  private readOf(
    path: string,
    options: readonly QueryOption[],
    parts: readonly QueryPart[],
    { top = Number.POSITIVE_INFINITY, expand }: Pick<ReadQuery, 'top' | 'expand'> = {},
  ): UpstreamRead {
    const convert = nestedConverter(expand, this, this.setOf)
    return {
      set: this.path,
      path: path + queryText(options),
      parts,
      convert: this.translator.mapping.kind === 'Contained' ? this.withPath(path, convert) : convert,
      top,
    }
  }

  /** Adds the paths of contained entities, by which their own related entities are read. */
  private withPath(path: string, convert: (entity: unknown) => Row): (entity: unknown) => Row {
    const { model } = this.service
    return (entity) => {
      const row = convert(entity) as Record<string, unknown>
      model.addPath(this.path, row, path)
      return row
    }
  }
}
