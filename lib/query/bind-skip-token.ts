import type { EntityType } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { ODataError } from '../errors/odata-error.js'
import { errorAt } from '../errors/syntax-error.js'
import { parseSkipToken } from '../uri/parse-skip-token.js'
import type { LiteralSyntax } from '../uri/syntax-tree.js'
import { literalAs } from './bind-literal.js'
import type { SeekPosition } from './entity-query.js'
import { totalOrder } from './entity-query.js'
import type { OrderByTerm } from './expression.js'
import { isInteger } from './operator-types.js'

/**
 * The place in the order that a continuation token stands for: a value for each term of `$orderby` and then the key.
 *
 * @throws ODataError InvalidSystemQueryOption for a token that does not fit the order
 * @spec MS-ODATA 2.2.3.6.1.9
 */
export function bindSkipToken(text: string, orderBy: readonly OrderByTerm[], type: EntityType): SeekPosition {
  const literals = parseSkipToken(text)
  const terms = totalOrder(orderBy, type)
  if (literals.length !== terms.length) {
    throw invalid(`it must hold ${terms.length} values for this order, not ${literals.length}`)
  }
  return literals.map((literal, index) => {
    const type = terms[index]?.expression.type
    const expected = typeof type === 'string' ? type : null
    const value = seekValue(literal, expected)
    if (value === undefined) {
      const message = `$skiptoken: value ${index + 1} must be ${expected ?? 'null'}`
      throw errorAt(message, text, literal.position)
    }
    return value
  })
}

/** Undefined when the literal does not fit. */
function seekValue(literal: LiteralSyntax, type: PrimitiveTypeName | null): unknown {
  if (literal.form === 'Null') return null
  if (type === null) return undefined
  // Sums and products may be larger than the type that they nominally have.
  if (isInteger(type) && (literal.form === 'Integer' || (literal.form === 'Int64' && type === 'Edm.Int64'))) {
    const value = BigInt(literal.text)
    return type !== 'Edm.Int64' && Number.isSafeInteger(Number(value)) ? Number(value) : value
  }
  return literalAs(literal, type)?.value
}

function invalid(message: string): ODataError {
  return new ODataError('InvalidSystemQueryOption', { message: `$skiptoken: ${message}.` })
}
