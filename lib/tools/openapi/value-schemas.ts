import type { ComplexType, FunctionParameter, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../edm/primitive-types/primitive-types.js'
import type { ComponentNames } from './component-names.js'
import type { Json, JsonObject } from './json.js'
import { present, reference } from './json.js'
import { descriptionOf, labelOf } from './texts.js'

const integer = (minimum: number, maximum: number): JsonObject => ({ type: 'integer', minimum, maximum })

const floating: JsonObject = { type: 'string', pattern: '^(-?[0-9.]+([Ee][+-]?[0-9]+)?|NaN|-?INF)$' }

/** Of each simple type how verbose JSON writes it. */
const schemas: Readonly<Record<PrimitiveTypeName, JsonObject>> = {
  'Edm.Binary': { type: 'string', contentEncoding: 'base64' },
  'Edm.Boolean': { type: 'boolean' },
  'Edm.Byte': integer(0, 255),
  'Edm.DateTime': { type: 'string', pattern: '^/Date\\(-?[0-9]+\\)/$' },
  'Edm.DateTimeOffset': { type: 'string', pattern: '^/Date\\(-?[0-9]+[+-][0-9]{4}\\)/$' },
  'Edm.Decimal': { type: 'string', format: 'decimal', pattern: '^-?[0-9]+(\\.[0-9]+)?$' },
  'Edm.Double': { ...floating, format: 'double' },
  'Edm.Guid': { type: 'string', format: 'uuid' },
  'Edm.Int16': integer(-32_768, 32_767),
  'Edm.Int32': { type: 'integer', format: 'int32' },
  'Edm.Int64': { type: 'string', format: 'int64', pattern: '^-?[0-9]{1,19}$' },
  'Edm.SByte': integer(-128, 127),
  'Edm.Single': { ...floating, format: 'float' },
  'Edm.String': { type: 'string' },
  'Edm.Time': { type: 'string', format: 'duration' },
}

/** Values that show the form of each type; in texts without quotes and suffixes they stand in addresses. */
const samples: Readonly<Record<PrimitiveTypeName, readonly [json: Json, text: string]>> = {
  'Edm.Binary': ['T0RhdGE=', '4F4461'],
  'Edm.Boolean': [true, 'true'],
  'Edm.Byte': [1, '1'],
  'Edm.DateTime': ['/Date(1704067200000)/', '2024-01-01T00:00:00'],
  'Edm.DateTimeOffset': ['/Date(1704067200000+0000)/', '2024-01-01T00:00:00Z'],
  'Edm.Decimal': ['1', '1'],
  'Edm.Double': ['1.5', '1.5'],
  'Edm.Guid': ['0e7f5b6a-5f0d-4d3c-9b1e-2a4c6d8e0f12', '0e7f5b6a-5f0d-4d3c-9b1e-2a4c6d8e0f12'],
  'Edm.Int16': [1, '1'],
  'Edm.Int32': [1, '1'],
  'Edm.Int64': ['1', '1'],
  'Edm.SByte': [1, '1'],
  'Edm.Single': ['1.5', '1.5'],
  'Edm.String': ['text', 'text'],
  'Edm.Time': ['PT12H30M', 'PT12H30M'],
}

const numbers: ReadonlySet<string> = new Set(['Edm.Double', 'Edm.Single'])
const integers: ReadonlySet<string> = new Set(['Edm.Byte', 'Edm.Int16', 'Edm.Int32', 'Edm.SByte'])

/** Values in verbose JSON as schemas. @spec MS-ODATA 2.2.6.3.4 (simple values), 2.2.6.3.5 (complex values) */
export class ValueSchemas {
  constructor(
    private readonly names: ComponentNames,
    private readonly doubleAsNumber: boolean,
  ) {}

  /** What a value of a type is, never null. */
  ofType(type: PrimitiveTypeName | ComplexType): JsonObject {
    if (!isPrimitive(type)) return reference('schemas', this.names.of(type))
    if (!this.doubleAsNumber || !numbers.has(type)) return schemas[type]
    return { type: ['number', 'string'], pattern: floating.pattern }
  }

  /** The same, or null. */
  orNull(type: PrimitiveTypeName | ComplexType): JsonObject {
    const schema = this.ofType(type)
    return schema.type === undefined
      ? { anyOf: [schema, { type: 'null' }] }
      : { ...schema, type: [schema.type, 'null'].flat() }
  }

  /** @param isFixed whether clients cannot give the property a value */
  ofProperty(property: Property, isFixed: boolean): JsonObject {
    const { type, nullable, maxLength } = property
    // A complex value is never null on the wire: its members are.
    const schema = nullable && isPrimitive(type) ? this.orNull(type) : this.ofType(type)
    return present({
      title: labelOf(property),
      description: descriptionOf(property),
      ...schema,
      maxLength: type === 'Edm.String' && typeof maxLength === 'number' ? maxLength : undefined,
      readOnly: isFixed ? true : undefined,
    })
  }
}

/** A value in JSON that a property can have. */
export function sampleOf({ type, maxLength }: Property): Json {
  if (!isPrimitive(type)) {
    const required = type.properties.filter(({ nullable }) => !nullable)
    return Object.fromEntries(required.map((member) => [member.name, sampleOf(member)]))
  }
  const [json] = samples[type]
  return typeof json === 'string' && type === 'Edm.String' ? shortened(json, maxLength) : json
}

/** The literal of a sample value, as it stands in `$filter` and in the parameters of functions. */
export function sampleLiteral(type: PrimitiveTypeName): string {
  const [before, after] = primitiveTypes[type].aroundLiteral
  return before + samples[type][1] + after
}

/** A part of a key: what stands around it is in the path. */
export function keyPartSchema(property: Property): JsonObject {
  const { maxLength } = property
  const type = property.type as PrimitiveTypeName
  if (integers.has(type)) return schemas[type]
  if (type === 'Edm.Boolean' || type === 'Edm.Guid') return schemas[type]
  if (type !== 'Edm.String') return { type: 'string' }
  return present({ type: 'string', maxLength: typeof maxLength === 'number' ? maxLength : undefined })
}

export function keyPartSample({ type, maxLength }: Property): Json {
  const [json, text] = samples[type as PrimitiveTypeName]
  if (typeof json === 'number' || typeof json === 'boolean') return json
  return type === 'Edm.String' ? shortened(text, maxLength) : text
}

/** The value of a parameter of a function is a literal, with its quotes, prefix and suffix. */
export function literalSchema({ type }: FunctionParameter): JsonObject {
  if (integers.has(type) || type === 'Edm.Boolean') return schemas[type]
  const [before, after] = primitiveTypes[type].aroundLiteral
  if (before === '') return { type: 'string' }
  const inside = type === 'Edm.String' ? "([^']|'')*" : "[^']+"
  return { type: 'string', pattern: `^${before}${inside}${after}$` }
}

export function literalSample({ type }: FunctionParameter): Json {
  const [json] = samples[type]
  return integers.has(type) || type === 'Edm.Boolean' ? json : sampleLiteral(type)
}

function shortened(text: string, maxLength: Property['maxLength']): string {
  return typeof maxLength === 'number' ? text.slice(0, maxLength) : text
}
