import type { V4TypeMapping, V4ValueType } from '../../csdl/v4/v4-mapping.js'
import { setMember } from '../../evaluation/row.js'
import { parseDecimal } from '../../edm/decimal.js'
import { base64Url, dateOf } from './v4-literals.js'
import { badGateway } from '../upstream/upstream-errors.js'

/** A JSON object of the service, which becomes a row. */
type JsonObject = Record<string, unknown>

/** Converts a value of the JSON of the V4 service, other than null. @throws TypeError for an invalid value */
type FromJson = (value: unknown) => unknown

interface Member {
  /** The name in the JSON. */
  readonly from: string
  readonly to: string
  /** Undefined if the value stays as it is. */
  readonly convert: FromJson | undefined
  /** True for complex values and nested entities, which are checked in any case. */
  readonly check: ((value: unknown) => boolean) | undefined
}

/** Converts entities of one type, and of derived types. Nothing is allocated for a row. */
export class RowConverter {
  private readonly members: readonly Member[]

  constructor(
    private readonly type: V4TypeMapping,
    private readonly converters: RowConverters,
  ) {
    this.members = [...type.properties].map(([name, property]) => ({
      from: property.name,
      to: name,
      convert: converters.fromJson(property.type),
      check: checks[v2KindOf(property.type)],
    }))
  }

  /**
   * Converts an entity in place.
   *
   * @throws ODataError for a value that its type does not have
   */
  convert(entity: unknown): Readonly<JsonObject> {
    if (typeof entity !== 'object' || entity === null || Array.isArray(entity))
      throw badGateway(`The V4 service sent an invalid entity of '${this.type.name}'.`)
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
    for (const { from, to, convert, check } of this.members) {
      const value = row[from]
      if (value === undefined || value === null) {
        if (from !== to && value === null) setMember(row, to, null)
        continue
      }
      if (convert === undefined) {
        if (check !== undefined && !check(value)) throw this.invalid(from)
        if (from !== to) setMember(row, to, value)
        continue
      }
      const converted = convert(value)
      if (converted === undefined) throw this.invalid(from)
      row[to] = converted
    }
    return row
  }

  private invalid(name: string): Error {
    return badGateway(`The V4 service sent an invalid value of '${this.type.name}/${name}'.`)
  }
}

/** The converters of all types, created when they are used first. */
export class RowConverters {
  private readonly byType = new Map<V4TypeMapping, RowConverter>()
  private readonly byName: ReadonlyMap<string, V4TypeMapping>

  constructor(types: Iterable<V4TypeMapping>) {
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
}

function v2KindOf(type: V4ValueType): string {
  return type.kind === 'primitive' ? type.name : ''
}

const isNumber = (value: unknown): boolean => typeof value === 'number'
const isString = (value: unknown): boolean => typeof value === 'string'

/** The checks of values that are not converted. */
const checks: Readonly<Record<string, ((value: unknown) => boolean) | undefined>> = {
  'Edm.Boolean': (value) => typeof value === 'boolean',
  'Edm.Byte': isNumber,
  'Edm.SByte': isNumber,
  'Edm.Int16': isNumber,
  'Edm.Int32': isNumber,
  'Edm.String': isString,
  'Edm.DateTimeOffset': isString,
  'Edm.TimeOfDay': isString,
  'Edm.Duration': isString,
}

const specialNumbers: Readonly<Record<string, number>> = {
  INF: Number.POSITIVE_INFINITY,
  '-INF': Number.NEGATIVE_INFINITY,
  NaN: Number.NaN,
}

const integer = /^-?\d+$/
const decimal = /^-?\d+(?:\.\d+)?$/

function floatingPoint(value: unknown): unknown {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  if (Object.hasOwn(specialNumbers, value)) return specialNumbers[value]
  const number = Number(value)
  return value === '' || Number.isNaN(number) ? undefined : number
}

const conversions: Readonly<Record<string, FromJson | undefined>> = {
  // Services may send numbers although strings are requested.
  'Edm.Int64': (value) => {
    if (typeof value === 'string') return integer.test(value) ? value : undefined
    return Number.isSafeInteger(value) ? value : undefined
  },
  'Edm.Decimal': (value) => {
    if (typeof value === 'string' && decimal.test(value)) return value
    return plainDecimal(value)
  },
  'Edm.Double': floatingPoint,
  'Edm.Single': floatingPoint,
  'Edm.Date': (value) =>
    typeof value === 'string' && dateOf(value) !== undefined ? `${value}T00:00:00` : undefined,
  'Edm.Guid': (value) => (typeof value === 'string' ? value.toLowerCase() : undefined),
  'Edm.Binary': (value) =>
    typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : undefined,
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
