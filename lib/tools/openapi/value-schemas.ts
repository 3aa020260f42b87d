import type { Annotatable } from '../../edm/annotations.js'
import type { ComplexType, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import { integerRanges } from '../../edm/primitive-types/integer.js'
import type { IntegerTypeName } from '../../edm/primitive-types/integer.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../edm/primitive-types/primitive-types.js'
import { allowedStrings } from '../../edm/vocabularies/allowed-values.js'
import type { Json, JsonObject } from './json.js'
import { present, reference } from './json.js'
import type { ComponentNames } from './names.js'
import { titleAndDescription } from './names.js'

function integer(type: IntegerTypeName): JsonObject {
  const [minimum, maximum] = integerRanges[type]
  return { type: 'integer', minimum, maximum }
}

const FLOAT: JsonObject = { type: 'string', pattern: '^(-?[0-9.]+([Ee][+-]?[0-9]+)?|NaN|-?INF)$' }

/**
 * Durations with fractions of a second, which the format `duration` of JSON Schema (RFC 3339, appendix A) lacks. Not all
 * engines of regular expressions have a lookahead, which would require one of the fields with less text.
 */
const SECONDS = '[0-9]+(\\.[0-9]+)?S'
const TIME = `T([0-9]+H([0-9]+M)?(${SECONDS})?|[0-9]+M(${SECONDS})?|${SECONDS})`
const DURATION = `^P([0-9]+D(${TIME})?|${TIME})$`

/** The format `uuid` is that of RFC 9562, and validators reject other GUIDs, such as those of NEWSEQUENTIALID(). */
const GUID = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'

/** The verbose JSON representation of each primitive type. */
const SCHEMAS: Readonly<Record<PrimitiveTypeName, JsonObject>> = {
  'Edm.Binary': { type: 'string', contentEncoding: 'base64' },
  'Edm.Boolean': { type: 'boolean' },
  'Edm.Byte': integer('Edm.Byte'),
  'Edm.DateTime': { type: 'string', pattern: '^/Date\\(-?[0-9]+\\)/$' },
  'Edm.DateTimeOffset': { type: 'string', pattern: '^/Date\\(-?[0-9]+[+-][0-9]{4}\\)/$' },
  'Edm.Decimal': { type: 'string', format: 'decimal', pattern: '^-?[0-9]+(\\.[0-9]+)?$' },
  'Edm.Double': { ...FLOAT, format: 'double' },
  'Edm.Guid': { type: 'string', pattern: GUID },
  'Edm.Int16': integer('Edm.Int16'),
  'Edm.Int32': { type: 'integer', format: 'int32' },
  'Edm.Int64': { type: 'string', format: 'int64', pattern: '^-?[0-9]{1,19}$' },
  'Edm.SByte': integer('Edm.SByte'),
  'Edm.Single': { ...FLOAT, format: 'float' },
  'Edm.String': { type: 'string' },
  'Edm.Time': { type: 'string', pattern: DURATION },
}

/** A sample value of each primitive type: in verbose JSON, and as a literal without quotes, prefix and suffix. */
const SAMPLES: Readonly<Record<PrimitiveTypeName, readonly [json: Json, text: string]>> = {
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

const FLOATS: ReadonlySet<string> = new Set(['Edm.Double', 'Edm.Single'])

/** Schemas of values in verbose JSON. @spec MS-ODATA 2.2.6.3.4 (simple values), 2.2.6.3.5 (complex values) */
export class ValueSchemas {
  constructor(
    private readonly names: ComponentNames,
    private readonly doubleAsNumber: boolean,
  ) {}

  /** Returns the schema of a non-null value. */
  ofType(type: PrimitiveTypeName | ComplexType): JsonObject {
    if (!isPrimitive(type)) return reference('schemas', this.names.of(type))
    if (!this.doubleAsNumber || !FLOATS.has(type)) return withExample(SCHEMAS[type], SAMPLES[type][0])
    return { type: ['number', 'string'], pattern: FLOAT.pattern, examples: [1.5] }
  }

  /** Returns the schema of a value or null. */
  orNull(type: PrimitiveTypeName | ComplexType): JsonObject {
    const schema = this.ofType(type)
    return schema.type === undefined
      ? { anyOf: [schema, { type: 'null' }] }
      : { ...schema, type: [schema.type, 'null'].flat() }
  }

  /** @param isReadOnly whether clients can neither insert nor update the property */
  ofProperty(property: Property, isReadOnly: boolean): JsonObject {
    const { type, nullable, maxLength } = property
    // A complex value is never null on the wire; only its members can be.
    const schema = nullable && isPrimitive(type) ? this.orNull(type) : this.ofType(type)
    const members = type === 'Edm.String' ? allowedStrings(property) : undefined
    return present({
      ...titleAndDescription(property),
      ...schema,
      enum: members && (nullable ? [...members, null] : members),
      maxLength: type === 'Edm.String' && typeof maxLength === 'number' ? maxLength : undefined,
      readOnly: isReadOnly ? true : undefined,
    })
  }
}

/** Adds a value for mock servers, which derive none from a pattern. */
function withExample(schema: JsonObject, example: Json): JsonObject {
  return (schema.pattern ?? schema.format) === undefined ? schema : { ...schema, examples: [example] }
}

/** Returns a sample value of a property, in verbose JSON. */
export function sampleOf(property: Property): Json {
  const { type } = property
  if (!isPrimitive(type)) {
    const required = type.properties.filter(({ nullable }) => !nullable)
    return Object.fromEntries(required.map((member) => [member.name, sampleOf(member)]))
  }
  return type === 'Edm.String' ? sampleString(property) : SAMPLES[type][0]
}

/** Returns a sample literal. */
export function sampleLiteral(literal: Literal): string {
  const { type } = literal
  if (type === 'Edm.String') return stringLiteral(sampleString(literal))
  const [before, after] = primitiveTypes[type].aroundLiteral
  return before + SAMPLES[type][1] + after
}

/** A key property or a function parameter in a URI. */
interface Literal extends Partial<Annotatable> {
  readonly type: PrimitiveTypeName
  readonly maxLength?: Property['maxLength']
}

/** Returns the schema of a literal, with its quotes, prefix and suffix. */
export function literalSchema(literal: Literal): JsonObject {
  const { type } = literal
  const schema = SCHEMAS[type]
  if (schema.type !== 'string') return schema
  const [before, after] = primitiveTypes[type].aroundLiteral
  // Clients may omit the suffix of a number.
  if (typeof schema.pattern === 'string' && before === '') {
    return { type: 'string', pattern: `${schema.pattern.slice(0, -1)}${after}?$` }
  }
  const members = type === 'Edm.String' ? allowedStrings(literal) : undefined
  if (members !== undefined) return { type: 'string', enum: members.map(stringLiteral) }
  const inside = type === 'Edm.String' ? "([^']|'')*" : "[^']+"
  return { type: 'string', pattern: `^${before}${inside}${after}$` }
}

export function literalSample(literal: Literal): Json {
  const [json] = SAMPLES[literal.type]
  return typeof json === 'string' ? sampleLiteral(literal) : json
}

function sampleString(property: Pick<Literal, 'annotations' | 'maxLength'>): string {
  const text = allowedStrings(property)?.[0] ?? SAMPLES['Edm.String'][1]
  const { maxLength } = property
  return typeof maxLength === 'number' ? text.slice(0, maxLength) : text
}

function stringLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
