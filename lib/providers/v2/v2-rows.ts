import type { ComplexType, EntityType, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import { isValidTime } from '../../edm/instant.js'
import type { IntegerTypeName } from '../../edm/primitive-types/integer.js'
import { integerRanges } from '../../edm/primitive-types/integer.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { Row } from '../../evaluation/row.js'
import { JsonNumber } from '../../formats/json/parse-json.js'
import { parseSimpleValue } from '../../formats/json/read-simple-values.js'
import { isRecord } from '../../util/is-record.js'
import { invalidContent, invalidValue } from '../upstream/upstream-errors.js'

type JsonObject = Record<string, unknown>

/** Converts a value of verbose JSON, other than null. @returns undefined for an invalid value */
type FromJson = (value: unknown) => unknown

interface Member {
  readonly name: string
  readonly type: Property['type']
  readonly isKey: boolean
  readonly convert: FromJson
}

/** Converts entities and complex values of verbose JSON in place. Nothing is allocated for a row. */
class V2RowConverter {
  private readonly members: readonly Member[]
  /** The navigation properties whose deferred links are removed. */
  private readonly links: readonly string[]
  private readonly derived: ReadonlyMap<string, EntityType>

  constructor(
    private readonly type: EntityType | ComplexType,
    private readonly converters: V2RowConverters,
  ) {
    this.members = type.properties.map((property) => ({
      name: property.name,
      type: property.type,
      isKey: property.isKey,
      convert: converters.fromJson(property.type),
    }))
    this.links = type.kind === 'EntityType' ? type.navigationProperties.map(({ name }) => name) : []
    const derived = type.kind === 'EntityType' ? type.derivedTypes : []
    this.derived = new Map(derived.map((one) => [one.qualifiedName, one]))
  }

  /** @throws ODataError for a value that its type does not have */
  convert(entity: unknown): Row {
    if (!isRecord(entity)) throw invalidContent(`sent an invalid '${this.type.qualifiedName}'.`)
    const row = entity as JsonObject
    if (this.derived.size === 0) return this.convertMembers(row)
    const { __metadata } = row
    const name = isRecord(__metadata) ? __metadata.type : undefined
    const type = typeof name === 'string' ? this.derived.get(name) : undefined
    if (type === undefined) return this.convertMembers(row)
    row.$type = type.qualifiedName
    return this.converters.of(type).convertMembers(row)
  }

  convertMembers(row: JsonObject): Row {
    for (const member of this.members) {
      const { name, isKey, convert } = member
      const value = row[name]
      if (value === undefined || value === null) {
        if (isKey) throw this.invalid(member, value)
        continue
      }
      const converted = convert(value)
      if (converted === undefined) throw this.invalid(member, value)
      if (converted !== value) row[name] = converted
    }
    for (const name of this.links) if (isDeferred(row[name])) row[name] = undefined
    return row
  }

  private invalid({ name, type }: Member, value: unknown): Error {
    const typeName = isPrimitive(type) ? type : type.qualifiedName
    return invalidValue(`'${this.type.qualifiedName}/${name}'`, typeName, value)
  }
}

function isDeferred(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '__deferred' in value
}

/** The converters of all types, created when they are used first. */
export class V2RowConverters {
  private readonly byType = new Map<EntityType | ComplexType, V2RowConverter>()

  of(type: EntityType | ComplexType): V2RowConverter {
    let converter = this.byType.get(type)
    if (converter === undefined) {
      converter = new V2RowConverter(type, this)
      this.byType.set(type, converter)
    }
    return converter
  }

  fromJson(type: Property['type'] | EntityType): FromJson {
    return isPrimitive(type) ? conversions[type] : (value) => this.of(type).convert(value)
  }
}

const general =
  (type: PrimitiveTypeName): FromJson =>
  (value) => {
    if (typeof value === 'number') return parseSimpleValue(type, new JsonNumber(String(value)))
    return typeof value === 'string' || typeof value === 'boolean' ? parseSimpleValue(type, value) : undefined
  }

const integer = (type: IntegerTypeName): FromJson => {
  const other = general(type)
  const [min, max] = integerRanges[type]
  return (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max ? value : other(value)
}

const int64Text = /^-?\d{1,15}$/
const decimalText = /^-?\d{1,28}(?:\.\d{1,28})?$/
/** `/Date(1338282808000)/`, in UTC. */
const dateText = /^\/Date\((-?\d{1,15})(?:\+0{1,4})?\)\/$/

const date = (type: 'Edm.DateTime' | 'Edm.DateTimeOffset'): FromJson => {
  const other = general(type)
  return (value) => {
    const ticks = typeof value === 'string' ? dateText.exec(value)?.[1] : undefined
    const time = ticks === undefined ? Number.NaN : Number(ticks)
    return isValidTime(time) ? new Date(time) : other(value)
  }
}

const int64 = general('Edm.Int64')
const decimal = general('Edm.Decimal')

const conversions: Readonly<Record<PrimitiveTypeName, FromJson>> = {
  'Edm.Binary': general('Edm.Binary'),
  'Edm.Boolean': (value) => (typeof value === 'boolean' ? value : undefined),
  'Edm.Byte': integer('Edm.Byte'),
  'Edm.DateTime': date('Edm.DateTime'),
  'Edm.DateTimeOffset': date('Edm.DateTimeOffset'),
  'Edm.Decimal': (value) => (typeof value === 'string' && decimalText.test(value) ? value : decimal(value)),
  'Edm.Double': general('Edm.Double'),
  'Edm.Guid': general('Edm.Guid'),
  'Edm.Int16': integer('Edm.Int16'),
  'Edm.Int32': integer('Edm.Int32'),
  'Edm.Int64': (value) => {
    if (typeof value === 'string' && int64Text.test(value)) return value
    // A larger number has been rounded.
    return typeof value === 'number' && !Number.isSafeInteger(value) ? undefined : int64(value)
  },
  'Edm.SByte': integer('Edm.SByte'),
  'Edm.Single': general('Edm.Single'),
  'Edm.String': (value) => (typeof value === 'string' ? value : undefined),
  'Edm.Time': general('Edm.Time'),
}
