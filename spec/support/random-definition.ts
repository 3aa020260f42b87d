import { fc } from './random.js'
import type {
  AnnotatedDefinition,
  AssociationDefinition,
  EntityTypeDefinition,
  FunctionImportDefinition,
  ModelDefinition,
  PropertyDefinition,
} from '../../lib/edm/model-definition.js'
import { primitiveTypeNames } from '../../lib/edm/primitive-types/primitive-type-name.js'
import { isXmlText } from './xml-text.js'

const words = ['A', 'B', 'C', 'D'] as const
const text = fc
  .string({ unit: fc.constantFrom(...'ab&<>"\'\t\n\r é\u{1f600}'), maxLength: 6 })
  .filter((value) => isXmlText(value))
const primitive = fc.constantFrom(...primitiveTypeNames)
/** Some of the members. */
const some = <T extends object>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(members, { requiredKeys: [] })

/** Prefixes are a matter of the document: each namespace has one. */
const prefixes = { 'urn:1': 'x', 'urn:2': 'y', 'http://www.sap.com/Protocols/SAPData': 'sap' } as const

const attributes = fc
  .uniqueArray(
    fc.record({
      namespace: fc.constantFrom(...(Object.keys(prefixes) as (keyof typeof prefixes)[])),
      name: fc.constantFrom('label', 'note'),
      value: text,
    }),
    { maxLength: 2, selector: ({ namespace, name }) => `${namespace} ${name}` },
  )
  .map((list) => list.map((one) => ({ ...one, prefix: prefixes[one.namespace] })))

const annotated = some<AnnotatedDefinition>({
  documentation: some({ summary: text, longDescription: text }),
  annotations: some({ attributes }),
})

/** A default value of each type but Edm.String, for which every text is one. */
const defaults = {
  'Edm.Binary': '00ff',
  'Edm.Boolean': 'true',
  'Edm.Byte': '255',
  'Edm.DateTime': '2024-01-31T12:00:00',
  'Edm.DateTimeOffset': '2024-01-31T12:00:00Z',
  'Edm.Decimal': '12.50',
  'Edm.Double': '1.5E3',
  'Edm.Guid': '12345678-aaaa-bbbb-cccc-ddddeeeeffff',
  'Edm.Int16': '-7',
  'Edm.Int32': '7',
  'Edm.Int64': '9007199254740993',
  'Edm.SByte': '-128',
  'Edm.Single': '0.5',
  'Edm.Time': 'PT9H30M',
} as const

const property: fc.Arbitrary<PropertyDefinition> = fc
  .tuple(
    annotated,
    fc.record({
      type: fc.oneof({ weight: 4, arbitrary: primitive }, { weight: 1, arbitrary: fc.constant('S.Size') }),
    }),
    some<Omit<PropertyDefinition, 'type' | 'syndication' | keyof AnnotatedDefinition>>({
      nullable: fc.boolean(),
      defaultValue: text,
      maxLength: fc.oneof(fc.integer({ min: 1, max: 9999 }), fc.constant('Max' as const)),
      fixedLength: fc.boolean(),
      unicode: fc.boolean(),
      precision: fc.integer({ min: 10, max: 38 }),
      scale: fc.integer({ min: 0, max: 10 }),
      collation: text,
      concurrencyMode: fc.constantFrom('None', 'Fixed'),
      mimeType: text,
      storeGeneratedPattern: fc.constantFrom('None', 'Identity', 'Computed'),
      computedDefaultValue: fc.boolean(),
    }),
  )
  .map((parts) => {
    const { defaultValue, ...others } = Object.assign({}, ...parts) as PropertyDefinition
    const hasAnyText = others.type === 'Edm.String' || others.type === 'S.Size'
    if (defaultValue === undefined || hasAnyText)
      return { ...others, ...(defaultValue === undefined ? {} : { defaultValue }) }
    return { ...others, defaultValue: defaults[others.type as keyof typeof defaults] }
  })

