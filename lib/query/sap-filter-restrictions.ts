import type { FilterRestriction, SapRestrictions } from '../edm/sap-annotations.js'
import type { Binary, Expression, PropertyPath } from './expression.js'
import { forEachPath } from './expression.js'
import { textOfPath } from './text-of-path.js'

/** How a filter uses one property that it can use in a certain way only. */
interface PropertyUse {
  readonly restriction: FilterRestriction
  /** How often each comparison is made; `other` is everything that is no such comparison. */
  readonly counts: Readonly<Record<Comparison, number>>
  /** Whether two uses are joined so. */
  readonly byAnd: boolean
  readonly byOr: boolean
}

type Comparison = 'eq' | 'ge' | 'le' | 'other'

/** By the path that names the property. */
type Uses = Map<string, PropertyUse>

/** What clients are told to write. */
const wanted: Readonly<Record<FilterRestriction, string>> = {
  'single-value': `a single 'eq' with a value`,
  'multi-value': `comparisons by 'eq' with values, joined by 'or'`,
  interval: `a single 'eq' with a value, or at most one 'ge' and one 'le', joined by 'and'`,
}

/**
 * Finds the first property that a filter does not use as its `sap:filter-restriction` says.
 *
 * @returns what is wrong, or undefined
 */
export function filterRestrictionFault(filter: Expression, sap: SapRestrictions): string | undefined {
  for (const [path, use] of usesIn(filter, sap)) {
    if (isWithin(use)) continue
    const { restriction } = use
    return `'${path}' can only be used in ${wanted[restriction]} (sap:filter-restriction="${restriction}")`
  }
  return undefined
}

function isWithin({ restriction, counts, byAnd, byOr }: PropertyUse): boolean {
  const { eq, ge, le, other } = counts
  if (other > 0) return false
  const onlyEq = ge + le === 0
  switch (restriction) {
    case 'single-value':
      return onlyEq && eq === 1
    case 'multi-value':
      return onlyEq && !byAnd
    case 'interval':
      return eq === 0 ? ge <= 1 && le <= 1 && !byOr : onlyEq && eq === 1
  }
}

function usesIn(expression: Expression, sap: SapRestrictions): Uses {
  if (expression.kind === 'Binary' && (expression.operator === 'and' || expression.operator === 'or')) {
    return joined(usesIn(expression.left, sap), usesIn(expression.right, sap), expression.operator)
  }
  const clause = expression.kind === 'Binary' ? clauseOf(expression) : undefined
  if (clause !== undefined) return useOf(clause.path, clause.comparison, sap)
  let uses: Uses = new Map()
  forEachPath(expression, (path) => {
    if (path.kind === 'PropertyPath') uses = joined(uses, useOf(path, 'other', sap), 'and')
  })
  return uses
}

const comparisons: Readonly<Partial<Record<Binary['operator'], readonly [Comparison, Comparison]>>> = {
  eq: ['eq', 'eq'],
  ge: ['ge', 'le'],
  le: ['le', 'ge'],
}

/** A comparison of a property with a value; the value may also stand on the left. */
function clauseOf({
  operator,
  left,
  right,
}: Binary): { readonly path: PropertyPath; readonly comparison: Comparison } | undefined {
  const [straight, turned] = comparisons[operator] ?? []
  if (straight === undefined || turned === undefined) return undefined
  if (left.kind === 'PropertyPath' && isValue(right)) return { path: left, comparison: straight }
  if (right.kind === 'PropertyPath' && isValue(left)) return { path: right, comparison: turned }
  return undefined
}

function isValue(expression: Expression): boolean {
  let hasPath = false
  forEachPath(expression, () => (hasPath = true))
  return !hasPath
}

function useOf(path: PropertyPath, comparison: Comparison, { properties }: SapRestrictions): Uses {
  const restriction = properties.get(path.property)?.filterRestriction
  if (restriction === undefined) return new Map()
  const counts = { eq: 0, ge: 0, le: 0, other: 0, [comparison]: 1 }
  return new Map([[textOfPath(path), { restriction, counts, byAnd: false, byOr: false }]])
}

function joined(one: Uses, other: Uses, operator: 'and' | 'or'): Uses {
  const [into, from] = one.size < other.size ? [other, one] : [one, other]
  for (const [path, use] of from) {
    const before = into.get(path)
    into.set(path, before === undefined ? use : both(before, use, operator))
  }
  return into
}

function both(a: PropertyUse, b: PropertyUse, operator: 'and' | 'or'): PropertyUse {
  return {
    restriction: a.restriction,
    counts: {
      eq: a.counts.eq + b.counts.eq,
      ge: a.counts.ge + b.counts.ge,
      le: a.counts.le + b.counts.le,
      other: a.counts.other + b.counts.other,
    },
    byAnd: a.byAnd || b.byAnd || operator === 'and',
    byOr: a.byOr || b.byOr || operator === 'or',
  }
}
