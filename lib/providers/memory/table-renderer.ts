import type { Row } from '../../evaluation/row.js'
import type { EntryTemplate } from '../../provider/entry-template.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { EntitySetProvider, ReadQuery } from '../../provider/provider.js'
import type { RenderedBatches, RenderedExpansion, Rendering } from '../../provider/rendering.js'
import { BoundedCache } from '../../util/bounded-cache.js'
import type { MaybePromise } from '../../util/maybe-promise.js'
import type { EntityTable } from './entity-table.js'
import { InlineRows } from './inline-rows.js'
import { KeptEntities } from './kept-entities.js'
import type { MemoryStore } from './memory-store.js'
import { RenderedPlan } from './rendered-plan.js'
import { RenderedRows } from './rendered-rows.js'
import type { RenderingBudget } from './rendering-budget.js'
import type { TableReader } from './table-reader.js'

/** What the sets of one provider share that keep written entities. */
export interface MemoryRendering {
  readonly budget: RenderingBudget
  /** The providers of the sets, by their path, as they were made. */
  readonly providers: Map<string, EntitySetProvider>
}

/** For one template so many addresses of the service, and the like, have their entities kept. */
const mostPlans = 4

/** Writes the entities of one set, and keeps what was written until it changes. */
export class TableRenderer {
  private readonly plans = new WeakMap<EntryTemplate, TemplatePlans>()
  /** Where texts of rows may be. */
  private readonly kept = new Set<KeptEntities>()

  constructor(
    private readonly store: MemoryStore,
    private readonly table: EntityTable,
    private readonly reader: TableReader,
    private readonly shared: MemoryRendering,
  ) {
    if (shared.budget.limit > 0) {
      table.onRowGone = (row) => {
        this.forget(row)
      }
    }
  }

  /**
   * @param provider the object whose method was called: not the provider's own when somebody has changed some of it
   * @returns undefined when the service must read and write
   */
  render(
    provider: EntitySetProvider,
    query: ReadQuery,
    rendering: Rendering,
    call: ProviderCall,
  ): MaybePromise<RenderedBatches | undefined> {
    // What a change set sees may yet be taken back.
    if (call.changeSet !== undefined || !this.isOwn(this.table.path, provider)) return undefined
    const plan = this.planOf(rendering)
    if (plan?.isCurrent() !== true) return undefined
    return this.store.journal.read(call, () => this.read(query, rendering, plan, call))
  }

  private read(
    query: ReadQuery,
    rendering: Rendering,
    plan: RenderedPlan,
    call: ProviderCall,
  ): MaybePromise<RenderedBatches> {
    const { table, shared } = this
    const { journal } = this.store
    const { version } = table
    this.kept.add(plan.entities)
    const open = (rows: readonly Row[]): RenderedBatches =>
      new RenderedRows({
        rows,
        count: Math.min(rows.length, query.top ?? rows.length),
        rendering,
        plan,
        number: shared.budget.nextRequest(),
        call,
        read: (read) => journal.read(call, read),
        mayKeep: () => table.version === version,
      })
    const found = this.reader.read(withOneMore(query, rendering), call)
    return found instanceof Promise ? found.then(open) : open(found)
  }

  /** Whether what a service reads is what is written here. */
  private isOwn(path: string, provider: object): boolean {
    const own = this.shared.providers.get(path)
    const { read, readRelated, pushdown } = provider as Partial<EntitySetProvider>
    return (
      own !== undefined && own.read === read && own.readRelated === readRelated && own.pushdown === pushdown
    )
  }

  /** Undefined when what is asked for is not kept, or not yet: what is asked for once is not worth it. */
  private planOf(rendering: Rendering): RenderedPlan | undefined {
    const { template, expansions } = rendering
    if (this.shared.budget.limit <= 0 || !this.canExpand(expansions)) return undefined
    let plans = this.plans.get(template)
    if (plans === undefined) {
      plans = new TemplatePlans()
      this.plans.set(template, plans)
    }
    return plans.get(nameOf(rendering), () => {
      const inline = expansions.length === 0 ? undefined : new InlineRows(this.store, expansions)
      return new RenderedPlan(new KeptEntities(this.shared.budget), inline)
    })
  }

  /** What callers may see differs: entities are shown inline here only where everybody sees all. */
  private canExpand(expansions: readonly RenderedExpansion[]): boolean {
    return expansions.every(
      ({ filter, entitySet, provider, expansions: inner }) =>
        filter === undefined && this.isOwn(entitySet, provider) && this.canExpand(inner),
    )
  }

  private forget(row: Row): void {
    for (const entities of this.kept) {
      entities.forget(row)
      if (entities.isEmpty) this.kept.delete(entities)
    }
  }
}

/** The plans of one template, by all else that shows in the text. */
class TemplatePlans {
  private readonly plans = new Map<string, RenderedPlan>()
  /** Asked for once: clients can name any address as that of the service. */
  private readonly seen = new BoundedCache<string, true>(2 * mostPlans)

  get(name: string, make: () => RenderedPlan): RenderedPlan | undefined {
    let plan = this.plans.get(name)
    if (plan === undefined) {
      if (this.seen.get(name) === undefined) {
        this.seen.set(name, true)
        return undefined
      }
      plan = make()
    } else if (this.plans.size > 1) {
      this.plans.delete(name)
    }
    // The first is the one used longest ago.
    this.plans.set(name, plan)
    if (this.plans.size > mostPlans) this.dropFirst()
    return plan
  }

  private dropFirst(): void {
    for (const [name, plan] of this.plans) {
      plan.refuse()
      this.plans.delete(name)
      return
    }
  }
}

/** What beside template and entity shows in the text; the time of the answer is put in later. */
function nameOf({ context, separator, expansions }: Rendering): string {
  const { root, version, doubleAsNumber } = context
  return [root, version, String(doubleAsNumber), separator, ...limitsOf(expansions)].join('\n')
}

function limitsOf(expansions: readonly RenderedExpansion[]): readonly string[] {
  return expansions.flatMap(({ limit, expansions: inner }) => [String(limit), ...limitsOf(inner)])
}

/** One row more than the page shows tells whether there is another page. */
function withOneMore(query: ReadQuery, { mayContinue }: Rendering): ReadQuery {
  return mayContinue && query.top !== undefined ? { ...query, top: query.top + 1 } : query
}
