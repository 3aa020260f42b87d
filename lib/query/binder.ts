import type { EdmModel, EntitySet, EntityType } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import type { ExpressionSyntax } from '../uri/syntax-tree.js'
import type { Expression, Literal } from './expression.js'

/** The entity type to which the names of an expression refer. */
export interface BindingScope {
  readonly model: EdmModel
  readonly entitySet: EntitySet
  /** The type of the entities, which may be derived from that of the set. */
  readonly entityType: EntityType
}

/** Binds the parts of one expression. The interface of the expression binder for the rules of calls and casts. */
export interface Binder {
  readonly scope: BindingScope
  bind(syntax: ExpressionSyntax): Expression
  /**
   * Converts a number without suffix, or a value of the application, to a literal of the expected type; undefined for
   * everything else and for invalid values of that type.
   */
  literalFor(syntax: ExpressionSyntax, type: PrimitiveTypeName): Literal | undefined
  /** Creates an error with the position of a node. */
  error(message: string, node: { readonly position: number }): Error
}
