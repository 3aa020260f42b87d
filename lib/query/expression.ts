import type { EntitySet, EntityType, NavigationProperty, Property } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import type { BinaryOperator } from '../uri/syntax-tree.js'
import type { CanonicalFunctionName } from './canonical-functions/canonical-functions.js'

/**
 * An expression that is bound to a model: every name is resolved and every node has a type. Providers are offered
 * filters in this form, conjunct by conjunct.
 *
 * @spec MS-ODATA 2.2.3.6.1.1
 * @example
 * const columns = (expression: Expression): string[] =>
 *   expression.kind === 'PropertyPath'
 *     ? [expression.property.name]
 *     : expression.kind === 'Binary'
 *       ? [...columns(expression.left), ...columns(expression.right)]
 *       : []
 */
export type Expression = Literal | PropertyPath | EntityPath | Unary | Binary | Call | Cast | IsOf

/** The common members of all kinds of expressions. */
interface Substitutable {
  /** The path of the computed property that the expression replaces. */
  readonly origin?: PropertyPath | undefined
  /** The search that the condition evaluates. */
  readonly search?: SearchQuery | undefined
}

/**
 * The terms of the query option `search`. Entities match if each term occurs in at least one of the properties.
 *
 * @example
 * const searchesOwnProperties = ({ properties }: SearchQuery) => properties.every(({ steps }) => steps.length === 0)
 */
export interface SearchQuery {
  /** Words and phrases as the client wrote them, without quotes and surrounding asterisks. At least one. */
  readonly terms: readonly string[]
  /** The searched strings, such as `Name` or `Category/Name`: those that `search-focus` names and the caller may see. */
  readonly properties: readonly PropertyPath[]
}

/**
 * A literal value.
 *
 * @example
 * const literalOf = (operand: Expression): Literal['value'] =>
 *   operand.kind === 'Literal' ? operand.value : undefined
 */
export interface Literal extends Substitutable {
  readonly kind: 'Literal'
  /** Null for the literal `null`. */
  readonly type: PrimitiveTypeName | null
  /** The JavaScript value, as providers return and receive it. */
  readonly value: unknown
}

/**
 * One step of a path, before the property at its end.
 *
 * @example const followsLinks = (steps: readonly PathStep[]) => steps.some(({ kind }) => kind === 'Navigation')
 */
export type PathStep =
  | {
      readonly kind: 'Navigation'
      readonly navigation: NavigationProperty
      /** The target entity set of the navigation property. */
      readonly target: EntitySet
      /** A condition that selects the entities that the caller may see. Others are treated as missing. */
      readonly restriction?: Expression | undefined
      /**
       * True in the expression of a computed property. Entities of a set that the caller cannot read are then treated
       * as missing.
       */
      readonly isComputed?: boolean | undefined
    }
  | { readonly kind: 'Complex'; readonly property: Property }
  /** Only entities of this type go on; others are null. */
  | { readonly kind: 'TypeCast'; readonly type: EntityType }

/**
 * A simple property, also of a related entity or a complex property: `Category/Name`.
 *
 * @example const column = ({ steps, property }: PropertyPath) => (steps.length === 0 ? property.name : undefined)
 */
export interface PropertyPath extends Substitutable {
  readonly kind: 'PropertyPath'
  /** The steps before the property. Empty: a property of the entity itself. */
  readonly steps: readonly PathStep[]
  /** The property at the end of the path. */
  readonly property: Property
  /** The type of the property. */
  readonly type: PrimitiveTypeName
}

/**
 * A related entity, or the entity itself without steps. It can be compared with null, and its type can be tested.
 *
 * @example
 * const isRelated = (operand: Expression): operand is EntityPath =>
 *   operand.kind === 'EntityPath' && operand.steps.length > 0
 */
export interface EntityPath extends Substitutable {
  readonly kind: 'EntityPath'
  /** The navigation properties and casts of the path. Empty: the entity itself. */
  readonly steps: readonly PathStep[]
  /** The type of the entity. */
  readonly type: EntityType
  /** The set that the entity belongs to. */
  readonly set: EntitySet
}

