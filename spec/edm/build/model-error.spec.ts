import { ModelError } from '../../../lib/edm/build/model-error.js'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { EntityTypeDefinition, ModelDefinition } from '../../../lib/edm/model-definition.js'
import { modelErrorsOf } from '../../support/model-errors-of.js'

const ID = edm.Int32({ nullable: false })

/** Returns the errors of a valid model with one additional entity type. */
function errorsOfType(definition: EntityTypeDefinition, others: ModelDefinition = {}): readonly string[] {
  return errorsOf({
    ...others,
    entityTypes: { Sound: { key: ['ID'], properties: { ID } }, ...others.entityTypes, T: definition },
  })
}

function errorsOf(definition: ModelDefinition): readonly string[] {
  return modelErrorsOf(() =>
    defineModel<ModelDefinition>({
      namespace: 'S',
      entityTypes: { Sound: { key: ['ID'], properties: { ID } } },
      entityContainer: { entitySets: { Sounds: { entityType: 'Sound' } } },
      ...definition,
    }),
  )
}

describe('ModelError', () => {
  it('MUST list all errors, each with its place', () => {
    const define = () =>
      defineModel<ModelDefinition>({
        namespace: 'Shop',
        entityTypes: {
          Product: {
            key: ['Id'],
            properties: { ID, Name: { type: 'Edm.Sting' }, Price: edm.Decimal({ precision: 2, scale: 4 }) },
            navigationProperties: {
              Category: { relationship: 'ProductCategori', fromRole: 'A', toRole: 'B' },
            },
          },
        },
        entityContainer: { entitySets: { Products: { entityType: 'Produkt' } } },
      })
    expect(define).toThrow(ModelError)
    const errors = [
      "Shop.Product.Name: there is no simple or complex type 'Edm.Sting'. Did you mean 'Edm.String'?",
      'Shop.Product.Price: Scale 4 is larger than Precision 2.',
      "Shop.Product: the key names a property 'Id' that does not exist. Did you mean 'ID'?",
      "Shop.Product.Category: there is no association 'ProductCategori'.",
      "Shop.Container.Products: there is no entity type 'Produkt'. Did you mean 'Product'?",
    ]
    expect([...modelErrorsOf(define)].sort()).toEqual([...errors].sort())
    expect(define).toThrow('The model has 5 errors:\n- Shop.Product')
  })

  it('MUST use the singular for one error', () => {
    expect(() =>
      defineModel({ namespace: 'S', entityContainer: {}, alias: 'S', entityTypes: { T: {} } }),
    ).toThrow(
      'The model has an error:\n- S.T: an entity type needs a key: name its properties, for instance ["ID"].',
    )
  })

  it('MUST list an error once', () => {
    expect(new ModelError(['a', 'b']).errors).toEqual(['a', 'b'])
    expect(errorsOfType({ key: ['X', 'X'], properties: {} })).toEqual([
      "S.T: the key names a property 'X' that does not exist.",
    ])
  })
})

