import type { SeekPosition } from '../../../query/entity-query.js'
import { v4Literal } from '../v4-literals.js'
import type { V4OrderKey } from './v4-condition.js'

/** A term of an order in the V4 service. */
export interface V4OrderTerm extends V4OrderKey {
  readonly descending: boolean
}

/**
 * Returns the condition for entities after a position. Null is less than every other value.
 *
 * @returns undefined if the service has no literal for a value
 */
export function v4SeekCondition(terms: readonly V4OrderTerm[], position: SeekPosition): string | undefined {
  let further: string | undefined
  for (const [index, term] of [...terms.entries()].reverse()) {
    const value = position[index]
    // All fraction digits of a value that the service has sent are needed to find its place.
    const property = { ...term.property, precision: 7 }
    const literal = v4Literal(value, property, true)
    if (literal === undefined) return undefined
    const after = conditionAfter(term, literal)
    const same = `${term.text} eq ${literal}`
    if (further === undefined) further = after ?? 'false'
    else further = after === undefined ? `(${same} and ${further})` : `(${after} or (${same} and ${further}))`
  }
  return further === 'false' ? undefined : further
}

/** Returns the condition for values after one; undefined if every value precedes it or equals it. */
function conditionAfter({ text, descending, isNullable }: V4OrderTerm, literal: string): string | undefined {
  if (literal === 'null') return descending ? undefined : `${text} ne null`
  if (!descending) return `${text} gt ${literal}`
  return isNullable ? `(${text} lt ${literal} or ${text} eq null)` : `${text} lt ${literal}`
}
