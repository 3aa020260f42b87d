import type { Operand } from '../../edm/primitive-types/primitive-type.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'

/** One way to call a function. */
export interface Signature {
  readonly parameters: readonly PrimitiveTypeName[]
  readonly result: PrimitiveTypeName
  /** True when the last parameter may be repeated. */
  readonly variadic?: boolean
  /** Never called with null: a null argument makes the result null before. */
  evaluate(...operands: Operand[]): Operand
}

/** The signatures of a function; the first one that the arguments fit is taken. */
export type CanonicalFunction = readonly Signature[]
