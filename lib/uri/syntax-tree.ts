/**
 * The syntax of expressions and paths in URIs, independent of the model. Every node has its start position, so that
 * later errors can point there.
 */

/** The lexical form of a literal. It does not determine the type: `5` can become any number. */
export type LiteralForm =
  | 'Null'
  | 'Boolean'
  /** Digits without suffix. */
  | 'Integer'
  /** Digits with a point or an exponent, without suffix. */
  | 'Real'
  | 'Int64'
  | 'Decimal'
  | 'Double'
  | 'Single'
  | 'String'
  | 'Guid'
  | 'Binary'
  | 'DateTime'
  | 'DateTimeOffset'
  | 'Time'
  /** A JavaScript value that an application put into a filter; it has no text. */
  | 'Value'

export interface LiteralSyntax {
  readonly kind: 'Literal'
  readonly form: LiteralForm
  /** The text without quotes, prefix and suffix. Doubled quotes are single. */
  readonly text: string
  readonly position: number
  /** The value of a literal of the form `Value`. */
  readonly value?: unknown
}

/** Names joined by `/`. */
export interface PathSyntax {
  readonly kind: 'Path'
  readonly names: readonly string[]
  readonly position: number
  /** A call that returns an entity, before the path: `cast('NW.Person')/Email`. */
  readonly root?: CallSyntax | undefined
}

export interface CallSyntax {
  readonly kind: 'Call'
  readonly name: string
  readonly arguments: readonly ExpressionSyntax[]
  readonly position: number
}

type UnaryOperator = 'not' | '-'

export interface UnarySyntax {
  readonly kind: 'Unary'
  readonly operator: UnaryOperator
  readonly operand: ExpressionSyntax
  readonly position: number
}

export type BinaryOperator =
  'or' | 'and' | 'eq' | 'ne' | 'lt' | 'gt' | 'le' | 'ge' | 'add' | 'sub' | 'mul' | 'div' | 'mod'

export interface BinarySyntax {
  readonly kind: 'Binary'
  readonly operator: BinaryOperator
  readonly left: ExpressionSyntax
  readonly right: ExpressionSyntax
  /** The position of the operator. */
  readonly position: number
}

export type ExpressionSyntax = LiteralSyntax | PathSyntax | CallSyntax | UnarySyntax | BinarySyntax

export interface OrderBySyntax {
  readonly expression: ExpressionSyntax
  readonly descending: boolean
}

/** One path of `$expand` or `$select`. `*` is a name too. */
export interface NamePathSyntax {
  readonly names: readonly string[]
  readonly position: number
}

/** The parentheses after a name: `()`, `(1)` or `(OrderID=1,No=2)`. */
export interface KeyPredicateSyntax {
  readonly values: readonly KeyValueSyntax[]
}

export interface KeyValueSyntax {
  readonly name?: string | undefined
  readonly literal: LiteralSyntax
}

export interface PathSegmentSyntax {
  readonly name: string
  readonly key?: KeyPredicateSyntax | undefined
}
