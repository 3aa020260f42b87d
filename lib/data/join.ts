import type { EntityType, NavigationProperty, Property } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { keyShape, keyText } from '../evaluation/key-text.js'
import type { Row } from '../evaluation/row.js'
import { memberOf } from '../evaluation/row.js'
import type { Expression } from '../query/expression.js'

/**
 * How entities on both sides of a navigation property are matched when a provider cannot follow it itself: values
 * that a source has must be found in properties of the target.
 */
export interface Join {
  readonly targetProperties: readonly Property[]
  /** For a source row the values to look for: none, one, or for a list of keys several. */
  valuesOf(row: Row): readonly Readonly<Record<string, unknown>>[]
}

/**
 * The join of a navigation property: over the foreign key of a referential constraint, or over the keys that rows
 * hold in a member with the name of the navigation property.
 */
export function joinOf(navigation: NavigationProperty): Join {
  const constraint = navigation.association.referentialConstraint
  if (constraint === undefined) return keysInRow(navigation, navigation.targetType)
  const toDependent = navigation.toEnd === constraint.dependent
  const source = toDependent ? constraint.principalProperties : constraint.dependentProperties
  const target = toDependent ? constraint.dependentProperties : constraint.principalProperties
  return {
    targetProperties: target,
    valuesOf(row) {
      // Not assigned one by one: a member named `__proto__` would not become one.
      return [
        Object.fromEntries(
          source.map((property, index) => [target[index]?.name ?? '', memberOf(row, property.name)]),
        ),
      ]
    },
  }
}

/** True when a row tells by itself, or by a foreign key, what it is related to. */
export function canJoin(navigation: NavigationProperty, rows: readonly Row[]): boolean {
  return (
    navigation.association.referentialConstraint !== undefined ||
    rows.some((row) => memberOf(row, navigation.name) !== undefined)
  )
}

function keysInRow(navigation: NavigationProperty, target: EntityType): Join {
  return {
    targetProperties: target.key,
    valuesOf(row) {
      const held = memberOf(row, navigation.name)
      if (held === null || held === undefined) return []
      return Array.isArray(held) ? (held as Row[]) : [held as Row]
    },
  }
}

/** The text by which {@link keyText} matches target rows. */
export function targetText({ targetProperties }: Join): (row: Row) => string | undefined {
  const { names, types } = keyShape(targetProperties)
  return (row) => keyText(row, names, types)
}

/** The condition that a target row has one of these values; undefined when nothing is looked for. */
export function joinCondition({ targetProperties }: Join, values: readonly Row[]): Expression | undefined {
  return balanced(
    values.map((one) =>
      balanced(
        targetProperties.map((property) => equals(property, memberOf(one, property.name))),
        'and',
      ),
    ),
    'or',
  )
}

function equals(property: Property, value: unknown): Expression {
  const type = property.type as PrimitiveTypeName
  return {
    kind: 'Binary',
    operator: 'eq',
    left: { kind: 'PropertyPath', steps: [], property, type },
    right: { kind: 'Literal', type, value },
    operandType: type,
    type: 'Edm.Boolean',
  }
}

/** Joins conditions in a tree that is no deeper than it must be: there may be thousands. */
function balanced(
  conditions: readonly (Expression | undefined)[],
  operator: 'and' | 'or',
): Expression | undefined {
  if (conditions.length <= 1) return conditions[0]
  const middle = conditions.length >> 1
  const left = balanced(conditions.slice(0, middle), operator)
  const right = balanced(conditions.slice(middle), operator)
  if (left === undefined || right === undefined) return left ?? right
  return { kind: 'Binary', operator, left, right, operandType: 'Edm.Boolean', type: 'Edm.Boolean' }
}
