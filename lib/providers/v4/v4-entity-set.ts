import type { NavigationProperty } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type {
  CountQuery,
  EntitySetProvider,
  KeyQuery,
  ReadQuery,
  RelatedTo,
  Rows,
} from '../../provider/provider.js'
import { required } from '../../util/required.js'
import type { V4Option } from './query/v4-options-text.js'
import { v4QueryText } from './query/v4-options-text.js'
import { V4QueryTranslator } from './query/v4-query.js'
import { v4Search } from './query/v4-search.js'
import { badGateway } from './v4-errors.js'
import type { V4Read } from './v4-pages.js'
import { countOf, readEntity, readError, readFurther, readPage } from './v4-pages.js'
import type { V4Service } from './v4-service.js'

/** Reads an entity set of a V4 service. */
export class V4EntitySet {
  readonly translator: V4QueryTranslator
  private readonly convertRow: (entity: unknown) => Row

  constructor(
    readonly service: V4Service,
    /** Of the entity set in the V2 model. */
    readonly path: string,
  ) {
    this.translator = new V4QueryTranslator(service, path, service.unsupported)
    const converter = service.model.converters.of(this.translator.mapping.type)
    this.convertRow = (entity) => converter.convert(entity)
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
    return {
      ...reads,
      count: (query, call) => this.count(query, call),
      pushdown: {
        filter: (condition) => translator.condition(condition) !== undefined,
        orderBy: (terms) => translator.order(terms) !== undefined,
        paging: true,
        navigation: (navigation) => this.canFollow(navigation),
        search: true,
      },
    }
  }

  private canFollow({ name, fromEnd }: NavigationProperty): boolean {
    return this.service.model.types.get(fromEnd.type.qualifiedName)?.navigations.has(name) === true
  }

  private async read(query: ReadQuery, call: ProviderCall): Promise<Rows> {
    const { source, filter, orderBy, seek, skip, top, properties } = query
    const { translator, service } = this
    if (translator.mapping.kind === 'Singleton') return this.readSingleton(query, call)
    if (source?.navigation.isCollection === false) return this.readSingle(query, source, call)
    const forms = new Set<string>()
    const order = orderBy && required(translator.order(orderBy))
    const conditions = [
      translator.filter(filter, forms),
      seek && order && translator.seek(order, seek),
    ].filter((one) => one !== undefined)
    const read = this.readOf(
      this.collectionPath(source),
      [
        ['$select', translator.select(properties)],
        ['$filter', conditions.length === 0 ? undefined : conditions.join(' and ')],
        ['$search', v4Search(call, this.isCap)],
        ['$orderby', order && translator.orderText(order, forms)],
        ['$skip', skip],
        ['$top', top],
      ],
      forms,
      top,
    )
    const page = await readPage(service, read, call)
    if (page === undefined) {
      if (source === undefined)
        throw badGateway(`The V4 service does not have the entity set '${this.path}'.`)
      return []
    }
    return page.next === undefined && page.rows.length <= read.top
      ? page.rows
      : readFurther(service, read, page, call)
  }

  private async readSingleton({ properties }: ReadQuery, call: ProviderCall): Promise<readonly Row[]> {
    const entity = await this.readEntity(this.translator.mapping.name, properties, call)
    return entity === undefined ? [] : [entity]
  }

  /** Reads the entity at the end of a single-valued navigation property. A filter needs its key. */
  private async readSingle(
    { filter, properties, ...query }: ReadQuery,
    source: RelatedTo,
    call: ProviderCall,
  ): Promise<Rows> {
    const { source: _, ...others } = query
    if (filter === undefined) {
      const entity = await this.readEntity(this.collectionPath(source), properties, call)
      return entity === undefined ? [] : [entity]
    }
    const entity = await this.readEntity(this.collectionPath(source), new Set(), call)
    const key = entity && this.service.model.keyCondition(this.path, entity)
    if (key === undefined) return []
    return this.readMatching(key, { ...others, filter, properties }, call)
  }

  private async readMatching(key: string, query: ReadQuery, call: ProviderCall): Promise<Rows> {
    const forms = new Set<string>()
    const filter = this.translator.filter(query.filter, forms)
    const read = this.readOf(
      encodeURIComponent(this.translator.mapping.name),
      [
        ['$select', this.translator.select(query.properties)],
        ['$filter', filter === undefined ? key : `${key} and ${filter}`],
      ],
      forms,
    )
    return (await readPage(this.service, read, call))?.rows ?? []
  }

  private async readByKey(key: Row, query: KeyQuery, call: ProviderCall): Promise<Row | undefined> {
    const path = this.service.model.entityPath(this.path, key)
    if (path === undefined) return undefined
    const entity = await this.readEntity(path, query.properties, call)
    if (this.translator.mapping.kind !== 'Singleton' || entity === undefined) return entity
    const predicate = this.service.model.keyPredicate(this.path, entity)
    return predicate === this.service.model.keyPredicate(this.path, key) ? entity : undefined
  }

  private readEntity(
    path: string,
    properties: ReadonlySet<string> | undefined,
    call: ProviderCall,
  ): Promise<Row | undefined> {
    const read = this.readOf(path, [['$select', this.translator.select(properties)]], new Set())
    return readEntity(this.service, read, call)
  }

  private async count({ filter, source }: CountQuery, call: ProviderCall): Promise<number> {
    const forms = new Set<string>()
    const { client } = this.service
    const options: V4Option[] = [
      ['$filter', this.translator.filter(filter, forms)],
      ['$search', v4Search(call, this.isCap)],
    ]
    const path = `${this.collectionPath(source)}/$count${v4QueryText(options)}`
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
    if (response.status !== 200) throw await readError(this.service, response, forms, this.path)
    return countOf((await response.text()).replace(/^\uFEFF/, '').trim(), this.path)
  }

  /** Returns the path of the set, or of the related entities of an entity. */
  private collectionPath(source: RelatedTo | undefined): string {
    const { model } = this.service
    if (source === undefined) {
      if (this.translator.mapping.kind === 'Contained') return model.requiredPath(this.path, {})
      return encodeURIComponent(this.translator.mapping.name)
    }
    const type = required(model.types.get(source.navigation.fromEnd.type.qualifiedName))
    const name = required(type.navigations.get(source.navigation.name))
    return `${model.requiredPath(source.entitySet, source.row)}/${encodeURIComponent(name)}`
  }

  private readOf(
    path: string,
    options: readonly V4Option[],
    forms: ReadonlySet<string>,
    top = Number.POSITIVE_INFINITY,
  ): V4Read {
    const convert =
      this.translator.mapping.kind === 'Contained' ? this.convertContained(path) : this.convertRow
    return { set: this.path, path: path + v4QueryText(options), forms, convert, top }
  }

  /** Adds the paths of contained entities, by which their own related entities are read. */
  private convertContained(path: string): (entity: unknown) => Row {
    const { model } = this.service
    return (entity) => {
      const row = this.convertRow(entity) as Record<string, unknown>
      model.addPath(this.path, row, path)
      return row
    }
  }
}