/**
 * `not` of a condition, or the negative of a number.
 *
 * @example
 * const isNegation = (condition: Expression): condition is Unary =>
 *   condition.kind === 'Unary' && condition.operator === 'not'
 */
export interface Unary extends Substitutable {
  readonly kind: 'Unary'
  /** `not`, or `-` for the negative of a number. */
  readonly operator: 'not' | '-'
  /** The condition or number. */
  readonly operand: Expression
  /** The type of the result. */
  readonly type: PrimitiveTypeName
}

/**
 * A comparison, `and`, `or`, or arithmetic.
 *
 * @example
 * const isEquality = (condition: Expression): condition is Binary =>
 *   condition.kind === 'Binary' && condition.operator === 'eq'
 */
export interface Binary extends Substitutable {
  readonly kind: 'Binary'
  /** The operator as in `$filter`: `eq`, `and`, `add`. */
  readonly operator: BinaryOperator
  /** The left operand. */
  readonly left: Expression
  /** The right operand. */
  readonly right: Expression
  /** The type to which both sides are converted. Null if a side is the literal `null` or an entity. */
  readonly operandType: PrimitiveTypeName | null
  /** The type of the result. */
  readonly type: PrimitiveTypeName
}

/**
 * A call of a canonical function: `startswith(Name,'G')`.
 *
 * @example
 * const isPrefixSearch = (condition: Expression): condition is Call =>
 *   condition.kind === 'Call' && condition.name === 'startswith'
 */
export interface Call extends Substitutable {
  readonly kind: 'Call'
  /** The name of the function in lower case. */
  readonly name: CanonicalFunctionName
  /** The arguments in the order of the call. */
  readonly arguments: readonly Expression[]
  /** The type to which each argument is converted. */
  readonly parameterTypes: readonly PrimitiveTypeName[]
  /** The type of the result. */
  readonly type: PrimitiveTypeName
}

/**
 * Conversion of a simple value. Casts of entities are steps of paths.
 *
 * @example
 * const toSql = ({ type }: Cast, operand: string) =>
 *   type === 'Edm.Int32' ? `cast(${operand} as integer)` : undefined
 */
export interface Cast extends Substitutable {
  readonly kind: 'Cast'
  /** The converted value. */
  readonly operand: Expression
  /** The type of the result. */
  readonly type: PrimitiveTypeName
}

/**
 * The function `isof`: true if a value or entity has a type.
 *
 * @example const testsEntity = ({ testedType }: IsOf) => typeof testedType !== 'string'
 */
export interface IsOf extends Substitutable {
  readonly kind: 'IsOf'
  /** The tested value or entity. */
  readonly operand: Expression
  /** The type that is tested for. */
  readonly testedType: PrimitiveTypeName | EntityType
  /** The type of the result. */
  readonly type: 'Edm.Boolean'
}

/**
 * One term of `$orderby`.
 *
 * @example
 * const toSql = ({ expression, descending }: OrderByTerm) =>
 *   expression.kind === 'PropertyPath'
 *     ? `"${expression.property.name}"${descending ? ' desc' : ''}`
 *     : undefined
 */
export interface OrderByTerm {
  /** The values to sort by. Null is less than every other value. */
  readonly expression: Expression
  /** True for `desc`. */
  readonly descending: boolean
}

/**
 * Splits a filter into its conjuncts: `a and b and c` has three.
 *
 * @param expression a condition, of any form
 * @returns the parts in their order; a condition without `and` is the only part
 * @spec MS-ODATA 2.2.3.6.1.1
 * @example
 * const conditionsOf = ({ filter }: ReadQuery) => (filter === undefined ? [] : conjunctsOf(filter))
 */
export function conjunctsOf(expression: Expression): Expression[] {
  const conjuncts: Expression[] = []
  const pending = [expression]
  // Iterates, because a chain of `and` can have as many nodes as the limit allows.
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind === 'Binary' && next.operator === 'and') pending.push(next.right, next.left)
    else conjuncts.push(next)
  }
  return conjuncts
}

