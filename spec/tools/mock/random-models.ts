import { fc } from '../../support/random.js'
import type {
  AssociationDefinition,
  EntityTypeDefinition,
  ModelDefinition,
  NavigationPropertyDefinition,
  PropertyDefinition,
} from '../../../lib/edm/model-definition.js'

const lengths = fc.oneof(
  fc.record({}),
  fc.record({ maxLength: fc.integer({ min: 1, max: 40 }), fixedLength: fc.boolean() }),
)

const digits = fc
  .integer({ min: 1, max: 20 })
  .chain((precision) =>
    fc.oneof(
      fc.record({}),
      fc.record({ precision: fc.constant(precision), scale: fc.integer({ min: 0, max: precision }) }),
    ),
  )

const text = lengths.map((facets) => ({ type: 'Edm.String', ...facets }))
const bytes = lengths.map((facets) => ({ type: 'Edm.Binary', ...facets }))
const decimal = digits.map((facets) => ({ type: 'Edm.Decimal', ...facets }))

const ordinary = fc
  .constantFrom(
    'Edm.Boolean',
    'Edm.Byte',
    'Edm.SByte',
    'Edm.Int16',
    'Edm.Int32',
    'Edm.Int64',
    'Edm.Single',
    'Edm.Double',
    'Edm.Guid',
    'Edm.Time',
    'Edm.DateTime',
    'Edm.DateTimeOffset',
  )
  .map((type) => ({ type }))

const property: fc.Arbitrary<PropertyDefinition> = fc
  .tuple(fc.oneof({ weight: 3, arbitrary: ordinary }, text, bytes, decimal), fc.boolean())
  .map(([facets, nullable]) => ({ ...facets, nullable }))

const keyPart: fc.Arbitrary<PropertyDefinition> = fc
  .oneof({ weight: 2, arbitrary: ordinary }, text, bytes, decimal)
  .filter(({ type }) => type !== 'Edm.Single' && type !== 'Edm.Double')
  .map((facets) => ({ ...facets, nullable: false }))

const names = fc.uniqueArray(
  fc.constantFrom('Email', 'Price', 'City', 'Status', 'Description', 'Born', 'Year'),
  {
    maxLength: 5,
  },
)

interface RandomType {
  readonly key: readonly PropertyDefinition[]
  readonly members: Readonly<Record<string, PropertyDefinition>>
  readonly hasStream: boolean
  readonly isAbstract: boolean
  readonly hasDerived: boolean
}

const randomType: fc.Arbitrary<RandomType> = fc.record({
  key: fc.array(keyPart, { minLength: 1, maxLength: 2 }),
  members: names.chain((list) => fc.record(Object.fromEntries(list.map((name) => [name, property])))),
  hasStream: fc.boolean(),
  isAbstract: fc.boolean(),
  hasDerived: fc.boolean(),
})

interface RandomRelation {
  readonly from: number
  readonly to: number
  /** In the key of the dependent, in properties of its own, or nowhere. */
  readonly kind: 'key' | 'property' | 'links'
  readonly single: boolean
  readonly principal: '1' | '0..1'
  readonly ends: readonly [Multiplicity, Multiplicity]
}

type Multiplicity = '0..1' | '1' | '*'

const multiplicity = fc.constantFrom<Multiplicity>('0..1', '1', '*')

const relation: fc.Arbitrary<RandomRelation> = fc.record({
  from: fc.nat(3),
  to: fc.nat(3),
  kind: fc.constantFrom('key', 'property', 'links'),
  single: fc.boolean(),
  principal: fc.constantFrom('1', '0..1'),
  ends: fc.tuple(multiplicity, multiplicity),
})

/** Models with keys of all types, foreign keys inside and outside of keys, and links of all multiplicities, including cycles. */
export const randomModel: fc.Arbitrary<ModelDefinition> = fc
  .tuple(fc.array(randomType, { minLength: 2, maxLength: 4 }), fc.array(relation, { maxLength: 5 }))
  .map(([types, relations]) => modelOf(types, relations))

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

function modelOf(types: readonly RandomType[], relations: readonly RandomRelation[]): ModelDefinition {
  const entityTypes: Record<string, Mutable<EntityTypeDefinition>> = {}
  const sets: Record<string, { entityType: string }> = {}
  const properties = types.map(({ key, members }) => ({
    ...Object.fromEntries(key.map((part, index) => [`K${String(index)}`, part])),
    ...members,
  })) as Record<string, PropertyDefinition>[]
  const keys = types.map(({ key }) => key.map((_, index) => `K${String(index)}`))
  const navigations: Record<string, NavigationPropertyDefinition>[] = types.map(() => ({}))
  const associations: Record<string, AssociationDefinition> = {}
  for (const [number, one] of relations.entries()) {
    const [from, to] = [one.from % types.length, one.to % types.length]
    const name = `R${String(number)}`
    const constraint = constraintOf(one, name, properties[to] ?? {}, properties[from] ?? {}, keys[to] ?? [])
    if (one.kind === 'key' && constraint !== undefined) keys[from]?.push(...constraint)
    associations[name] = {
      ends: {
        P: { type: `T${String(to)}`, multiplicity: constraint === undefined ? one.ends[0] : one.principal },
        D: {
          type: `T${String(from)}`,
          multiplicity: constraint === undefined ? one.ends[1] : one.single ? '0..1' : '*',
        },
      },
      ...(constraint === undefined
        ? {}
        : {
            referentialConstraint: {
              principal: { role: 'P', properties: (keys[to] ?? []).slice(0, constraint.length) },
              dependent: { role: 'D', properties: constraint },
            },
          }),
    }
    Object.assign(navigations[from] ?? {}, {
      [`To${name}`]: { relationship: name, fromRole: 'D', toRole: 'P' },
    })
    Object.assign(navigations[to] ?? {}, {
      [`Of${name}`]: { relationship: name, fromRole: 'P', toRole: 'D' },
    })
  }
  for (const [index, { hasStream, isAbstract, hasDerived }] of types.entries()) {
    const name = `T${String(index)}`
    entityTypes[name] = {
      key: keys[index] ?? [],
      abstract: isAbstract && hasDerived,
      hasStream,
      properties: properties[index] ?? {},
      navigationProperties: navigations[index] ?? {},
    }
    if (hasDerived)
      entityTypes[`${name}D`] = { baseType: name, properties: { Extra: { type: 'Edm.String' } } }
    sets[`S${String(index)}`] = { entityType: name }
  }
  return {
    namespace: 'M',
    entityTypes,
    associations,
    entityContainer: { entitySets: sets },
  }
}

/** Adds the properties of a foreign key to the dependent. @returns their names, or undefined for links */
function constraintOf(
  { kind, principal }: RandomRelation,
  name: string,
  principalProperties: Readonly<Record<string, PropertyDefinition>>,
  dependentProperties: Record<string, PropertyDefinition>,
  principalKey: readonly string[],
): string[] | undefined {
  if (kind === 'links') return undefined
  // A key that refers to itself would have to contain itself.
  if (principalProperties === dependentProperties && kind === 'key') return undefined
  return principalKey.map((part) => {
    const own = `${name}${part}`
    const nullable = kind === 'property' && principal === '0..1'
    dependentProperties[own] = { ...(principalProperties[part] ?? { type: 'Edm.Int32' }), nullable }
    return own
  })
}
