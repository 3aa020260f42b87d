import { defineModel, edm } from '../../lib/edm/define-model.js'
import type { EntityType } from '../../lib/edm/edm-model.js'
import { nameOfType } from '../../lib/edm/edm-model.js'

const ID = edm.Int32({ nullable: false })

const model = defineModel({
  schemas: [
    {
      namespace: 'NW',
      alias: 'Self',
      entityTypes: {
        Person: {
          baseType: 'Self.Party',
          properties: { Born: edm.DateTime(), Rank: edm.Int16({ concurrencyMode: 'Fixed' }) },
          navigationProperties: {
            Orders: { relationship: 'NW.PersonOrders', fromRole: 'Person', toRole: 'Orders' },
          },
        },
        Party: {
          key: ['ID'],
          abstract: true,
          hasStream: true,
          properties: {
            Name: edm.String({ syndication: { target: 'SyndicationTitle' } }),
            ID,
            Home: { type: 'Address', concurrencyMode: 'Fixed' },
            Version: edm.Int64({ nullable: false, concurrencyMode: 'Fixed' }),
            Parent_ID: edm.Int32(),
          },
          navigationProperties: {
            Parent: { relationship: 'Self.Tree', fromRole: 'Child', toRole: 'Parent' },
            Children: { relationship: 'Tree', fromRole: 'Parent', toRole: 'Child' },
          },
        },
        Customer: {
          baseType: 'Person',
          feedMappings: [{ sourcePath: 'Home/City', target: 'SyndicationSummary' }],
        },
        Order: { key: ['Year', 'No'], properties: { No: edm.Int32({ nullable: true }), Year: edm.Int16() } },
      },
      complexTypes: {
        Address: { properties: { City: edm.String(), Position: { type: 'NW.Position' } } },
        Position: { properties: { Lat: edm.Double(), Lon: edm.Double({ nullable: false }) } },
      },
      associations: {
        Tree: {
          ends: {
            Parent: { type: 'Party', multiplicity: '0..1', onDelete: 'Cascade' },
            Child: { type: 'Party', multiplicity: '*' },
          },
          referentialConstraint: {
            principal: { role: 'Parent', properties: ['ID'] },
            dependent: { role: 'Child', properties: ['Parent_ID'] },
          },
        },
        PersonOrders: {
          ends: {
            Person: { type: 'Person', multiplicity: '1' },
            Orders: { type: 'Order', multiplicity: '*' },
          },
        },
      },
    },
    {
      namespace: 'Service',
      usings: [{ namespace: 'NW', alias: 'N' }],
      entityContainers: {
        Main: {
          default: true,
          entitySets: { Parties: { entityType: 'N.Party' }, Orders: { entityType: 'NW.Order' } },
          associationSets: {
            Trees: { association: 'N.Tree', ends: { Parent: 'Parties', Child: 'Parties' } },
          },
          functionImports: {
            Oldest: { returnType: 'N.Person' },
            Names: {
              returnType: 'Collection(Edm.String)',
              httpMethod: 'GET',
              parameters: { limit: edm.Int32() },
            },
            Reset: {},
          },
        },
        Archive: {
          entitySets: { Orders: { entityType: 'N.Order' }, OldOrders: { entityType: 'N.Order' } },
          functionImports: { Total: { returnType: 'Edm.Int64' } },
        },
      },
    },
  ],
})

function typeOf(name: string): EntityType {
  const type = model.entityTypes.get(name)
  if (type === undefined) throw new Error(`No type ${name}.`)
  return type
}

const names = (list: readonly { readonly name: string }[]): string[] => list.map(({ name }) => name)
const [party, person, customer, order] = ['NW.Party', 'NW.Person', 'NW.Customer', 'NW.Order'].map(typeOf) as [
  EntityType,
  EntityType,
  EntityType,
  EntityType,
]