const properties = (prefix: string) =>
  fc.dictionary(
    fc.constantFrom('P', 'Q', '名', 'constructor').map((name) => `${prefix}${name}`),
    property,
  )

const entityType = (name: string): fc.Arbitrary<EntityTypeDefinition> =>
  fc
    .tuple(annotated, properties(name), fc.boolean(), fc.boolean(), fc.option(fc.constantFrom(...words)))
    .map(([notes, members, abstract, hasStream, base]) => ({
      ...notes,
      abstract,
      hasStream,
      // The name of a type follows those of its base types in the alphabet: there are no circles.
      ...(base !== null && base < name ? { baseType: base } : { key: ['ID', 'No'] }),
      properties:
        base !== null && base < name
          ? members
          : { ...members, No: { type: 'Edm.Int16' }, ID: { type: 'Edm.String' } },
    }))

const association: fc.Arbitrary<AssociationDefinition> = fc
  .tuple(
    annotated,
    fc.constantFrom(...words),
    fc.constantFrom(...words),
    fc.constantFrom('0..1', '1', '*'),
    fc.option(fc.constantFrom('None', 'Cascade')),
    fc.boolean(),
  )
  .map(([notes, from, to, multiplicity, onDelete, constrained]) => ({
    ...notes,
    ends: {
      From: { type: from, multiplicity, ...(onDelete === null ? {} : { onDelete }) },
      To: { ...notes, type: to, multiplicity: '*' },
    },
    ...(constrained
      ? {
          referentialConstraint: {
            ...notes,
            principal: { role: 'To', properties: ['ID'] },
            dependent: { role: 'From', properties: ['No'] },
          },
        }
      : {}),
  }))

const functionImport: fc.Arbitrary<FunctionImportDefinition> = fc
  .tuple(
    annotated,
    fc.oneof(primitive, fc.constantFrom(...words, 'S.Size')),
    fc.boolean(),
    some<FunctionImportDefinition>({
      httpMethod: fc.constantFrom('GET', 'POST'),
      parameters: fc.dictionary(
        fc.constantFrom('a', 'b'),
        fc.record({ type: primitive, nullable: fc.boolean(), mode: fc.constantFrom('In', 'Out') }),
      ),
    }),
  )
  .map(([notes, type, isCollection, members]) => ({
    ...notes,
    ...members,
    returnType: isCollection ? `Collection(${type})` : type,
    ...((words as readonly string[]).includes(type) ? { entitySet: `${type}s` } : {}),
  }))

/** Definitions of models with one schema, and with all facets and annotations. */
export const randomDefinition: fc.Arbitrary<ModelDefinition> = fc
  .record({
    types: fc.tuple(...words.map(entityType)),
    size: properties('').map((members) =>
      Object.fromEntries(
        Object.entries(members).map(([name, one]) => [
          name,
          { ...one, type: 'Edm.Int32', defaultValue: '7' },
        ]),
      ),
    ),
    associations: fc.dictionary(fc.constantFrom('X', 'Y'), association),
    functionImports: fc.dictionary(fc.constantFrom('F', 'G'), functionImport),
    notes: annotated,
    alias: fc.boolean(),
    version: fc.constantFrom('1.0', '2.0', '3.0'),
  })
  .map(({ types, size, associations, functionImports, notes, alias, version }) => ({
    dataServiceVersion: version,
    namespace: 'S',
    ...(alias ? { alias: 'Self' } : {}),
    ...notes,
    entityTypes: Object.fromEntries(types.map((type, index) => [words[index] ?? '', type])),
    complexTypes: { Size: { properties: size } },
    associations,
    entityContainer: {
      ...notes,
      name: 'C',
      entitySets: Object.fromEntries(words.map((name) => [`${name}s`, { entityType: name, ...notes }])),
      functionImports,
    },
  }))
