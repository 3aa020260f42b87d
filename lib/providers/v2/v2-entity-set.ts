import type { EntitySet, EntityType } from '../../edm/edm-model.js'
import { isSearchable } from '../../edm/sap-annotations.js'
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
import type { Expression, OrderByTerm } from '../../query/expression.js'
import { conjunctsOf } from '../../query/expression.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import { required } from '../../util/required.js'
import type { QueryOption } from '../upstream/query-text.js'
import { queryText } from '../upstream/query-text.js'
import type { QueryPart } from '../upstream/refused-parts.js'
import { keysPart, searchPart } from '../upstream/refused-parts.js'
import type { UpstreamSet } from '../upstream/read-related.js'
import { readRelated } from '../upstream/read-related.js'
import { queuedEntities } from '../upstream/upstream-change-set.js'
import { badGateway } from '../upstream/upstream-errors.js'
import type { UpstreamPage, UpstreamRead } from '../upstream/upstream-pages.js'
import {
  collectRows,
  countOf,
  readEntity,
  readError,
  readFurther,
  readPage,
} from '../upstream/upstream-pages.js'
import type { V2Condition } from './v2-condition.js'
import { v2Condition, v2OrderKey, v2SeekCondition } from './v2-condition.js'
import { canExpand, expandPaths, nestedConverter, selectPaths } from './v2-expand.js'
import type { V2Service } from './v2-service.js'

const searchOptions: ReadonlySet<string> = new Set(['search', 'search-focus'])

/** Reads an entity set of a V2 service. */
export class V2EntitySet implements UpstreamSet {
  private readonly set: EntitySet
  private readonly type: EntityType
  private readonly conditions = new WeakMap<Expression, V2Condition>()
  /** The largest page that the service has sent, when it had more entities. */
  private pageSize: number | undefined

  constructor(
    private readonly service: V2Service,
    readonly path: string,
    private readonly setOf: (path: string) => UpstreamSet,
  ) {
    this.set = service.model.set(path)
    this.type = this.set.entityType
    this.pageSize = service.settings.pageSize
  }

  /** Returns the members of the provider of this set that read entities. */
  provider(): EntitySetProvider {
    const currentPageSize = (): number | undefined => this.pageSize
    return {
      read: (query, call) => this.read(query, call),
      readByKey: (key, query, call) => this.readByKey(key, query, call),
      count: (query, call) => this.count(query, call),
      readRelated: (query, call) => readRelated(this, query, this.setOf, call),
      pushdown: {
        filter: (condition, isRestriction) => this.accepts(condition, isRestriction === true),
        orderBy: (terms) => this.acceptsOrder(terms),
        paging: true,
        count: true,
        // Learned from responses, so that no page takes two requests.
        get pageSize() {
          return currentPageSize()
        },
        navigation: ({ isCollection, fromEnd }) => !isCollection || fromEnd.type.baseType === undefined,
        expand: (branch) => this.canExpand(branch),
        sourceKeys: true,
        search: isSearchable(this.set),
      },
    }
  }

  get hasKeys(): boolean {
    return this.service.refused.accepts(keysPart(this.path))
  }

  private get isComplete(): boolean {
    return this.service.settings.dialect === 'complete'
  }

  /** Returns whether a condition is pushed: a service that evaluates it in another way must not widen a restriction. */
  private accepts(condition: Expression, isRestriction: boolean): boolean | 'narrow' {
    const found = this.condition(condition)
    if (found === undefined || !this.service.refused.accepts(this.filterPart(found))) return false
    return isRestriction && !this.isComplete ? 'narrow' : true
  }

  private condition(expression: Expression): V2Condition | undefined {
    const found = this.conditions.get(expression) ?? v2Condition(expression, this.isComplete)
    if (found === undefined) return undefined
    this.conditions.set(expression, found)
    return found
  }

  private filterPart({ text, forms }: V2Condition): QueryPart {
    return { text: `${this.path}?$filter=${text}`, forms }
  }

  private orderPart(terms: readonly V2OrderTerm[]): QueryPart {
    const forms = new Set(terms.flatMap((one) => [...one.forms]))
    return { text: `${this.path}?$orderby=${orderText(terms)}`, forms }
  }

