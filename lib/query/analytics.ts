import type { AnalyticalSet } from '../edm/analytical-set.js'
import type { AnalyticsOptions } from '../edm/analytics-options.js'
import { analyticalSetsOf } from '../edm/analytics-options.js'
import type { EdmModel, EntitySet, Property } from '../edm/edm-model.js'
import { originalSet } from '../edm/model-view.js'
import { ODataError } from '../errors/odata-error.js'
import type { EntityQuery } from './entity-query.js'
import type { IdentifiedGroup, IdSettings } from './group-id.js'
import { groupOfId, pathDigest } from './group-id.js'
import type { GroupSource } from './group-source.js'
import { bindGroupSource } from './group-source.js'
import type { Projection } from './projection.js'
import type { CollectionSource, EntitySource, RequestTarget } from './request-target.js'
import { addressedSource } from './request-target.js'

/**
 * Returns the analytical sets of a service; undefined when it has none.
 *
 * @throws ConfigurationError for an invalid option
 */
export function analyticsOf(
  options: AnalyticsOptions | false | undefined,
  model: EdmModel,
  settings: IdSettings,
): Analytics | undefined {
  const sets = analyticalSetsOf(model, options)
  return sets.size === 0 ? undefined : new Analytics(model, sets, settings)
}

/** The analytical sets of a service. */
export class Analytics {
  private readonly sources = new Map<EntitySet, GroupSource>()

  /** @throws ConfigurationError for an invalid path */
  constructor(
    private readonly model: EdmModel,
    readonly sets: ReadonlyMap<EntitySet, AnalyticalSet>,
    private readonly settings: IdSettings,
  ) {
    for (const [set, analytical] of sets) {
      const source = bindGroupSource(analytical, model, settings)
      if (source !== undefined) this.sources.set(set, source)
    }
  }

  /** Returns the rows that a set groups instead of its own. */
  sourceOf({ set }: AnalyticalSet): GroupSource | undefined {
    return this.sources.get(originalSet(set))
  }

  /** Returns a query whose filter applies to the rows that are grouped. */
  onRows(query: EntityQuery): EntityQuery {
    const { filter, grouping } = query
    if (filter === undefined || grouping?.source === undefined) return query
    return { ...query, filter: grouping.source.map(filter) }
  }

  /** Returns the analytical set whose groups a source has. Functions return entities with ids of their own. */
  setOf(source: CollectionSource | EntitySource): AnalyticalSet | undefined {
    const collection = source.kind === 'KeyedEntity' ? source.collection : source
    const isGrouped = collection.kind === 'EntitySet' || collection.kind === 'RelatedEntities'
    const analytical = isGrouped ? this.sets.get(originalSet(source.set)) : undefined
    return analytical && visibleColumns(analytical, source.set)
  }

  /** Returns the group that a key identifies, with a filter of its rows; undefined when there cannot be one. */
  groupOf(source: EntitySource, analytical: AnalyticalSet): IdentifiedGroup | undefined {
    const id = source.kind === 'KeyedEntity' ? source.key[analytical.id.name] : undefined
    if (typeof id !== 'string' || source.kind !== 'KeyedEntity') return undefined
    const group = groupOfId(id, pathDigest(source.collection), analytical, this.model, this.settings)
    const rows = this.sourceOf(analytical)
    return group?.filter === undefined || rows === undefined
      ? group
      : { ...group, filter: rows.map(group.filter) }
  }

  /**
   * Checks that a path does not lead through a group: groups have neither navigation properties nor links.
   *
   * @throws ODataError ResourceNotFound
   */
  checkPath(target: RequestTarget): void {
    const linked = target.kind === 'Links' ? this.setOf(target.linked) : undefined
    if (linked !== undefined) throw noNavigation(linked)
    for (let source = addressedSource(target); source !== undefined; source = sourceBefore(source)) {
      const before = source.kind === 'KeyedEntity' ? undefined : sourceBefore(source)
      const group = before && this.setOf(before)
      if (group !== undefined) throw noNavigation(group)
    }
  }

  /** Returns the reason why a method cannot be used on groups; undefined for methods that read, and other resources. */
  methodRefusal(method: string, target: RequestTarget): string | undefined {
    if (method === 'GET' || method === 'HEAD') return undefined
    const source = addressedSource(target)
    const analytical = source && this.setOf(source)
    return analytical && `groups of '${analytical.set.path}' are read-only (sap:semantics="aggregate")`
  }

  /**
   * Checks that groups are not requested inline.
   *
   * @throws ODataError InvalidSystemQueryOption
   */
  checkExpansions({ expansions }: Projection): void {
    for (const { navigation, projection } of expansions) {
      if (this.sets.has(originalSet(projection.set))) {
        throw new ODataError('InvalidSystemQueryOption', {
          message: `$expand: '${navigation.name}' leads to groups, which cannot be expanded.`,
        })
      }
      this.checkExpansions(projection)
    }
  }
}

/** Returns an analytical set without the columns that a view of its entity set lacks. Units of measures remain. */
function visibleColumns(analytical: AnalyticalSet, set: EntitySet): AnalyticalSet {
  if (originalSet(set) === set) return analytical
  const isVisible = ({ name }: Property): boolean => set.entityType.property(name) !== undefined
  const { dimensions, grouping, measures, totaled } = analytical
  return {
    ...analytical,
    set,
    grouping: grouping.filter(isVisible),
    dimensions: dimensions.filter(isVisible),
    measures: new Map([...measures].filter(([name]) => set.entityType.property(name) !== undefined)),
    totaled: totaled !== undefined && isVisible(totaled) ? totaled : undefined,
  }
}

/** Returns the entity or collection before the last step of a path. */
function sourceBefore(source: CollectionSource | EntitySource): CollectionSource | EntitySource | undefined {
  if (source.kind === 'KeyedEntity') return source.collection
  if (source.kind === 'RelatedEntities' || source.kind === 'RelatedEntity') return source.source
  return undefined
}

function noNavigation({ set }: AnalyticalSet): ODataError {
  return new ODataError('ResourceNotFound', {
    message: `The groups of '${set.path}' have no navigation properties.`,
  })
}
