import type { ProviderCall } from '../../provider/provider-call.js'
import { BoundedCache } from '../../util/bounded-cache.js'

/** A part of a query that an upstream service may refuse: then this service evaluates it. */
export interface QueryPart {
  /** The set and the part with its values: `Books?$filter=contains(Name,'a')`. */
  readonly text: string
  /** The functions, operators, types and paths in it: `contains`, `gt Edm.Guid`, `expand Books/author`. */
  readonly forms: ReadonlySet<string>
}

/** The form of `$search`, which the V2 service cannot evaluate. */
const SEARCH = 'search'

/** Returns the part of a query with `$search`. */
export function searchPart(set: string): QueryPart {
  return { text: `${set}?$search`, forms: new Set([SEARCH]) }
}

/** Returns the part of a query that selects entities of a set by their keys: `ID eq 1 or ID eq 2`. */
export function keysPart(set: string): QueryPart {
  return { text: `${set}?keys`, forms: new Set(['keys']) }
}

/** Returns the part of a query that groups entities. */
export function applyPart(set: string, text: string): QueryPart {
  return { text: `${set}?$apply=${text}`, forms: new Set(['apply']) }
}

/** The order in which parts are suspected: the less common ones first. */
const ranks: readonly ((form: string) => boolean)[] = [
  (form) => form === 'keys',
  (form) => form.startsWith('expand') || form.startsWith('apply'),
  (form) => /^[a-z]+$/.test(form) && form !== 'path',
  (form) => form === 'path',
  (form) => form.startsWith('order'),
]

/** The maximum number of entries of each kind. */
const MAX_ENTRIES = 1_000

/** Refused parts are sent again after ten minutes: the service may have been changed. */
const FORGET_MS = 600_000

interface RefusedForms {
  readonly forms: readonly string[]
  readonly until: number
}

/**
 * The parts of queries that an upstream service refuses with 400 or 501.
 *
 * The parts of a refused query are omitted one after the other until the service accepts it: the last omitted part is
 * refused. Its forms are remembered if no query with them has succeeded; otherwise the values of this part are the reason,
 * and queries with other values do not change.
 */
export class RefusedParts {
  /** When each text is forgotten. */
  private readonly texts = new BoundedCache<string, number>(MAX_ENTRIES)
  /** Forms that the service refuses together. */
  private readonly combinations = new Map<string, RefusedForms>()
  /** Forms of queries that have succeeded. */
  private readonly proven = new Set<string>()
  /** The parts that a call has omitted, by set. */
  private readonly omitted = new WeakMap<ProviderCall, Map<string, QueryPart[]>>()

  /** Returns true unless the service has refused the part, or its forms, recently. */
  accepts({ text, forms }: QueryPart): boolean {
    const now = performance.now()
    if (this.texts.size > 0 && (this.texts.get(text) ?? 0) > now) return false
    for (const [key, refused] of this.combinations) {
      if (refused.until <= now) this.combinations.delete(key)
      else if (refused.forms.every((form) => forms.has(form))) return false
    }
    return true
  }

  /** Notes that the service has evaluated a query of a set. */
  succeeded(set: string, parts: readonly QueryPart[], call: ProviderCall): void {
    for (const { forms } of parts)
      for (const form of forms) if (this.proven.size < MAX_ENTRIES) this.proven.add(form)
    const bySet = this.omitted.get(call)
    const omitted = bySet?.get(set)
    const culprit = omitted?.at(-1)
    if (culprit === undefined || parts.some(({ text }) => text === culprit.text)) return
    bySet?.delete(set)
    for (const other of omitted?.slice(0, -1) ?? []) this.texts.set(other.text, 0)
    this.remember(culprit)
  }

  /**
   * Notes that the service has refused a query of a set.
   *
   * @returns true if the call must repeat the query without a part that is now refused; false if the query itself is invalid
   */
  refuse(set: string, parts: readonly QueryPart[], call: ProviderCall): boolean {
    const search = parts.find(isSearch)
    const suspect =
      search === undefined || this.accepts(search)
        ? this.bySuspicion(parts.filter((part) => !isSearch(part) && this.accepts(part)))[0]
        : undefined
    const bySet = this.omitted.get(call) ?? new Map<string, QueryPart[]>()
    const omitted = bySet.get(set) ?? []
    if (suspect === undefined) {
      bySet.delete(set)
      for (const { text } of omitted) this.texts.set(text, 0)
      if (search !== undefined) this.remember(search)
      return false
    }
    this.omitted.set(call, bySet.set(set, [...omitted, suspect]))
    // Until the repeated query succeeds, only queries with the same values are affected.
    this.texts.set(suspect.text, performance.now() + FORGET_MS)
    return true
  }

  private remember({ forms }: QueryPart): void {
    const unproven = this.unproven(forms)
    if (unproven.length === 0 || this.combinations.size >= MAX_ENTRIES) return
    this.combinations.set(unproven.join(), { forms: unproven, until: performance.now() + FORGET_MS })
  }

  private unproven(forms: Iterable<string>): readonly string[] {
    return [...forms].filter((form) => !this.proven.has(form)).sort()
  }

  private bySuspicion(parts: readonly QueryPart[]): readonly QueryPart[] {
    const weight = ({ forms }: QueryPart): number => {
      const rank = ranks.findIndex((isOfRank) => [...forms].some(isOfRank))
      const common = rank === -1 ? ranks.length : rank
      return this.unproven(forms).length > 0 ? common : common + ranks.length + 1
    }
    return [...parts].sort((a, b) => weight(a) - weight(b) || b.forms.size - a.forms.size)
  }
}

function isSearch({ forms }: QueryPart): boolean {
  return forms.has(SEARCH)
}
