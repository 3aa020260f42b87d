import type { EntitySet, EntityType, NavigationProperty } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { isSameValue } from '../evaluation/write-values.js'
import type { Expression } from '../query/expression.js'
import { forEachPath } from '../query/expression.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'

/** Throws when the caller may not insert an entity as it is stored, with the values that its store has generated. */
export type InsertCheck = (stored: Row) => Promise<void>

/** The result of authorizing an insert. */
export interface AuthorizedInsert {
  /** Undefined without `authorize`, and if the insert cannot be rolled back. */
  check?: InsertCheck | undefined
}

/** Creates the check whether an entity meets the conditions of the caller. */
export function insertCheck(
  { path }: EntitySet,
  meets: (entity: Row) => PromiseOrValue<boolean>,
): InsertCheck {
  return async (entity) => {
    if (await meets(entity)) return
    throw new ODataError('Forbidden', { message: `This entity cannot be inserted into '${path}'.` })
  }
}

/**
 * Returns true if conditions depend on values that a new entity does not have yet, because its store generates them: only
 * the stored entity can be checked.
 */
export function dependOnAbsent(conditions: readonly Expression[], entity: Row): boolean {
  let isAbsent = false
  const isMissing = (owner: unknown, name: string): boolean =>
    typeof owner === 'object' && owner !== null && !Object.hasOwn(owner, name)
  for (const condition of conditions) {
    forEachPath(condition, (path) => {
      let owner: unknown = entity
      for (const step of path.steps) {
        if (step.kind === 'TypeCast') continue
        if (step.kind === 'Navigation') {
          const { association, fromEnd } = step.navigation
          const { dependent, dependentProperties = [] } = association.referentialConstraint ?? {}
          isAbsent ||=
            dependent === fromEnd && dependentProperties.some(({ name }) => isMissing(entity, name))
          return
        }
        isAbsent ||= isMissing(owner, step.property.name)
        owner = (owner as Row | null | undefined)?.[step.property.name]
      }
      if (path.kind === 'PropertyPath') isAbsent ||= isMissing(owner, path.property.name)
    })
  }
  return isAbsent
}

/** @throws ODataError BadRequest when a body links the entity to another one than it is reached from */
export function checkSameSource(
  type: EntityType,
  { name: navigation }: NavigationProperty,
  ownForeignKey: Row,
  foreignKey: Row,
): void {
  for (const [name, value] of Object.entries(foreignKey)) {
    const property = type.property(name)
    if (property === undefined || !Object.hasOwn(ownForeignKey, name)) continue
    if (!isSameValue(property, ownForeignKey[name], value)) {
      throw new ODataError('BadRequest', {
        message: `'${navigation}' must link the entity that the new entity is inserted from.`,
      })
    }
  }
}
