import type { EdmModel, EntitySet, EntityType } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import type { ExpressionSyntax } from '../uri/syntax-tree.js'
import type { Expression, Literal } from './expression.js'

/** The type that the names of an expression refer to. */
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
  /**
   * Converts a number without suffix, or a value of the application, to a literal of the expected type; undefined for
   * everything else and for invalid values of that type.
   */
  literalFor(syntax: ExpressionSyntax, type: PrimitiveTypeName): Literal | undefined
  /** An error at the place of a node. */
  error(message: string, node: { readonly position: number }): Error
}
