import type { V4TypeMapping, V4ValueType } from '../../csdl/v4/v4-mapping.js'
import { setMember } from '../../evaluation/row.js'
import { parseDecimal } from '../../edm/decimal.js'
import { plainMilliseconds } from '../../edm/instant.js'
import { integerRanges } from '../../edm/primitive-types/integer.js'
import type { PrimitiveType } from '../../edm/primitive-types/primitive-type.js'
import { primitiveTypes } from '../../edm/primitive-types/primitive-types.js'
import { isPlainClock } from '../../edm/primitive-types/time.js'
import { base64Url, dateOf } from './v4-literals.js'
import { invalidContent, invalidValue } from '../upstream/upstream-errors.js'

/** A JSON object of the service, which becomes a row. */
type JsonObject = Record<string, unknown>

/** Converts a value of the JSON of the V4 service, other than null. @throws TypeError for an invalid value */
type FromJson = (value: unknown) => unknown

interface Member {
  /** The name in the JSON. */
  readonly from: string
  readonly to: string
  readonly type: V4ValueType
  readonly isKey: boolean
  /** Undefined if the value stays as it is. */
  readonly convert: FromJson | undefined
  /** Checks a value that stays as it is. */
  readonly check: Check | undefined
}

/** Converts entities of one type, and of derived types. Nothing is allocated for a row. */
class RowConverter {
  private readonly members: readonly Member[]

  constructor(
    private readonly type: V4TypeMapping,
    private readonly converters: RowConverters,
  ) {
    const key = converters.keyOf(type)
    this.members = [...type.properties].map(([name, property]) => ({
      from: property.name,
      to: name,
      type: property.type,
      isKey: key.has(name),
      convert: converters.fromJson(property.type),
      check: checkOf(property.type),
    }))
  }

  /**
   * Converts an entity in place.
   *
   * @throws ODataError for a value that its type does not have
   */
  convert(entity: unknown): Readonly<JsonObject> {
    if (typeof entity !== 'object' || entity === null || Array.isArray(entity))
      throw invalidContent(`sent an invalid entity of '${this.type.name}'.`)
    const row = entity as JsonObject
    const typeName = row['@odata.type'] ?? row['@type']
    if (typeof typeName === 'string') return this.ofType(row, typeName)
    return this.convertMembers(row)
  }

  private ofType(row: JsonObject, typeName: string): Readonly<JsonObject> {
    const name = typeName.slice(typeName.indexOf('#') + 1)
    if (name === this.type.name) return this.convertMembers(row)
    const type = this.converters.typeNamed(name)
    if (type === undefined) return this.convertMembers(row)
    row.$type = type.v2Name
    return this.converters.of(type).convertMembers(row)
  }

  convertMembers(row: JsonObject): Readonly<JsonObject> {
    for (const member of this.members) {
      const { from, to, convert, check } = member
      const value = row[from]
      if (value === undefined || value === null) {
        if (member.isKey) throw this.invalid(member, value)
        if (from !== to && value === null) setMember(row, to, null)
        continue
      }
      if (convert === undefined) {
        if (check !== undefined && !check(value)) throw this.invalid(member, value)
        if (from !== to) setMember(row, to, value)
        continue
      }
      const converted = convert(value)
      if (converted === undefined) throw this.invalid(member, value)
      row[to] = converted
    }
    return row
  }

  private invalid({ from, type }: Member, value: unknown): Error {
    return invalidValue(`'${this.type.name}/${from}'`, nameOf(type), value)
  }
}

/** The converters of all types, created when they are used first. */
export class RowConverters {
  private readonly byType = new Map<V4TypeMapping, RowConverter>()
  private readonly byName: ReadonlyMap<string, V4TypeMapping>

  /** @param keyOf returns the names of the key properties of a type in the V2 model; none for complex types */
  constructor(
    types: Iterable<V4TypeMapping>,
    readonly keyOf: (type: V4TypeMapping) => ReadonlySet<string>,
  ) {
    this.byName = new Map([...types].map((type) => [type.name, type]))
  }

  of(type: V4TypeMapping): RowConverter {
    let converter = this.byType.get(type)
    if (converter === undefined) {
      converter = new RowConverter(type, this)
      this.byType.set(type, converter)
    }
    return converter
  }

  typeNamed(name: string): V4TypeMapping | undefined {
    return this.byName.get(name)
  }

  /** Returns the conversion of a type; undefined if values stay as they are. */
  fromJson(type: V4ValueType): FromJson | undefined {
    if (type.kind === 'complex') return (value) => this.of(type.type).convert(value)
    if (type.kind === 'enum')
      return (value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined)
    return conversions[type.name]
  }

  /**
   * Converts a value that is not a property, such as the result of a function.
   *
   * @param place describes it in the error
   * @throws ODataError for a value that its type does not have
   */
  convertValue(value: unknown, type: V4ValueType, place: string): unknown {
    const convert = this.fromJson(type)
    const converted = convert === undefined ? value : convert(value)
    if (converted === undefined || (convert === undefined && checkOf(type)?.(value) === false))
      throw invalidValue(place, nameOf(type), value)
    return converted
  }
}

type Check = (value: unknown) => boolean

