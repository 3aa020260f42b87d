import type { EntityType, NavigationProperty } from '../../edm/edm-model.js'
import { isSearchable } from '../../edm/sap-annotations.js'
import type { Row } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { ExpandBranch, KeyQuery, RelatedTo } from '../../provider/provider.js'
import { required } from '../../util/required.js'
import type { QueryOption } from '../upstream/query-text.js'
import { queryText } from '../upstream/query-text.js'
import type { UpstreamSet } from '../upstream/read-related.js'
import type { QueryPart } from '../upstream/refused-parts.js'
import { UpstreamEntitySet } from '../upstream/upstream-entity-set.js'
import { readEntity } from '../upstream/upstream-pages.js'
import type { V2SortKey } from './v2-condition.js'
import { v2QuerySyntax } from './v2-condition.js'
import { canExpand, expandPaths, selectPaths } from './v2-expand.js'
import type { V2Service } from './v2-service.js'

const searchOptions: ReadonlySet<string> = new Set(['search', 'search-focus'])

/** Reads an entity set of a V2 service. */
export class V2EntitySet extends UpstreamEntitySet<V2Service, V2SortKey> {
  protected readonly isSearchable: boolean
  private readonly type: EntityType

  constructor(service: V2Service, path: string, setOf: (path: string) => UpstreamSet) {
    const { model, settings } = service
    const isComplete = settings.dialect === 'complete'
    const { pageSize } = settings
    super(service, { path, setOf, syntax: v2QuerySyntax(isComplete), pageSize, isExact: isComplete })
    this.type = model.entityType(path)
    this.isSearchable = isSearchable(model.set(path))
  }

  protected canFollow({ isCollection, fromEnd }: NavigationProperty): boolean {
    return !isCollection || fromEnd.type.baseType === undefined
  }

  protected expandPart(branch: ExpandBranch): QueryPart | undefined {
    if (!canExpand(branch, this.type)) return undefined
    const text = expandPaths([branch]).join()
    return { text: `${this.path}?$expand=${text}`, forms: new Set([`expand ${this.path}/${text}`]) }
  }

  protected shape({ properties, expand = [] }: KeyQuery): QueryOption[] {
    return [
      ['$select', selectPaths(properties, expand, this.type)?.join()],
      ['$expand', expand.length === 0 ? undefined : expandPaths(expand).join()],
    ]
  }

  protected searchOptions({ customOptions }: ProviderCall): readonly QueryOption[] {
    const options = this.isSearchable ? customOptions.filter(([name]) => searchOptions.has(name)) : []
    return options.some(([name, text]) => name === 'search' && text.trim() !== '') ? options : []
  }

  protected override async relatedEntity(
    source: RelatedTo,
    query: KeyQuery,
    call: ProviderCall,
  ): Promise<Row | null | undefined> {
    const entity = this.isOfDerivedType(source)
      ? await this.expandedEntity(source, query, call)
      : await super.relatedEntity(source, query, call)
    if (entity !== undefined) return entity
    return (await this.hasSource(source, call)) ? null : undefined
  }

  /** Returns true for a navigation property that paths of the service cannot have: they have no casts. */
  private isOfDerivedType({ entitySet, navigation: { name } }: RelatedTo): boolean {
    return this.service.model.entityType(entitySet).navigationProperty(name) === undefined
  }

  private async expandedEntity(
    { entitySet, navigation, row }: RelatedTo,
    query: KeyQuery,
    call: ProviderCall,
  ): Promise<Row | null | undefined> {
    const source = this.setOf(entitySet)
    const keys = [required(source.keyCondition(row))]
    const branch = { ...query, navigation, entitySet: this.path }
    const [found] = await source.readByKeys(keys, { properties: new Set(), expand: [branch] }, call)
    return found && ((found[navigation.name] ?? null) as Row | null)
  }

  /** Returns true if an entity exists: the service responds with 404 without a related entity, too. */
  private async hasSource({ entitySet, row }: RelatedTo, call: ProviderCall): Promise<boolean> {
    const { model } = this.service
    const { key } = model.entityType(entitySet)
    const path =
      model.entityPath(entitySet, row) + queryText([['$select', key.map(({ name }) => name).join()]])
    const convert = (one: unknown): Row => one as Row
    return (
      (await readEntity(this.service, { set: entitySet, path, parts: [], convert, top: 1 }, call)) !==
      undefined
    )
  }
}
