import { randomUUID } from 'node:crypto'
import { emptyValue } from '../../evaluation/empty-value.js'
import type { EntitySet, EntityType, Property, StructuralType } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../edm/primitive-types/primitive-types.js'
import { didYouMean } from '../../errors/suggestions.js'
import { getOrCreate } from '../../util/get-or-create.js'
import { isRecord } from '../../util/is-record.js'
import { describeValue } from '../../util/describe-value.js'
import { formatDecimal } from '../../edm/primitive-types/decimal.js'
import { describedRanges, integerRanges } from '../../edm/primitive-types/integer.js'

/** A row before it is in its table. */
export type NewRow = Record<string, unknown>

/** An object of the application. Inherited members are ignored: `constructor` can be the name of a property. */
export type GivenObject = Readonly<Record<string, unknown>>

const MAX_LISTED_ERRORS = 20

/** Collects the errors in data, so that one exception reports all of them. */
export class DataErrors {
  private readonly errors = new Set<string>()

  /**
   * @param path of the value: `Products[3].Price`
   * @param message one or more sentences
   */
  add(path: string, message: string): void {
    this.errors.add(`${path}: ${message}`)
  }

  /** @throws TypeError if there are errors */
  check(): void {
    const count = this.errors.size
    if (count === 0) return
    const lines = [...this.errors].slice(0, MAX_LISTED_ERRORS).map((error) => `- ${error}`)
    if (count > MAX_LISTED_ERRORS) lines.push(`- and ${count - MAX_LISTED_ERRORS} more`)
    const what = count === 1 ? 'an error' : `${count} errors`
    throw new TypeError(`The data of the memory provider has ${what}:\n${lines.join('\n')}`)
  }
}

interface Member {
  readonly name: string
  /** Converts a given value into the stored value. */
  readonly store: (value: unknown, path: string, errors: DataErrors) => unknown
}

/** Copies objects of a structural type into rows that have all properties in the order of the model. */
class RowShape {
  private readonly members: readonly Member[]
  private readonly names: ReadonlySet<string>
  /** Copied for each row, so that all rows have the same hidden class, and `__proto__` can be a property. */
  private readonly template: NewRow

  /**
   * @param others names that are accepted in addition to the properties
   * @param properties those of the type, and a generated ETag
   */
  constructor(
    private readonly type: StructuralType,
    others: readonly string[] = [],
    properties: readonly Property[] = type.properties,
  ) {
    this.members = properties.map((property) => memberOf(property))
    const names = properties.map(({ name }) => name)
    this.names = new Set([...names, ...others])
    this.template = Object.fromEntries(names.map((name) => [name, null]))
  }

  /** Returns a copy in which missing and invalid values are null. */
  store(given: GivenObject, path: string, errors: DataErrors): NewRow {
    for (const name of Object.keys(given)) {
      if (this.names.has(name)) continue
      errors.add(
        path,
        `'${this.type.qualifiedName}' has no property '${name}'.${didYouMean(name, this.names)}`,
      )
    }
    const row = { ...this.template }
    for (const { name, store } of this.members) {
      row[name] = store(ownMember(given, name), path, errors)
    }
    return row
  }
}

const shapes = new WeakMap<EntityType, RowShape>()

/** Copies an object into a row of an entity set. Members for links, `$type` and `$media` are accepted and left out. */
export function toRow(
  given: GivenObject,
  type: EntityType,
  { entityType }: EntitySet,
  path: string,
  errors: DataErrors,
): NewRow {
  const shape = getOrCreate(shapes, type, () => {
    const links = type.navigationProperties.map(({ name }) => name)
    const properties = new Set([...type.properties, ...type.concurrencyTokens])
    return new RowShape(type, [...links, '$type', '$media'], [...properties])
  })
  const row = shape.store(given, path, errors)
  return type === entityType ? row : { $type: type.qualifiedName, ...row }
}

/** Returns the value of a member that is not inherited. */
export function ownMember(given: GivenObject, name: string): unknown {
  return Object.hasOwn(given, name) ? given[name] : undefined
}

function memberOf(property: Property): Member {
  const { name, type } = property
  if (isPrimitive(type)) return { name, store: primitiveMember(property, type) }
  const shape = new RowShape(type)
  return {
    name,
    // A complex property is never null, only its members are.
    store(value, path, errors) {
      const inside = `${path}.${name}`
      if (value !== undefined && value !== null && !isRecord(value)) {
        errors.add(inside, `${describeValue(value)} is not a ${type.qualifiedName}. Expected an object.`)
      }
      return shape.store(isRecord(value) ? value : {}, inside, errors)
    },
  }
}

function primitiveMember(property: Property, type: PrimitiveTypeName): Member['store'] {
  const { name, nullable, isKey, defaultValue, computedDefaultValue, precision } = property
  const initial = defaultValue === undefined ? null : primitiveTypes[type].parse(defaultValue)
  const isMade = computedDefaultValue === true && initial === null && !nullable && !isKey
  return (value, path, errors) => {
    if (value === null) return null
    if (value === undefined) return isMade ? generatedValue(type, precision) : initial
    const stored = storedValue(type, value)
    if (stored === undefined) errors.add(`${path}.${name}`, describeInvalid(type, value))
    return stored ?? null
  }
}

function generatedValue(type: PrimitiveTypeName, precision: number | undefined): unknown {
  return type === 'Edm.Guid' ? randomUUID() : emptyValue(type, precision)
}

/**
 * Normalizes a value for storage: Int64 as bigint, Decimal as digits, points in time as Date, or as an ISO string if a
 * Date would lose precision. Dates and bytes are copied.
 *
 * @returns undefined if the value is not valid for the type
 */
export function storedValue(type: PrimitiveTypeName, value: unknown): unknown {
  const { toOperand, toValue } = primitiveTypes[type]
  const operand = toOperand(value)
  if (operand === undefined) return undefined
  switch (type) {
    case 'Edm.Decimal':
      return formatDecimal(value)
    case 'Edm.Binary':
      return new Uint8Array(operand as Uint8Array)
    case 'Edm.Byte':
    case 'Edm.SByte':
    case 'Edm.Int16':
    case 'Edm.Int32': {
      const [min, max] = integerRanges[type]
      const number = Number(operand)
      // Adding zero turns -0 into 0.
      return number >= min && number <= max ? number + 0 : undefined
    }
    default:
      return toValue(operand)
  }
}

const acceptedValues: Readonly<Record<PrimitiveTypeName, string>> = {
  ...describedRanges,
  'Edm.Binary': 'a Uint8Array',
  'Edm.Boolean': 'true or false',
  'Edm.DateTime': "a Date or an ISO string such as '2012-05-29T09:13:28'",
  'Edm.DateTimeOffset': "a Date or an ISO string such as '2012-05-29T09:13:28+02:00'",
  'Edm.Decimal': "a string of digits such as '2.50', or a number",
  'Edm.Double': 'a number',
  'Edm.Guid': "a string such as '12345678-aaaa-bbbb-cccc-ddddeeeeffff'",
  'Edm.Int64': 'a bigint, a safe integer or a string of digits',
  'Edm.Single': 'a number',
  'Edm.String': 'a string',
  'Edm.Time': "a string such as '09:13:28'",
}

/** Returns the error message for a value that is not valid for a type. */
export function describeInvalid(type: PrimitiveTypeName, value: unknown): string {
  return `${describeValue(value)} is not a valid ${type}. Expected ${acceptedValues[type]}.`
}