function checkOf(type: V4ValueType): Check | undefined {
  return type.kind === 'primitive' ? checks[type.name] : undefined
}

function nameOf(type: V4ValueType): string {
  return type.kind === 'complex' ? type.type.name : type.name
}

const isString: Check = (value) => typeof value === 'string'
const isInteger = (name: keyof typeof integerRanges): Check => {
  const [min, max] = integerRanges[name]
  return (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max
}
const isOperand =
  ({ toOperand }: PrimitiveType): Check =>
  (value) =>
    typeof value === 'string' && toOperand(value) !== undefined

const isTime = isOperand(primitiveTypes['Edm.Time'])
const isInstant = isOperand(primitiveTypes['Edm.DateTimeOffset'])

/** The checks of values that are not converted. */
const checks: Readonly<Record<string, Check | undefined>> = {
  'Edm.Boolean': (value) => typeof value === 'boolean',
  'Edm.Byte': isInteger('Edm.Byte'),
  'Edm.SByte': isInteger('Edm.SByte'),
  'Edm.Int16': isInteger('Edm.Int16'),
  'Edm.Int32': isInteger('Edm.Int32'),
  'Edm.String': isString,
  'Edm.TimeOfDay': (value) => isPlainClock(value) || isTime(value),
  'Edm.Duration': isString,
}

/** Integers with fewer digits are in the range of Edm.Int64. */
const INT64_DIGITS = 19

/** `2012-05-29` */
const DATE_LENGTH = 10

const integer = /^-?\d+$/
const decimal = /^-?\d+(?:\.\d+)?$/
const base64 = /^[A-Za-z0-9+/_-]*={0,2}$/

const floatingPoint =
  ({ parse, toOperand }: PrimitiveType): FromJson =>
  (value) => {
    if (typeof value === 'string') return parse(value)
    return Number.isFinite(value) && Number.isFinite(toOperand(value)) ? value : undefined
  }

const conversions: Readonly<Record<string, FromJson | undefined>> = {
  // Services may send numbers although strings are requested.
  'Edm.Int64': (value) => {
    if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
    if (typeof value !== 'string' || !integer.test(value)) return undefined
    const isInRange = value.length < INT64_DIGITS || primitiveTypes['Edm.Int64'].parse(value) !== undefined
    return isInRange ? value : undefined
  },
  'Edm.Decimal': (value) => {
    if (typeof value === 'string' && decimal.test(value)) return value
    return plainDecimal(value)
  },
  'Edm.Double': floatingPoint(primitiveTypes['Edm.Double']),
  'Edm.Single': floatingPoint(primitiveTypes['Edm.Single']),
  'Edm.Date': (value) => {
    const date = typeof value === 'string' && value.length === DATE_LENGTH ? value : dateOf(value)
    const milliseconds = date === undefined ? undefined : plainMilliseconds(`${date}T00:00:00`)
    return milliseconds === undefined ? undefined : new Date(milliseconds)
  },
  'Edm.DateTimeOffset': (value) => {
    const milliseconds = typeof value === 'string' ? plainMilliseconds(value, 'Z') : undefined
    if (milliseconds !== undefined) return new Date(milliseconds)
    return isInstant(value) ? value : undefined
  },
  'Edm.Guid': (value) => primitiveTypes['Edm.Guid'].toOperand(value),
  'Edm.Binary': (value) =>
    typeof value === 'string' && base64.test(value)
      ? new Uint8Array(Buffer.from(value, 'base64'))
      : undefined,
}

/** Formats a number without exponent; returns undefined for other values. */
function plainDecimal(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'string'
    ? parseDecimal(String(value))?.toString()
    : undefined
}

/**
 * Converts a value of the V2 model to JSON of the V4 service.
 *
 * @returns undefined for a value that the service cannot have, such as a date with a time
 */
export function toV4Json(value: unknown, type: V4ValueType): unknown {
  if (value === null || value === undefined) return null
  if (type.kind === 'complex') return typeof value === 'object' ? toV4Object(value, type.type) : undefined
  if (type.kind === 'enum') return value
  switch (type.name) {
    case 'Edm.Int64':
    case 'Edm.Decimal':
      return plainDecimal(typeof value === 'bigint' ? String(value) : value)
    case 'Edm.Double':
    case 'Edm.Single':
      if (Number.isFinite(value)) return value
      return Number.isNaN(value) ? 'NaN' : (value as number) < 0 ? '-INF' : 'INF'
    case 'Edm.Date':
      return dateOf(value)
    case 'Edm.TimeOfDay':
      return typeof value === 'string' ? value.replace(/\.0+$/, '') : undefined
    case 'Edm.DateTimeOffset':
      return value instanceof Date ? value.toISOString() : value
    case 'Edm.Binary':
      return value instanceof Uint8Array ? base64Url(value) : undefined
    default:
      return value
  }
}

/** Converts the properties of an entity or complex value that are given. */
export function toV4Object(values: object, { properties }: V4TypeMapping): JsonObject {
  const object: JsonObject = {}
  for (const [name, value] of Object.entries(values)) {
    const property = properties.get(name)
    if (property !== undefined) setMember(object, property.name, toV4Json(value, property.type))
  }
  return object
}