describe('entity types', () => {
  it('MUST have their properties in the order of declaration, starting with the base type', () => {
    expect(names(person.properties)).toEqual(['Name', 'ID', 'Home', 'Version', 'Parent_ID', 'Born', 'Rank'])
    expect(names(person.declaredProperties)).toEqual(['Born', 'Rank'])
    expect(person.property('Name')).toBe(party.property('Name'))
    expect(party.property('Born')).toBeUndefined()
    expect(names(person.navigationProperties)).toEqual(['Parent', 'Children', 'Orders'])
    expect(party.navigationProperty('Orders')).toBeUndefined()
  })

  it('MUST have their key properties in the order of the key', () => {
    expect(names(order.key)).toEqual(['Year', 'No'])
    expect(customer.key).toEqual([party.property('ID')])
    expect(names(order.properties)).toEqual(['No', 'Year'])
  })

  it('MUST NOT have nullable key properties; other properties are nullable by default', () => {
    expect(order.properties.map(({ nullable, isKey }) => [nullable, isKey])).toEqual([
      [false, true],
      [false, true],
    ])
    expect(party.property('Name')?.nullable).toBe(true)
    expect(party.property('Version')?.nullable).toBe(false)
  })

  it('MUST inherit HasStream, and resolve base and derived types in any order of declaration', () => {
    expect([party, person, customer, order].map(({ hasStream }) => hasStream)).toEqual([
      true,
      true,
      true,
      false,
    ])
    expect([party, person].map(({ declaresStream }) => declaresStream)).toEqual([true, false])
    expect(customer.baseType).toBe(person)
    expect(names(party.derivedTypes).sort()).toEqual(['Customer', 'Person'])
    expect([party.abstract, person.abstract]).toEqual([true, false])
    expect([
      customer.isOrInherits(party),
      customer.isOrInherits(customer),
      party.isOrInherits(person),
    ]).toEqual([true, true, false])
  })

  it('MUST use simple properties with ConcurrencyMode Fixed as their version', () => {
    expect(names(party.concurrencyTokens)).toEqual(['Version'])
    expect(names(customer.concurrencyTokens)).toEqual(['Version', 'Rank'])
  })

  it('MUST inherit feed customizations', () => {
    expect(customer.feedMappings).toEqual([
      { sourcePath: ['Name'], targetPath: 'SyndicationTitle', contentKind: 'text', keepInContent: true },
      {
        sourcePath: ['Home', 'City'],
        targetPath: 'SyndicationSummary',
        contentKind: 'text',
        keepInContent: true,
      },
    ])
    expect(party.declaredFeedMappings).toEqual([])
  })

  it('MUST support complex types in complex types', () => {
    const home = party.property('Home')?.type
    const address = model.complexTypes.get('NW.Address')
    expect(home).toBe(address)
    expect(address?.property('Position')?.type).toBe(model.complexTypes.get('NW.Position'))
    expect(home && nameOfType(home)).toBe('NW.Address')
    expect(nameOfType('Edm.Int32')).toBe('Edm.Int32')
  })
})

describe('navigation properties', () => {
  it('MUST resolve both directions of an association from a type to itself', () => {
    const [parent, children] = ['Parent', 'Children'].map((name) => party.navigationProperty(name))
    expect(parent).toMatchObject({ isCollection: false, targetType: { name: 'Party' } })
    expect(children).toMatchObject({ isCollection: true })
    expect(parent?.partner).toBe(children)
    expect(children?.partner).toBe(parent)
    expect([parent?.fromEnd.role, parent?.toEnd.role, parent?.toEnd.onDelete]).toEqual([
      'Child',
      'Parent',
      'Cascade',
    ])
    expect(person.navigationProperty('Orders')?.partner).toBeUndefined()
  })

  it('MUST share the foreign key of their association', () => {
    const constraint = party.navigationProperty('Parent')?.association.referentialConstraint
    expect(constraint?.principal.role).toBe('Parent')
    expect(constraint?.principalProperties).toEqual([party.property('ID')])
    expect(constraint?.dependentProperties).toEqual([party.property('Parent_ID')])
  })
})

