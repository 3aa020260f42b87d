import { codePoint, fc, runs } from '../support/random.js'
import type { ComplexType, EntityType, NavigationProperty } from '../../lib/edm/edm-model.js'
import { isPrimitive } from '../../lib/edm/edm-model.js'
import type { Instant } from '../../lib/edm/instant.js'
import { formatDecimal } from '../../lib/edm/primitive-types/decimal.js'
import type { PrimitiveTypeName } from '../../lib/edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../lib/edm/primitive-types/primitive-types.js'
import { atomFormat } from '../../lib/formats/atom/atom-format.js'
import type { Format } from '../../lib/formats/format.js'
import { jsonFormat } from '../../lib/formats/json/json-format.js'
import type { EntityPayload, LinkPayload } from '../../lib/formats/payload.js'
import type { Row } from '../../lib/index.js'
import { expanding, readOptions, writeContext, serializedEntity } from '../support/payload-documents.js'
import { setNamed } from '../support/protocol-model.js'
import { randomProduct } from '../support/random-rows.js'

/** JSON shows milliseconds and no zone; XML has no form for a few characters. */
function kept(type: PrimitiveTypeName, value: unknown, format: Format, precision?: number): unknown {
  if (value === null || value === undefined) return null
  const operand = primitiveTypes[type].toOperand(value)
  switch (type) {
    case 'Edm.String':
      return format === atomFormat ? (value as string).replace(/\uffff/g, '\ufffd') : value
    case 'Edm.Decimal':
      return formatDecimal(value)
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset': {
      const { milliseconds, ticks, offset } = operand as Instant
      return format === atomFormat
        ? [milliseconds, precision === 3 ? 0 : ticks, offset]
        : [milliseconds, 0, 0]
    }
    case 'Edm.Double':
    case 'Edm.Single':
      // There is one zero on the wire.
      return (operand as number) + 0
    default:
      return operand === undefined ? undefined : primitiveTypes[type].toValue(operand)
  }
}

/** All properties of a row, as they must come back. */
function storedRow(row: Row, type: EntityType | ComplexType, format: Format): Record<string, unknown> {
  return Object.fromEntries(
    type.properties.map((property) => [
      property.name,
      isPrimitive(property.type)
        ? kept(property.type, row[property.name], format, property.precision)
        : storedRow((row[property.name] ?? {}) as Row, property.type, format),
    ]),
  )
}

/** Converts the values that were read to a comparable form. */
function comparable(values: Row, type: EntityType | ComplexType, format: Format): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const property = type.property(name)
      if (property === undefined) throw new Error(`There is no '${name}'.`)
      return isPrimitive(property.type)
        ? [name, kept(property.type, value, format)]
        : [name, comparable(value as Row, property.type, format)]
    }),
  )
}

function expectSame(payload: EntityPayload, row: Row, type: EntityType, format: Format): void {
  expect(payload.typeName).toBe(type.qualifiedName)
  expect(payload.uri).toMatch(/^http:\/\/h\/n\/(?:Products|Categories)\(-?\d+\)$/)
  expect(comparable(payload.values, type, format)).toEqual(storedRow(row, type, format))
}

function expectSameLink(
  link: LinkPayload | undefined,
  row: Row,
  navigation: NavigationProperty,
  format: Format,
): void {
  const related = [(row[navigation.name] ?? []) as Row | readonly Row[]].flat()
  if (related.length === 0 && !navigation.isCollection) {
    expect(link).toEqual({ kind: 'Unlink' })
    return
  }
  if (link?.kind !== 'Inline') throw new Error(`'${navigation.name}' is not inline.`)
  expect(link.entities).toHaveLength(related.length)
  for (const [index, entity] of link.entities.entries()) {
    expectSame(entity, related[index] ?? {}, navigation.targetType, format)
  }
}

const formats: readonly [string, Format][] = [
  ['Atom', atomFormat],
  ['JSON', jsonFormat],
]