describe('errors of entity types', () => {
  it.each<[string, EntityTypeDefinition, readonly string[]]>([
    [
      'no key',
      { properties: { ID } },
      ['S.T: an entity type needs a key: name its properties, for instance ["ID"].'],
    ],
    [
      'an empty key',
      { key: [], properties: { ID } },
      ['S.T: an entity type needs a key: name its properties, for instance ["ID"].'],
    ],
    [
      'a key property twice',
      { key: ['ID', 'ID'], properties: { ID } },
      ["S.T: the key names the property 'ID' twice."],
    ],
    [
      'a key that is a complex property',
      { key: ['C'], properties: { C: { type: 'C' } } },
      ["S.T: the key property 'C' must be of a simple type."],
    ],
    [
      'an unknown base type',
      { baseType: 'Soud' },
      ["S.T: there is no entity type 'Soud' to derive from. Did you mean 'Sound'?"],
    ],
    ['itself as base type', { baseType: 'T' }, ['S.T: the type is derived from itself.']],
    [
      'a key of its own though it is derived',
      { baseType: 'Sound', key: ['A'], properties: { A: ID } },
      ['S.T: a derived type takes its key from the base type.'],
    ],
    [
      'a property that the base type has',
      { baseType: 'Sound', properties: { ID } },
      ['S.T.ID: the base type already has a property with this name.'],
    ],
    [
      'default values that are not of their type',
      {
        key: ['ID'],
        properties: {
          ID,
          A: edm.Boolean({ defaultValue: 'yes' }),
          B: edm.Int32({ defaultValue: '3000000000' }),
          C: edm.DateTime({ defaultValue: 'now' }),
          D: edm.Decimal({ defaultValue: '' }),
        },
      },
      [
        "S.T.A: the default value 'yes' is not a valid Edm.Boolean.",
        "S.T.B: the default value '3000000000' is not a valid Edm.Int32.",
        "S.T.C: the default value 'now' is not a valid Edm.DateTime.",
        "S.T.D: the default value '' is not a valid Edm.Decimal.",
      ],
    ],
    [
      'an unknown simple type',
      { key: ['ID'], properties: { ID, P: { type: 'Edm.Integer' } } },
      ["S.T.P: there is no simple or complex type 'Edm.Integer'."],
    ],
    [
      'a simple type without Edm',
      { key: ['ID'], properties: { ID, P: { type: 'String' } } },
      ["S.T.P: there is no simple or complex type 'String'. Did you mean 'Edm.String'?"],
    ],
    [
      'an entity type as type of a property',
      { key: ['ID'], properties: { ID, P: { type: 'Sound' } } },
      ["S.T.P: there is no simple or complex type 'Sound'."],
    ],
    [
      'wrong facets',
      {
        key: ['ID'],
        properties: {
          ID,
          A: edm.String({ maxLength: 0 }),
          B: edm.String({ maxLength: 1.5 }),
          C: edm.DateTime({ precision: -1 }),
          D: edm.Decimal({ scale: 0.5 }),
        },
      },
      [
        "S.T.A: MaxLength must be a positive integer or 'Max', not 0.",
        "S.T.B: MaxLength must be a positive integer or 'Max', not 1.5.",
        'S.T.C: Precision must be a non-negative integer, not -1.',
        'S.T.D: Scale must be a non-negative integer, not 0.5.',
      ],
    ],
    [
      'names that CSDL does not allow',
      {
        key: ['1'],
        properties: { '1': ID, 'a b': edm.String(), 'S.c': ID, [`x${'y'.repeat(480)}`]: edm.String() },
      },
      [
        expect.stringContaining("S.T.1: '1' is not a valid name: names start with a letter"),
        expect.stringContaining("S.T.a b: 'a b' is not a valid name"),
        expect.stringMatching(/'S\.c' is not a valid name: .* Write 'c': the schema adds the namespace\.$/),
        expect.stringContaining('have at most 480 characters.'),
      ],
    ],
  ])('MUST report the place of %s', (_, definition, expected) => {
    const complexTypes = { C: { properties: {} } }
    expect(errorsOfType(definition, { complexTypes })).toEqual(expected)
  })

  it('MUST accept names in any script, and names of members of every object', () => {
    const names = [
      'Größe',
      '名前',
      'Ⅷ',
      'a1_b',
      '_x',
      'constructor',
      'toString',
      '__proto__',
      'hasOwnProperty',
    ]
    const properties = Object.fromEntries(names.map((name) => [name, edm.String()]))
    const model = defineModel({
      namespace: 'S',
      entityTypes: { T: { key: ['ID'], properties: { ID, ...properties } } },
      entityContainer: { entitySets: { Ts: { entityType: 'T' } } },
    })
    const type = model.entityTypes.get('S.T')
    expect(type?.properties.map(({ name }) => name)).toEqual(['ID', ...Object.keys(properties)])
    expect(type?.property('valueOf')).toBeUndefined()
  })

  it('MUST detect cycles of base types', () => {
    const errors = errorsOf({
      entityTypes: { A: { baseType: 'B' }, B: { baseType: 'C' }, C: { baseType: 'A' } },
    })
    expect(errors.filter((one) => one.endsWith('the type is derived from itself.'))).toHaveLength(1)
  })

  it('MUST detect a property and a navigation property with the same name, also if one is inherited', () => {
    const nav = { relationship: 'Tree', fromRole: 'Child', toRole: 'Parent' }
    const tree = {
      associations: {
        Tree: {
          ends: {
            Parent: { type: 'Base', multiplicity: '0..1' },
            Child: { type: 'Base', multiplicity: '*' },
          },
        },
      },
    } as const
    const Base = {
      key: ['ID'],
      properties: { ID, A: edm.String() },
      navigationProperties: { N: nav },
    } as const
    const twice = 'the type has another property with this name.'
    expect(
      errorsOf({ ...tree, entityTypes: { Base: { ...Base, navigationProperties: { A: nav } } } }),
    ).toContain(`S.Base.A: ${twice}`)
    expect(
      errorsOfType(
        { baseType: 'Base', navigationProperties: { A: nav, N: nav } },
        { ...tree, entityTypes: { Base } },
      ),
    ).toEqual([`S.T.A: ${twice}`, `S.T.N: ${twice}`])
    expect(
      errorsOfType({ baseType: 'Base', properties: { N: edm.String() } }, { ...tree, entityTypes: { Base } }),
    ).toEqual(['S.T.N: the base type already has a navigation property with this name.'])
  })
})

