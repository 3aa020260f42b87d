import type { V4PropertyMapping } from '../../../csdl/v4/v4-mapping.js'
import type { OrderTerm, SeekPlace } from '../../upstream/query-translator.js'
import { v4Literal } from '../v4-literals.js'

type Term = OrderTerm & { readonly property: V4PropertyMapping; readonly isNullable: boolean }

/** Returns the conditions for values after one, and for the same value. @returns undefined if the service has no literal for it */
export function v4SeekPlace(term: Term, value: unknown): SeekPlace | undefined {
  // All fraction digits of a value that the service has sent are needed to find its place.
  const literal = v4Literal(value, { ...term.property, precision: 7 }, true)
  return literal === undefined
    ? undefined
    : { after: conditionAfter(term, literal), same: `${term.text} eq ${literal}` }
}

function conditionAfter({ text, descending, isNullable }: Term, literal: string): string | undefined {
  if (literal === 'null') return descending ? undefined : `${text} ne null`
  if (!descending) return `${text} gt ${literal}`
  return isNullable ? `(${text} lt ${literal} or ${text} eq null)` : `${text} lt ${literal}`
}
