import type { EntitySet } from '../edm/edm-model.js'
import type { Projection } from '../query/projection.js'
import type { Collection } from './collection.js'
import { mergeConditions } from './collection-rows.js'
import type { EntryContext, EntryTemplate } from '../provider/entry-template.js'
import type { Restrictions } from './permissions.js'
import type { ProviderCalls } from './provider-calls.js'
import type { CollectionQuery } from './pushdown.js'
import { filterOf, isEmpty, splitConditions, splitQuery } from './pushdown.js'
import type { RenderedBatches, RenderedExpansion } from '../provider/rendering.js'
import type { RowBatch } from '../provider/row-batch.js'

/** How a format writes the entities of a projection. */
export interface EntityWriting {
  readonly template: EntryTemplate
  readonly context: EntryContext
  readonly separator: string
  readonly write: (batch: RowBatch, index: number, context?: EntryContext) => string
}

/** A page that is to be written by its provider. */
export interface RenderedQuery {
  readonly collection: Collection
  /** Its limit is what the page shows at most. */
  readonly query: CollectionQuery
  readonly projection: Projection
  readonly writing: EntityWriting
  readonly mayContinue: boolean
}

/** Has entities written by providers that do this themselves, where nothing is left to do for the service. */
export class EntityRenderer {
  constructor(
    private readonly calls: ProviderCalls,
    private readonly restrictions: Restrictions,
    private readonly pageSize: (set: EntitySet) => number,
  ) {}

  /** @returns undefined when the service must read the entities and write them itself */
  async open(rendered: RenderedQuery): Promise<RenderedBatches | undefined> {
    const { collection, projection, writing, mayContinue } = rendered
    const { set, source } = collection
    if (collection.rows !== undefined || !this.calls.canRender(set)) return undefined
    const query = { ...rendered.query, ...mergeConditions(collection, rendered.query) }
    const split = splitQuery(query, this.calls.pushdown(set))
    if (!split.paged) return undefined
    const expansions = this.expansionsOf(projection)
    if (expansions === undefined) return undefined
    return this.calls.render(
      set,
      { entitySet: set.path, ...(source && { source }), ...split.pushed },
      { ...writing, expansions, mayContinue },
    )
  }

  /** Undefined when the provider of a target cannot evaluate what may be seen of it. */
  private expansionsOf({ expansions, set: source }: Projection): readonly RenderedExpansion[] | undefined {
    const rendered: RenderedExpansion[] = []
    for (const expansion of expansions) {
      const { navigation, projection } = expansion
      const { set } = projection
      const pushdown = this.calls.pushdown(set)
      if (!this.calls.canRender(set) || pushdown?.navigation?.(navigation) !== true) return undefined
      const restrictions = this.restrictions.of(expansion)
      const { accepted, refused } = splitConditions({ restrictions, filters: [] }, pushdown)
      const inner = !isEmpty(refused) ? undefined : this.expansionsOf(projection)
      if (inner === undefined) return undefined
      rendered.push({
        navigation,
        source: source.path,
        entitySet: set.path,
        provider: this.calls.providerOf(set),
        ...filterOf(accepted),
        limit: navigation.isCollection ? this.pageSize(set) : 1,
        expansions: inner,
      })
    }
    return rendered
  }
}