describe('errors of complex types', () => {
  it('MUST detect types that contain themselves', () => {
    const errors = errorsOf({
      complexTypes: {
        A: { properties: { B: { type: 'B' } } },
        B: { properties: { C: { type: 'C' } } },
        C: { properties: { A: { type: 'A' } } },
        D: { properties: { A: { type: 'A' } } },
      },
    })
    expect(errors).toEqual(['A', 'B', 'C'].map((name) => `S.${name}: the complex type contains itself.`))
  })

  it('MUST reject a base type of a complex type that is unknown or the type itself, and duplicate members', () => {
    expect(
      errorsOf({
        complexTypes: {
          A: { baseType: 'Siz', properties: {} },
          B: { baseType: 'C', properties: {} },
          C: { baseType: 'B', properties: {} },
          D: { baseType: 'Size', properties: { W: edm.Double() } },
          E: { baseType: 'Sound', properties: {} },
          F: { baseType: 'Size', properties: { Inner: { type: 'F' } } },
          Size: { properties: { W: edm.Double() } },
        },
      }),
    ).toEqual([
      "S.A: there is no complex type 'Siz' to derive from. Did you mean 'Size'?",
      'S.C: the type is derived from itself.',
      'S.D.W: the base type already has a property with this name.',
      "S.E: there is no complex type 'Sound' to derive from.",
      'S.F: the complex type contains itself.',
    ])
  })

  it('MUST reject feed customizations on their properties', () => {
    const City = edm.String({ syndication: { target: 'SyndicationTitle' } })
    expect(errorsOf({ complexTypes: { Address: { properties: { City } } } })).toEqual([
      'S.Address.City: feed mappings belong to entity types: add this one there, with the path to this property.',
    ])
  })
})

describe('errors of schemas', () => {
  it('MUST detect two types, and two schemas, of the same name', () => {
    expect(
      errorsOf({ complexTypes: { Sound: { properties: {} } }, associations: { Sound: { ends: {} } } }),
    ).toContain('S.Sound: the schema has two types with this name.')
    expect(errorsOf({ schemas: [{ namespace: 'S' }] })).toContain('S: two schemas have this namespace.')
  })

  it('MUST detect an empty model and a model without container', () => {
    expect(modelErrorsOf(() => defineModel({}))).toEqual([
      "model: the model is empty: it needs a 'namespace' and its types, or 'schemas'.",
      'model: there is no entity container.',
    ])
    expect(modelErrorsOf(() => defineModel({ namespace: 'S' }))).toEqual([
      'model: there is no entity container.',
    ])
  })

  it('MUST require one default container', () => {
    const containers = (first?: boolean, second?: boolean): ModelDefinition => ({
      namespace: 'S',
      entityContainers: {
        A: first === undefined ? {} : { default: first },
        B: second === undefined ? {} : { default: second },
      },
    })
    expect(modelErrorsOf(() => defineModel(containers()))).toEqual([
      "model: one of 'S.A', 'S.B' must be the default container.",
    ])
    expect(modelErrorsOf(() => defineModel(containers(true, true)))).toEqual([
      "model: only one of 'S.A', 'S.B' can be the default container.",
    ])
    expect(defineModel(containers(false, true)).defaultContainer.name).toBe('B')
  })
})
