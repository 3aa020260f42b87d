import type { V4SetMapping } from '../../csdl/v4/v4-mapping.js'
import type { NavigationProperty } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type {
  AggregateQuery,
  EntitySetProvider,
  ExpandBranch,
  KeyQuery,
  ReadQuery,
  Rows,
  RowsPage,
} from '../../provider/provider.js'
import type { GroupingSpec } from '../../evaluation/aggregate.js'
import type { GroupPage } from '../../provider/pushdown.js'
import { required } from '../../util/required.js'
import type { QueryOption } from '../upstream/query-text.js'
import { queryText } from '../upstream/query-text.js'
import type { QueryPart } from '../upstream/refused-parts.js'
import { applyPart } from '../upstream/refused-parts.js'
import { UpstreamEntitySet } from '../upstream/upstream-entity-set.js'
import type { UpstreamRead } from '../upstream/upstream-pages.js'
import { collectRows, readPage } from '../upstream/upstream-pages.js'
import type { V4Aggregation } from './query/v4-aggregate.js'
import { InexactValue, isWhole, v4Aggregation } from './query/v4-aggregate.js'
import type { V4SortKey } from './query/v4-condition.js'
import { v4QuerySyntax } from './query/v4-condition.js'
import { v4Search } from './query/v4-search.js'
import { v4Select } from './query/v4-select.js'
import type { ExpandPart } from './v4-expand.js'
import { v4ExpandPart } from './v4-expand.js'
import type { V4Service } from './v4-service.js'

/** The page size of CAP unless its configuration has another one. */
const CAP_PAGE_SIZE = 1_000

/** Stands for the group of no entities. */
const noGroup: Row = {}

/** Reads an entity set of a V4 service. */
export class V4EntitySet extends UpstreamEntitySet<V4Service, V4SortKey> {
  protected readonly isSearchable = true
  private readonly mapping: V4SetMapping
  private readonly isCap: boolean
  private readonly translatorOf: (path: string) => V4EntitySet['translator']

  constructor(service: V4Service, path: string, setOf: (path: string) => V4EntitySet) {
    const { model, settings } = service
    const isCap = settings.dialect === 'cap'
    const mapping = model.set(path)
    super(service, {
      path,
      setOf,
      syntax: v4QuerySyntax({ model, type: mapping.type, isCap }),
      pageSize: settings.pageSize ?? (isCap ? CAP_PAGE_SIZE : undefined),
      isExact: isCap,
    })
    this.mapping = mapping
    this.isCap = isCap
    this.translatorOf = (other) => setOf(other).translator
  }

  override members(): EntitySetProvider {
    const { kind, canAggregate } = this.mapping
    const { readByKey, ...reads } = this.reads()
    if (kind === 'Singleton')
      return {
        read: reads.read,
        readByKey,
        pushdown: { navigation: (navigation) => this.canFollow(navigation) },
      }
    // Contained entities are found only through their parents.
    if (kind === 'Contained') return reads
    if (!canAggregate && !this.isCap) return { ...reads, readByKey }
    return {
      ...this.reads({ aggregation: (page) => this.acceptsGroups(page) }),
      aggregate: (query: AggregateQuery, call: ProviderCall) => this.aggregate(query, call),
    }
  }

  private aggregationOf(spec: GroupingSpec): V4Aggregation | undefined {
    return v4Aggregation(spec, this.mapping.type, this.service.model, this.isCap)
  }

  private acceptsGroups(page: GroupPage): boolean {
    const found = isWhole(page) ? this.aggregationOf(page) : undefined
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
        this.pathOf(query.source) +
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

  protected canFollow(navigation: NavigationProperty): boolean {
    return this.service.model.navigationName(navigation) !== undefined
  }

  protected expandPart(branch: ExpandBranch): ExpandPart | undefined {
    return v4ExpandPart(branch, this.path, this.service.model, this.translatorOf)
  }

  protected shape({ properties, expand = [] }: KeyQuery): QueryOption[] {
    const branches = expand.map((branch) => required(this.expandPart(branch)).option)
    return [
      ['$select', v4Select(properties, this.service.model, this.path)],
      ['$expand', branches.length === 0 ? undefined : branches.join()],
    ]
  }

  protected searchOptions(call: ProviderCall): readonly QueryOption[] {
    const text = v4Search(call, this.isCap)
    return text === undefined ? [] : [['$search', text]]
  }

  override async read(
    query: ReadQuery,
    call: ProviderCall,
    isSearched?: boolean,
  ): Promise<Rows | RowsPage | null> {
    const { kind, name } = this.mapping
    if (kind !== 'Singleton') return super.read(query, call, isSearched)
    const entity = await this.entity(name, { properties: query.properties }, call)
    return entity === undefined || entity === null ? [] : [entity]
  }

  protected override async readByKey(
    key: Row,
    query: KeyQuery,
    call: ProviderCall,
  ): Promise<Row | undefined> {
    const entity = await super.readByKey(key, query, call)
    if (this.mapping.kind !== 'Singleton' || entity === undefined) return entity
    return this.keyText(entity) === this.keyText(key) ? entity : undefined
  }

  protected override readOf(
    ...[path, query, options, parts, top]: Parameters<UpstreamEntitySet['readOf']>
  ): UpstreamRead {
    const read = super.readOf(path, query, options, parts, top)
    if (this.mapping.kind !== 'Contained') return read
    // The related entities of contained entities are read by their path.
    return {
      ...read,
      convert: (entity) => this.service.model.withPath(this.path, read.convert(entity), path),
    }
  }

  override get hasKeys(): boolean {
    return this.mapping.kind === 'EntitySet' && super.hasKeys
  }
}
