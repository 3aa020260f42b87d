import type { PrimitiveType } from './primitive-type.js'

/**
 * How a type writes its literals.
 *
 * @param format the text of a value between the others
 */
export function literalForm(
  before: string,
  format: (value: unknown) => string,
  after: string,
): Pick<PrimitiveType, 'aroundLiteral' | 'formatLiteral'> {
  return {
    aroundLiteral: [before, after],
    formatLiteral: before === '' && after === '' ? format : (value) => before + format(value) + after,
  }
}