describe.each(formats)('A document in %s', (_name, format) => {
  const product = setNamed('Products').entityType
  const navigation = (type: EntityType, name: string): NavigationProperty => {
    const found = type.navigationProperty(name)
    if (found === undefined) throw new Error(`There is no '${name}'.`)
    return found
  }

  it('MUST be parsed to the serialized entity without its links', () => {
    const projection = expanding('Products')
    fc.assert(
      fc.property(randomProduct, (row) => {
        const text = serializedEntity(format, projection, row)
        const payload = format.read.entity(text, product, { ...readOptions, depth: 0 })
        expectSame(payload, row, product, format)
        expect(payload.links.size).toBe(0)
      }),
      { numRuns: runs(200) },
    )
  })

  it('MUST be parsed with inline entities', () => {
    const projection = expanding('Products', 'Category', 'Category/Parent', 'Successor')
    fc.assert(
      fc.property(randomProduct, (row) => {
        const payload = format.read.entity(serializedEntity(format, projection, row), product, readOptions)
        expectSame(payload, row, product, format)
        for (const name of ['Category', 'Successor']) {
          expectSameLink(payload.links.get(name), row, navigation(product, name), format)
        }
        const category = payload.links.get('Category')
        if (category?.kind !== 'Inline') return
        const parent = navigation(setNamed('Categories').entityType, 'Parent')
        expectSameLink(category.entities[0]?.links.get('Parent'), row.Category as Row, parent, format)
      }),
      { numRuns: runs(100) },
    )
  })

  it('MUST be parsed with inline collections', () => {
    const categories = setNamed('Categories').entityType
    const projection = expanding('Categories', 'Products')
    fc.assert(
      fc.property(fc.array(randomProduct, { maxLength: 4 }), (Products) => {
        const row = { ID: 1, Name: 'Cheese', Products }
        const payload = format.read.entity(serializedEntity(format, projection, row), categories, readOptions)
        expectSame(payload, row, categories, format)
        expectSameLink(payload.links.get('Products'), row, navigation(categories, 'Products'), format)
      }),
      { numRuns: runs(50) },
    )
  })

  it('MUST be read as an entity of a derived type', () => {
    const text = serializedEntity(format, expanding('Parties'), { $type: 'NW.Person', ID: 1, Email: 'a@b' })
    const payload = format.read.entity(text, setNamed('Parties').entityType, readOptions)
    expect(payload.typeName).toBe('NW.Person')
    expect(payload.values).toEqual({ ID: 1, Name: null, Email: 'a@b', Born: null })
  })

  it('MUST be read as a media link entry', () => {
    const text = serializedEntity(format, expanding('Photos'), { ID: 1, Title: 'x' })
    const payload = format.read.entity(text, setNamed('Photos').entityType, readOptions)
    expect([payload.uri, payload.values]).toEqual(['http://h/n/Photos(1)', { ID: 1, Title: 'x' }])
  })

  it('MUST be parsed to the serialized complex value', () => {
    const dims = product.property('Dims')
    if (dims === undefined || isPrimitive(dims.type)) throw new Error('The model has changed.')
    const { type } = dims
    fc.assert(
      fc.property(randomProduct, ({ Dims }) => {
        const text = format.value({ name: 'Dims', type }, Dims, writeContext)
        const values = format.read.property(text, dims) as Row
        expect(comparable(values, type, format)).toEqual(storedRow((Dims ?? {}) as Row, type, format))
      }),
      { numRuns: runs(50) },
    )
  })

  it('MUST be parsed to the serialized link', () => {
    const uri = "http://h/n/Files('%2Fa&b')?x=<y>&z=\"'"
    expect(format.read.link(format.link(uri, writeContext))).toBe(uri)
  })
})

/** Characters that XML can hold. */
const text = fc
  .string({ unit: codePoint, maxLength: 20 })
  .map((value) => value.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '?'))
const milliseconds = fc.integer({ min: Date.parse('0001-01-01T00:00:00Z'), max: 253402300799999 })
const ticks = fc.integer({ min: 0, max: 9_999_999 }).map((value) => `.${String(value).padStart(7, '0')}`)
const fraction = fc.oneof(fc.constant(''), ticks)
const seconds = milliseconds.map((value) => new Date(value).toISOString().slice(0, 19))
const offset = fc
  .tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 59 }))
  .map(
    ([sign, hours, minutes]) =>
      `${sign}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`,
  )
const digits = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })

/** Values of the whole range of each type. */
const anyValue: Readonly<Record<PrimitiveTypeName, fc.Arbitrary<unknown>>> = {
  'Edm.String': text,
  'Edm.Boolean': fc.boolean(),
  'Edm.Byte': fc.integer({ min: 0, max: 255 }),
  'Edm.SByte': fc.integer({ min: -128, max: 127 }),
  'Edm.Int16': fc.integer({ min: -32768, max: 32767 }),
  'Edm.Int32': fc.integer({ min: -2147483648, max: 2147483647 }),
  'Edm.Int64': fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  'Edm.Decimal': fc
    .tuple(digits, fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 30 }))
    .map(([whole, rest]) => (rest === '' ? `${whole}` : `${whole}.${rest}`)),
  'Edm.Double': fc.double(),
  'Edm.Single': fc.float(),
  'Edm.Guid': fc.uuid(),
  'Edm.Binary': fc.uint8Array({ maxLength: 40 }),
  'Edm.DateTime': fc.oneof(
    milliseconds.map((value) => new Date(value)),
    fc.tuple(seconds, fraction).map((parts) => parts.join('')),
  ),
  'Edm.DateTimeOffset': fc.oneof(
    milliseconds.map((value) => new Date(value)),
    fc.tuple(seconds, fraction, offset).map((parts) => parts.join('')),
  ),
  'Edm.Time': fc
    .tuple(fc.integer({ min: 0, max: 86399 }), fraction)
    .map(([value, rest]) => new Date(value * 1000).toISOString().slice(11, 19) + rest),
}

describe.each(formats)('A value in %s', (_name, format) => {
  const [property] = setNamed('Products').entityType.properties
  if (property === undefined) throw new Error('The model has changed.')

  it.each(Object.entries(anyValue))('MUST be parsed to the serialized value: %s', (name, values) => {
    const type = name as PrimitiveTypeName
    const { toOperand } = primitiveTypes[type]
    fc.assert(
      fc.property(fc.oneof({ weight: 20, arbitrary: values }, fc.constant(null)), (value) => {
        // An offset may carry the first and the last hours beyond the years that there are.
        fc.pre(value === null || toOperand(value) !== undefined)
        const written = format.value({ name: 'V', type }, value, writeContext)
        const read = format.read.property(written, { ...property, name: 'V', type })
        expect(kept(type, read, format)).toEqual(kept(type, value, format))
      }),
      { numRuns: runs(150) },
    )
  })

  it('MUST be parsed to the serialized value with doubleAsNumber', () => {
    const context = { ...writeContext, doubleAsNumber: true }
    for (const value of [0.1, 1e21, -5e-324, 1.7976931348623157e308, Number.NaN]) {
      const written = format.value({ name: 'V', type: 'Edm.Double' }, value, context)
      expect(format.read.property(written, { ...property, name: 'V', type: 'Edm.Double' })).toBe(value)
    }
  })
})