/** Returns a comparison, or a logical operation. @param operandType by default that of conditions */
export function conditionOf(
  operator: BinaryOperator,
  left: Expression,
  right: Expression,
  operandType: PrimitiveTypeName | null = 'Edm.Boolean',
): Binary {
  return { kind: 'Binary', operator, left, right, operandType, type: 'Edm.Boolean' }
}

/** Returns the condition that a property has a value, or is null. */
export function equalTo(property: Property, value: unknown): Binary {
  const type = property.type as PrimitiveTypeName
  const path: PropertyPath = { kind: 'PropertyPath', steps: [], property, type }
  return conditionOf('eq', path, { kind: 'Literal', type: value === null ? null : type, value }, type)
}

/**
 * Returns the conjunction of filters, or their disjunction; undefined without filters. The tree is balanced to limit the depth of recursive
 * functions.
 */
export function conjunction(
  filters: readonly Expression[],
  operator: 'and' | 'or' = 'and',
): Expression | undefined {
  if (filters.length < 2) return filters[0]
  const middle = Math.ceil(filters.length / 2)
  const left = conjunction(filters.slice(0, middle), operator)
  const right = conjunction(filters.slice(middle), operator)
  if (left === undefined || right === undefined) return left ?? right
  return conditionOf(operator, left, right)
}

/** Returns the expression with every path replaced. Restrictions of navigation steps are not entered. */
export function mapPaths<E extends Expression>(
  expression: E,
  map: <P extends PropertyPath | EntityPath>(path: P) => P,
): E {
  const { search } = expression
  const mapped = mapOperands(expression, map)
  return search === undefined
    ? mapped
    : { ...mapped, search: { ...search, properties: search.properties.map(map) } }
}

function mapOperands<E extends Expression>(
  expression: E,
  map: <P extends PropertyPath | EntityPath>(path: P) => P,
): E {
  const inside = <T extends Expression>(one: T): T => mapPaths(one, map)
  const one: Expression = expression
  switch (one.kind) {
    case 'Literal':
      return expression
    case 'PropertyPath':
    case 'EntityPath':
      return map(one) as typeof expression
    case 'Unary':
    case 'Cast':
    case 'IsOf':
      return { ...expression, operand: inside(one.operand) }
    case 'Binary':
      return { ...expression, left: inside(one.left), right: inside(one.right) }
    case 'Call':
      return { ...expression, arguments: one.arguments.map(inside) }
  }
}

/** Calls a function for every path in an expression of a client. Computed properties are not replaced. */
export function forEachNamedPath(
  expression: Expression,
  visit: (path: PropertyPath | EntityPath) => void,
): void {
  forEachPath(expression, visit, true)
}

/**
 * Calls a function for every path in an expression. Restrictions of navigation steps are not entered: their paths start
 * at other entities.
 */
export function forEachPath(
  expression: Expression,
  visit: (path: PropertyPath | EntityPath) => void,
  isNamed = false,
): void {
  if (isNamed && expression.origin !== undefined) {
    visit(expression.origin)
    return
  }
  switch (expression.kind) {
    case 'Literal':
      return
    case 'PropertyPath':
    case 'EntityPath':
      visit(expression)
      return
    case 'Unary':
    case 'Cast':
    case 'IsOf':
      forEachPath(expression.operand, visit, isNamed)
      return
    case 'Binary':
      forEachPath(expression.left, visit, isNamed)
      forEachPath(expression.right, visit, isNamed)
      return
    case 'Call':
      for (const argument of expression.arguments) forEachPath(argument, visit, isNamed)
  }
}

/** Formats a path without casts: `Customer/Address/Zip`. */
export function textOfPath(path: PropertyPath | EntityPath): string {
  const names = path.steps.flatMap(nameOf)
  return (path.kind === 'PropertyPath' ? [...names, path.property.name] : names).join('/')
}

function nameOf(step: PathStep): string[] {
  switch (step.kind) {
    case 'Navigation':
      return [step.navigation.name]
    case 'Complex':
      return [step.property.name]
    case 'TypeCast':
      return []
  }
}
