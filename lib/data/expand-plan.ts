import type { EntitySet } from '../edm/edm-model.js'
import type { ExpandBranch } from '../provider/provider.js'
import { keyOrder } from '../query/entity-query.js'
import type { Expansion, Projection } from '../query/projection.js'
import type { AccessLimits } from './access-limits.js'
import type { ProviderCalls } from './provider-calls.js'
import { isEmpty, neededProperties, splitConditions, unconditional } from './pushdown.js'
import type { Restrictions } from './restrictions.js'

/** The expansions of a projection that the provider reads together with the entities. */
export interface ExpandPlan {
  readonly branches: readonly ExpandBranch[]
  readonly pushed: ReadonlySet<Expansion>
}

/** Divides the expansions of a request between the provider and the service. */
export class ExpandPlanner {
  constructor(
    private readonly calls: ProviderCalls,
    private readonly limits: AccessLimits,
    private readonly pageSize: (set: EntitySet) => number,
  ) {}

  /**
   * Offers expansions to the provider: with everything below them, then alone.
   *
   * @returns undefined if the provider reads none of them
   */
  plan({ set, expansions }: Projection, restrictions: Restrictions): ExpandPlan | undefined {
    const pushdown = this.calls.pushdown(set)
    if (pushdown?.expand === undefined || expansions.length === 0) return undefined
    const branches: ExpandBranch[] = []
    const pushed = new Set<Expansion>()
    for (const expansion of expansions) {
      const branch = this.branch(expansion, restrictions)
      if (branch === undefined) continue
      const below = this.plan(expansion.projection, restrictions)
      const whole = below && { ...branch, expand: below.branches }
      const accepted = [whole, branch].find((one) => one !== undefined && pushdown.expand?.(one) === true)
      if (accepted === undefined) continue
      branches.push(accepted)
      pushed.add(expansion)
      if (accepted === whole) for (const one of below?.pushed ?? []) pushed.add(one)
    }
    return branches.length === 0 ? undefined : { branches, pushed }
  }

  /** Returns the branch of an expansion; undefined if the provider cannot evaluate its restrictions or order. */
  private branch(expansion: Expansion, restrictions: Restrictions): ExpandBranch | undefined {
    const { navigation, projection } = expansion
    const { set } = projection
    const pushdown = this.calls.pushdown(set)
    const conditions = { restrictions: restrictions.of(expansion), filters: [] }
    const { pushed, refused } = splitConditions(conditions, pushdown)
    if (!isEmpty(refused)) return undefined
    const orderBy = keyOrder(set.entityType)
    if (navigation.isCollection && pushdown?.orderBy?.(orderBy) !== true) return undefined
    const properties = neededProperties(projection, unconditional, orderBy)
    const cap = Math.min(this.pageSize(set), this.limits.expandedRows)
    return {
      navigation,
      entitySet: set.path,
      ...(properties && { properties }),
      ...pushed,
      // One entity more than the response contains shows that it is truncated.
      ...(navigation.isCollection ? { orderBy, ...(Number.isFinite(cap) && { top: cap + 1 }) } : {}),
    }
  }
}