  private orderOf(terms: readonly OrderByTerm[]): readonly V2OrderTerm[] | undefined {
    const found: V2OrderTerm[] = []
    for (const term of terms) {
      const key = v2OrderKey(term.expression, this.isComplete)
      if (key === undefined) return undefined
      found.push({ ...key, term })
    }
    return found
  }

  private acceptsOrder(terms: readonly OrderByTerm[]): boolean {
    const order = this.orderOf(terms)
    return order !== undefined && this.service.refused.accepts(this.orderPart(order))
  }

  canExpand(branch: ExpandBranch): boolean {
    return canExpand(branch, this.type) && this.service.refused.accepts(this.expandPart([branch]))
  }

  private expandPart(branches: readonly ExpandBranch[]): QueryPart {
    const text = expandPaths(branches).join()
    return { text: `${this.path}?$expand=${text}`, forms: new Set([`expand ${this.path}/${text}`]) }
  }

  keyText(row: Row): string {
    return this.service.model.keyPredicate(this.path, row)
  }

  keyCondition(row: Row): string {
    return this.service.model.keyCondition(this.path, row)
  }

  async read(query: ReadQuery, call: ProviderCall, isSearched = true): Promise<Rows | RowsPage | null> {
    const { source, orderBy, seek, skip, top, expand = [] } = query
    if (source?.navigation.isCollection === false) return this.readSingle(query, source, call)
    const isLimited = top !== undefined && top === this.pageSize
    const parts: QueryPart[] = []
    const order = orderBy && required(this.orderOf(orderBy))
    const filter = this.filterText(query.filter, parts)
    const conditions = [filter, order && seek && v2SeekCondition(order, seek)].filter(
      (one) => one !== undefined,
    )
    if (order !== undefined) parts.push(this.orderPart(order))
    const read = this.readOf(
      this.collectionPath(source),
      [
        ...this.shape(query, parts),
        ['$filter', conditions.length === 0 ? undefined : conditions.join(' and ')],
        ...(isSearched ? this.search(call, parts) : []),
        ['$orderby', order && orderText(order)],
        ['$skip', skip === 0 ? undefined : skip],
        // One entity more makes the service report whether others follow.
        ['$top', isLimited ? top + 1 : top],
        ['$inlinecount', query.count === true ? 'allpages' : undefined],
      ],
      parts,
      expand,
      top,
    )
    const page = await readPage(this.service, read, call)
    if (page === undefined) {
      if (source !== undefined) return null
      throw badGateway(`The V2 service does not have the entity set '${this.path}'.`)
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

  /** Reads the entity at the end of a single-valued navigation property. A filter needs its key. */
  private async readSingle(query: ReadQuery, source: RelatedTo, call: ProviderCall): Promise<Rows | null> {
    const path = this.collectionPath(source)
    const isFiltered = query.filter !== undefined
    const needed = isFiltered ? { properties: new Set<string>() } : query
    const entity = this.isOfDerivedType(source)
      ? await this.expandedEntity(source, needed, call)
      : await this.entity(path, needed, call)
    if (entity === undefined) return (await this.hasSource(source, call)) ? [] : null
    if (entity === null) return []
    if (!isFiltered) return [entity]
    const parts: QueryPart[] = []
    const filter = required(this.filterText(query.filter, parts))
    const options: QueryOption[] = [['$filter', `${this.keyCondition(entity)} and ${filter}`]]
    const read = this.readOf(
      this.collectionPath(undefined),
      [...this.shape(query, parts), ...options],
      parts,
      [],
    )
    return (await readPage(this.service, read, call))?.rows ?? []
  }

  /** Returns true for a navigation property that paths of the service cannot have: they have no casts. */
  private isOfDerivedType({ entitySet, navigation: { name } }: RelatedTo): boolean {
    return this.service.model.set(entitySet).entityType.navigationProperty(name) === undefined
  }

  private async expandedEntity(
    { entitySet, navigation, row }: RelatedTo,
    query: KeyQuery,
    call: ProviderCall,
  ): Promise<Row | null | undefined> {
    const source = this.setOf(entitySet)
    const keys = [required(source.keyCondition(row))]
    const [found] = await source.readByKeys(keys, { ...query, navigation, entitySet: this.path }, call)
    return found && ((found[navigation.name] ?? null) as Row | null)
  }

  /** Returns true if an entity exists: the service responds with 404 without a related entity, too. */
  private async hasSource({ entitySet, row }: RelatedTo, call: ProviderCall): Promise<boolean> {
    const { model } = this.service
    const { key } = model.set(entitySet).entityType
    const path =
      model.entityPath(entitySet, row) + queryText([['$select', key.map(({ name }) => name).join()]])
    const read = {
      set: entitySet,
      path,
      parts: [],
      convert: (one: unknown) => one as Row,
      top: 1,
    }
    return (await readEntity(this.service, read, call)) !== undefined
  }

  async readByKeys(
    keys: readonly string[],
    branch: ExpandBranch,
    call: ProviderCall,
  ): Promise<readonly Row[]> {
    const parts: QueryPart[] = [keysPart(this.path)]
    const query = { properties: new Set<string>(), expand: [branch] }
    const options: QueryOption[] = [...this.shape(query, parts), ['$filter', keys.join(' or ')]]
    const read = this.readOf(this.collectionPath(undefined), options, parts, [branch])
    const page = await readPage(this.service, read, call)
    return page === undefined ? [] : collectRows(this.pageOf(page, read, call))
  }

  private async readByKey(key: Row, query: KeyQuery, call: ProviderCall): Promise<Row | undefined> {
    const queued = queuedEntities(call)?.row(this.path, key)
    if (queued !== undefined) return queued
    return (await this.entity(this.service.model.entityPath(this.path, key), query, call)) ?? undefined
  }

  private entity(path: string, query: KeyQuery, call: ProviderCall): Promise<Row | null | undefined> {
    const parts: QueryPart[] = []
    const read = this.readOf(path, this.shape(query, parts), parts, query.expand ?? [])
    return readEntity(this.service, read, call)
  }

  private async count(query: CountQuery, call: ProviderCall): Promise<number> {
    const parts: QueryPart[] = []
    const options: QueryOption[] = [
      ['$filter', this.filterText(query.filter, parts)],
      ...this.search(call, parts),
    ]
    const response = await this.service.client.send({
      method: 'GET',
      path: `${this.collectionPath(query.source)}/$count${queryText(options)}`,
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
    return countOf((await response.text()).replace(/^\uFEFF/, '').trim(), this.path)
  }

  /** Returns the options for properties and related entities. */
  private shape({ properties, expand = [] }: KeyQuery, parts: QueryPart[]): QueryOption[] {
    if (expand.length > 0) parts.push(this.expandPart(expand))
    return [
      ['$select', selectPaths(properties, expand, this.type)?.join()],
      ['$expand', expand.length === 0 ? undefined : expandPaths(expand).join()],
    ]
  }

  private filterText(expression: Expression | undefined, parts: QueryPart[]): string | undefined {
    if (expression === undefined) return undefined
    const texts = conjunctsOf(expression).map((one) => {
      const condition = required(this.condition(one))
      parts.push(this.filterPart(condition))
      return `(${condition.text})`
    })
    return texts.length === 1 ? texts.join().slice(1, -1) : texts.join(' and ')
  }

  private search({ customOptions }: ProviderCall, parts: QueryPart[]): readonly QueryOption[] {
    const options = isSearchable(this.set) ? customOptions.filter(([name]) => searchOptions.has(name)) : []
    if (!options.some(([name, text]) => name === 'search' && text.trim() !== '')) return []
    parts.push(searchPart(this.path))
    return options
  }

  /** Returns the path of the set, or of the related entities of an entity. */
  private collectionPath(source: RelatedTo | undefined): string {
    const { model } = this.service
    if (source === undefined) return model.setPath(this.path)
    return `${model.entityPath(source.entitySet, source.row)}/${percentEncode(source.navigation.name)}`
  }

  private readOf(
    path: string,
    options: readonly QueryOption[],
    parts: readonly QueryPart[],
    expand: readonly ExpandBranch[],
    top = Number.POSITIVE_INFINITY,
  ): UpstreamRead {
    const convert = nestedConverter(expand, this.type, this.service.model)
    return { set: this.path, path: path + queryText(options), parts, convert, top }
  }
}

type V2OrderTerm = V2Condition & { readonly term: OrderByTerm }

function orderText(terms: readonly V2OrderTerm[]): string {
  const texts = new Map<string, string>()
  for (const { text, term } of terms)
    if (!texts.has(text)) texts.set(text, term.descending ? `${text} desc` : text)
  return [...texts.values()].join()
}
