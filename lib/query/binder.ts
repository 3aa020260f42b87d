import type { EdmModel, EntitySet, EntityType } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import type { ExpressionSyntax } from '../uri/syntax-tree.js'
import type { Expression } from './expression.js'

/** What the names of an expression refer to. */
export interface BindingScope {
  readonly model: EdmModel
  readonly entitySet: EntitySet
  /** The type of the entities, which may be derived from that of the set. */
  readonly entityType: EntityType
}

/** Resolves the parts of one expression; what the rules for calls and casts need to know of the whole. */
export interface Binder {
  readonly scope: BindingScope
  bind(syntax: ExpressionSyntax): Expression
  /** An operand for a place where a type is needed: a number without suffix becomes just that type. */
  bindFor(syntax: ExpressionSyntax, type: PrimitiveTypeName): Expression
  /** An error at the place of a node. */
  error(message: string, node: { readonly position: number }): Error
}
