import type { Operand } from '../../edm/primitive-types/primitive-type.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'

/** A signature of a function. */
export interface Signature {
  readonly parameters: readonly PrimitiveTypeName[]
  readonly result: PrimitiveTypeName
  /** True if the last parameter can be repeated. */
  readonly variadic?: boolean
  /** Evaluates the function. Never called with null, because the result is null if an argument is null. */
  evaluate(...operands: Operand[]): Operand
}

/** The signatures of a function. The first one that matches the arguments is used. */
export type CanonicalFunction = readonly Signature[]