describe('entity containers', () => {
  const { defaultContainer } = model
  const archive = model.entityContainers.find(({ name }) => name === 'Archive')

  it('MUST have addresses that are qualified outside of the default container', () => {
    expect([defaultContainer.qualifiedName, defaultContainer.isDefault, archive?.isDefault]).toEqual([
      'Service.Main',
      true,
      false,
    ])
    expect(defaultContainer.entitySets.map(({ path }) => path)).toEqual(['Parties', 'Orders'])
    expect(archive?.entitySets.map(({ path }) => path)).toEqual(['Archive.Orders', 'Archive.OldOrders'])
    expect(archive?.functionImport('Total')?.path).toBe('Archive.Total')
    expect(defaultContainer.entitySet('Parties')?.container).toBe('Service.Main')
    expect(defaultContainer.entitySet('OldOrders')).toBeUndefined()
  })

  it('MUST resolve the set at the end of a navigation: by association set, or by its type if only one set fits', () => {
    const parties = defaultContainer.entitySet('Parties')
    const target = (name: string) => {
      const navigation = person.navigationProperty(name)
      return navigation && parties?.targetOf(navigation)
    }
    expect(target('Parent')).toBe(parties)
    expect(target('Children')).toBe(parties)
    expect(target('Orders')).toBe(defaultContainer.entitySet('Orders'))
  })

  it('MUST NOT guess where two sets fit', () => {
    const two = defineModel({
      namespace: 'S',
      entityTypes: {
        A: {
          key: ['ID'],
          properties: { ID },
          navigationProperties: { Next: { relationship: 'Chain', fromRole: 'From', toRole: 'To' } },
        },
      },
      associations: {
        Chain: { ends: { From: { type: 'A', multiplicity: '1' }, To: { type: 'A', multiplicity: '0..1' } } },
      },
      entityContainer: { entitySets: { As: { entityType: 'A' }, Bs: { entityType: 'A' } } },
    })
    const navigation = two.entityTypes.get('S.A')?.navigationProperty('Next')
    expect(navigation && two.defaultContainer.entitySet('As')?.targetOf(navigation)).toBeUndefined()
  })

  it('MUST support functions with results of every kind', () => {
    expect(defaultContainer.functionImport('Oldest')).toMatchObject({
      returnType: { type: { qualifiedName: 'NW.Person' }, isCollection: false },
      entitySet: { name: 'Parties' },
      httpMethod: undefined,
      parameters: [],
    })
    expect(defaultContainer.functionImport('Names')).toMatchObject({
      returnType: { type: 'Edm.String', isCollection: true },
      entitySet: undefined,
      httpMethod: 'GET',
      parameters: [{ name: 'limit', type: 'Edm.Int32', nullable: true }],
    })
    expect(defaultContainer.functionImport('Reset')?.returnType).toBeUndefined()
  })
})

describe('a model', () => {
  it('MUST be deeply frozen', () => {
    const loose: string[] = []
    const seen = new Set<unknown>()
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null || seen.has(value)) return
      seen.add(value)
      if (value instanceof Map) value.forEach((one, key) => visit(one, `${path}.${String(key)}`))
      else if (!Object.isFrozen(value)) loose.push(path)
      for (const [name, member] of Object.entries(value)) visit(member, `${path}.${name}`)
    }
    visit(model, 'model')
    expect(loose).toEqual([])
  })

  it('MUST be of version 1.0, or of 2.0 if a property is not in the content', () => {
    const version = (keepInContent: boolean) =>
      defineModel({
        namespace: 'S',
        entityTypes: {
          A: {
            key: ['ID'],
            properties: { ID, N: edm.String({ syndication: { target: 'SyndicationTitle', keepInContent } }) },
          },
        },
        entityContainer: {},
      }).dataServiceVersion
    expect([version(true), version(false), model.dataServiceVersion]).toEqual(['1.0', '2.0', '1.0'])
  })

  it('MUST have a container with a default name', () => {
    const { defaultContainer } = defineModel({ namespace: 'S', entityContainer: {} })
    expect(defaultContainer).toMatchObject({ qualifiedName: 'S.Container', isDefault: true, entitySets: [] })
    expect(defineModel({ namespace: 'S', entityContainer: { name: 'C' } }).defaultContainer.name).toBe('C')
  })
})
