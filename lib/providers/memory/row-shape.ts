import type { EntityType, Property, StructuralType } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../edm/primitive-types/primitive-types.js'
import { didYouMean } from '../../errors/suggestions.js'
import { isRecord } from '../../util/is-record.js'
import type { DataFaults } from './data-faults.js'
import { describeValue, expectedValue, storedValue } from './stored-value.js'

/** A row while it is made; afterwards nobody changes it. */
export type NewRow = Record<string, unknown>

/** An object that the user wrote. Only its own members count: `constructor` is a name like any other. */
export type GivenObject = Readonly<Record<string, unknown>>

interface Member {
  readonly name: string
  /** The value that the store holds for what was given; undefined stands for nothing given. */
  readonly store: (value: unknown, place: string, faults: DataFaults) => unknown
}

/**
 * How objects of one structural type are stored: every property of the model in its order, null for what is
 * missing. All objects of a type are built alike, so that the engine reads them fast.
 */
export class RowShape {
  private readonly members: readonly Member[]
  private readonly known: ReadonlySet<string>
  /** Copied for each row: a property is never added to a row later, be its name `__proto__`. */
  private readonly template: NewRow

  /** @param others names that may stand beside the properties */
  constructor(
    private readonly type: StructuralType,
    others: readonly string[] = [],
  ) {
    this.members = type.properties.map((property) => memberOf(property))
    this.known = new Set([...type.properties.map(({ name }) => name), ...others])
    this.template = Object.fromEntries(this.members.map(({ name }) => [name, null]))
  }

  /** A complete copy of an object. What is wrong with it is reported, and null in the copy. */
  store(given: GivenObject, place: string, faults: DataFaults): NewRow {
    for (const name of Object.keys(given)) {
      if (!this.known.has(name)) faults.add(place, this.unknownName(name))
    }
    const row = { ...this.template }
    for (const { name, store } of this.members) {
      row[name] = store(ownMember(given, name), place, faults)
    }
    return row
  }

  private unknownName(name: string): string {
    return `'${this.type.qualifiedName}' has no property '${name}'.${didYouMean(name, this.known)}`
  }
}

/** The shape of the rows of an entity type: links, `$type` and `$media` may stand beside the properties. */
export function entityShape(type: EntityType): RowShape {
  return new RowShape(type, [...type.navigationProperties.map(({ name }) => name), '$type', '$media'])
}

/** A member that an object has itself; what it inherits from its prototype does not count. */
export function ownMember(given: GivenObject, name: string): unknown {
  return Object.hasOwn(given, name) ? given[name] : undefined
}

function memberOf(property: Property): Member {
  const { name, type } = property
  if (isPrimitive(type)) return { name, store: primitiveMember(property, type) }
  const shape = new RowShape(type)
  return {
    name,
    // A complex property is never null itself; its members are.
    store(value, place, faults) {
      const inside = `${place}.${name}`
      if (value !== undefined && value !== null && !isRecord(value)) {
        faults.add(inside, `${describeValue(value)} is no ${type.qualifiedName}. Write an object.`)
      }
      return shape.store(isRecord(value) ? value : {}, inside, faults)
    },
  }
}

function primitiveMember(property: Property, type: PrimitiveTypeName): Member['store'] {
  const { name, defaultValue } = property
  const standard = defaultValue === undefined ? null : primitiveTypes[type].parse(defaultValue)
  return (value, place, faults) => {
    if (value === null) return null
    if (value === undefined) return standard
    const stored = storedValue(type, value)
    if (stored !== undefined) return stored
    faults.add(`${place}.${name}`, `${describeValue(value)} is no ${type}. Write ${expectedValue[type]}.`)
    return null
  }
}
