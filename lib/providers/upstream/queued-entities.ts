import { randomUUID } from 'node:crypto'
import type { EntityType, NavigationProperty } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { ODataError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'

/** An entity that a change set inserts. */
interface QueuedEntity {
  /** The id of its request in the batch. */
  readonly id: string
  readonly row: Row
  readonly key: Row
  /** True if the service generates the key, so that `key` is a stand-in. */
  readonly isGenerated: boolean
}

/** The collection that a new entity is inserted into, and its values without those that follow from it. */
interface Collection {
  readonly path: string
  readonly values: Row
}

/** The model of an upstream service, as far as references to new entities need it. */
export interface QueueModel {
  /** @param set path of the entity set */
  entityType(set: string): EntityType
  /** Returns the key of an entity in parentheses. @returns undefined for a key that no entity can have */
  keyPredicate(set: string, key: Row): string | undefined
  /** Returns the name of a navigation property in the service; undefined if it has none. */
  navigationName(navigation: NavigationProperty): string | undefined
}

/**
 * The entities that a change set inserts, to which its later changes refer. As long as the service has not generated a key,
 * a stand-in identifies the entity in URLs of the V2 service; the batch contains a reference instead: `$1`.
 */
export class QueuedEntities {
  private readonly entities = new Map<string, QueuedEntity>()

  constructor(private readonly model: QueueModel) {}

  /** Adds an entity. @returns its key; undefined if there is no stand-in for the generated part */
  add(set: string, row: Row, id: string): Row | undefined {
    const properties = this.model.entityType(set).key
    const key: Record<string, unknown> = {}
    let isGenerated = false
    for (const { name, type } of properties) {
      const given = row[name] ?? undefined
      isGenerated ||= given === undefined
      key[name] = given ?? (isPrimitive(type) ? standIn(type, this.entities.size) : undefined)
      if (key[name] === undefined) return undefined
    }
    const predicate = this.model.keyPredicate(set, key)
    if (predicate !== undefined)
      this.entities.set(set + predicate, { id, row: { ...row, ...key }, key, isGenerated })
    return key
  }

  /** Returns an entity as the change set inserts it; undefined for other entities. */
  row(set: string, key: Row): Row | undefined {
    return this.find(set, key)?.row
  }

  /** Returns the reference to an entity that the change set inserts: `$1`. Services may make other changes concurrently. */
  reference(set: string, key: Row): string | undefined {
    const entity = this.find(set, key)
    return entity && `$${entity.id}`
  }

  /**
   * Returns the collection of an entity whose key the service generates, to insert another entity that refers to it.
   *
   * @param values of the new entity
   * @returns undefined if it refers to no such entity
   * @throws ODataError NotImplemented if the reference cannot be expressed
   */
  collectionFor(set: string, values: Row): Collection | undefined {
    const found = this.referencesOf(set, values)
    const [first, second] = found
    if (first === undefined) return undefined
    const { entity, navigation, names } = first
    const { partner } = navigation
    const name = partner?.isCollection === true ? this.model.navigationName(partner) : undefined
    if (name === undefined || second !== undefined) throw notExpressible()
    const others = Object.entries(values).filter(([member]) => !names.includes(member))
    return { path: `$${entity.id}/${encodeURIComponent(name)}`, values: Object.fromEntries(others) }
  }

  /** @throws ODataError NotImplemented if values refer to an entity whose key the service generates */
  checkValues(set: string, values: Row): void {
    if (this.referencesOf(set, values).length > 0) throw notExpressible()
  }

  private referencesOf(
    set: string,
    values: Row,
  ): { readonly entity: QueuedEntity; readonly navigation: NavigationProperty; readonly names: string[] }[] {
    const generated = [...this.entities.values()].filter(({ isGenerated }) => isGenerated)
    if (generated.length === 0) return []
    return this.model.entityType(set).navigationProperties.flatMap((navigation) => {
      const constraint = navigation.association.referentialConstraint
      if (constraint?.dependent !== navigation.fromEnd) return []
      const names = constraint.dependentProperties.map(({ name }) => name)
      const entity = generated.find(({ row }) =>
        constraint.principalProperties.every(({ name }, index) => {
          const value = values[names[index] ?? '']
          return value !== undefined && value === row[name]
        }),
      )
      return entity === undefined ? [] : [{ entity, navigation, names }]
    })
  }

  private find(set: string, key: Row): QueuedEntity | undefined {
    if (this.entities.size === 0) return undefined
    const predicate = this.model.keyPredicate(set, key)
    return predicate === undefined ? undefined : this.entities.get(set + predicate)
  }
}

function notExpressible(): ODataError {
  return new ODataError('NotImplemented', {
    message:
      'The upstream service generates the key of an entity that this change refers to. Send the change after the change set, or choose the key.',
  })
}

/** Returns a value that no entity has. */
function standIn(type: PrimitiveTypeName, index: number): unknown {
  switch (type) {
    case 'Edm.Guid':
      return randomUUID()
    case 'Edm.String':
      return `$${randomUUID()}`
    case 'Edm.Int32':
      return -2_147_483_648 + index
    case 'Edm.Int64':
      return String(-9_223_372_036_854_775_808n + BigInt(index))
    default:
      return undefined
  }
}
