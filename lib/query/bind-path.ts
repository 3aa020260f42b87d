import type { EntitySet, EntityType, Property, StructuralType, EdmModel } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import { targetTypeOf } from '../edm/model-view.js'
import { didYouMean } from '../errors/suggestions.js'
import { computedExpression, expressionAt } from './computed-expression.js'
import type { EntityPath, Expression, PathStep, PropertyPath, Literal } from './expression.js'
import type { ODataErrorCode } from '../errors/error-codes.js'
import { required } from '../util/required.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import type { ExpressionSyntax } from '../uri/syntax-tree.js'

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

/**
 * Creates the error of a path. `index` is the position of the name in the path.
 *
 * @param unknown a name without a similar known name
 * @param code of the error, unless all errors of the expression have the same
 */
export type CreatePathError = (
  message: string,
  index: number,
  unknown?: string,
  code?: ODataErrorCode,
) => Error

/** The current position in a path. */
interface PathPosition {
  readonly steps: PathStep[]
  type: StructuralType
  /** The current entity. Undefined within a complex property, which has no navigation properties. */
  entity: { readonly type: EntityType; readonly set: EntitySet } | undefined
}

/**
 * Resolves names joined by `/`, each a navigation property to one entity, a complex property, or at the end a
 * simple property.
 *
 * @param root start of a path after a cast. Default: the entity itself
 */
export function bindPath(
  names: readonly string[],
  scope: BindingScope,
  createError: CreatePathError,
  root?: EntityPath,
): Expression {
  const position: PathPosition = {
    steps: [...(root?.steps ?? [])],
    type: root?.type ?? scope.entityType,
    entity: root ?? { type: scope.entityType, set: scope.entitySet },
  }
  for (const [index, name] of names.entries()) {
    const property = position.type.property(name)
    if (property !== undefined && isPrimitive(property.type)) {
      if (index + 1 < names.length)
        throw createError(`'${name}' is a simple property; nothing can follow it`, index + 1)
      const path: PropertyPath = {
        kind: 'PropertyPath',
        steps: position.steps,
        property,
        type: property.type,
      }
      return property.computed === undefined
        ? path
        : computedPath(path, position, (message, code) => createError(message, index, undefined, code))
    }
    if (property !== undefined) enterComplex(position, property)
    else navigate(position, name, (message, unknown) => createError(message, index, unknown))
  }
  if (position.entity === undefined) {
    const last = required(names.at(-1))
    throw createError(
      `'${last}' is a complex property, which cannot be compared; name one of its members`,
      names.length - 1,
    )
  }
  return { kind: 'EntityPath', steps: position.steps, type: position.entity.type, set: position.entity.set }
}

/** Replaces the path of a computed property by its expression. */
function computedPath(
  path: PropertyPath,
  { entity, steps }: PathPosition,
  createError: (message: string, code?: ODataErrorCode) => Error,
): Expression {
  const { computed = {}, name } = path.property
  if (computed.scan === true) return path
  if (entity === undefined || computed.expression === undefined) {
    throw createError(`'${name}' is computed after the entities are read`, 'QueryOptionNotAllowed')
  }
  const expression = computedExpression(entity.set, path.property)
  if (expression === undefined)
    throw createError(`the expression of '${name}' is invalid, or depends on itself`)
  const owner: EntityPath = { kind: 'EntityPath', steps, type: entity.type, set: entity.set }
  const replaced = expressionAt(expression, steps, owner, path)
  if (replaced !== undefined) return replaced
  throw createError(
    `'${name}' cannot follow a navigation property: its expression is not null if the related entity is missing`,
  )
}

function enterComplex(position: PathPosition, property: Property): void {
  position.steps.push({ kind: 'Complex', property })
  if (!isPrimitive(property.type)) position.type = property.type
  position.entity = undefined
}

function navigate(
  position: PathPosition,
  name: string,
  createError: (message: string, unknown?: string) => Error,
): void {
  const navigation = position.entity?.type.navigationProperty(name)
  if (position.entity === undefined || navigation === undefined)
    throw unknownName(name, position, createError)
  if (navigation.isCollection)
    throw createError(`'${name}' leads to many entities and cannot be part of an expression`)
  const target = position.entity.set.targetOf(navigation)
  if (target === undefined) throw createError(`the model does not define the entity set of '${name}'`)
  position.steps.push({ kind: 'Navigation', navigation, target })
  const type = targetTypeOf(position.entity.type, navigation)
  position.type = type
  position.entity = { type, set: target }
}

function unknownName(
  name: string,
  { type, entity }: PathPosition,
  createError: (message: string, unknown?: string) => Error,
): Error {
  const derived = entity?.type.derivedTypes.find((one) => one.property(name) ?? one.navigationProperty(name))
  if (derived !== undefined) {
    return createError(
      `'${name}' belongs to the derived type: write cast('${derived.qualifiedName}')/${name}`,
    )
  }
  const hint = didYouMean(name, namesOf(type, entity?.type))
  return createError(`'${type.name}' has no property '${name}'.${hint}`, hint === '' ? name : undefined)
}

/** Returns all names that can follow in a path. */
export function namesOf(type: StructuralType, entityType: EntityType | undefined): string[] {
  return [...type.properties, ...(entityType?.navigationProperties ?? [])].map(({ name }) => name)
}
