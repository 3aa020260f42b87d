import type { NavigationProperty, Property } from '../edm/edm-model.js'
import { convertKey } from '../edm/convert-key.js'
import { keyShape, keyText } from '../evaluation/key-text.js'
import type { Row } from '../evaluation/row.js'
import { memberOf } from '../evaluation/row.js'
import type { Expression } from '../query/expression.js'
import { conjunction, equalTo } from '../query/expression.js'
import { required } from '../util/required.js'

/** Matches the entities at both ends of a navigation property that the service, not the provider, resolves. */
export interface Join {
  readonly targetProperties: readonly Property[]
  /** Returns the target keys that a source row refers to. A row with a list of keys refers to several. */
  valuesOf(row: Row): readonly Readonly<Record<string, unknown>>[]
}

/**
 * Creates the join of a navigation property. It uses the foreign key of the referential constraint. Without a
 * constraint, rows contain the keys of related entities in a member that is named after the navigation property.
 */
export function joinOf(navigation: NavigationProperty): Join {
  const constraint = navigation.association.referentialConstraint
  if (constraint === undefined) {
    return {
      targetProperties: navigation.targetType.key,
      valuesOf(row) {
        const keys = memberOf(row, navigation.name)
        if (keys === null || keys === undefined) return []
        return Array.isArray(keys) ? (keys as Row[]) : [keys as Row]
      },
    }
  }
  const toDependent = navigation.toEnd === constraint.dependent
  const source = toDependent ? constraint.principalProperties : constraint.dependentProperties
  const target = toDependent ? constraint.dependentProperties : constraint.principalProperties
  return {
    targetProperties: target,
    valuesOf(row) {
      // Assignment would not create a member named `__proto__`.
      return [
        Object.fromEntries(
          source.map((property, index) => {
            const other = required(target[index])
            return [other.name, convertKey(memberOf(row, property.name), property, other) ?? null]
          }),
        ),
      ]
    },
  }
}

/** Returns true if rows contain foreign keys, or keys of related entities. */
export function canJoin(navigation: NavigationProperty, rows: readonly Row[]): boolean {
  return (
    navigation.association.referentialConstraint !== undefined ||
    rows.some((row) => memberOf(row, navigation.name) !== undefined)
  )
}

/** Returns a function that formats the target key of a row as a string, so that keys can be compared. */
export function targetText({ targetProperties }: Join): (row: Row) => string | undefined {
  const { names, types } = keyShape(targetProperties)
  return (row) => keyText(row, names, types)
}

/** Builds the condition that a row has one of several keys. Returns undefined if there are no keys. */
export function joinCondition(
  properties: readonly Property[],
  values: readonly Row[],
): Expression | undefined {
  const conditions = values.flatMap((one) => {
    const equal = properties.map((property) => equalTo(property, memberOf(one, property.name)))
    return conjunction(equal) ?? []
  })
  return conjunction(conditions, 'or')
}
