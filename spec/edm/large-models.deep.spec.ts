import { readEdmx } from '../../lib/csdl/read-edmx.js'
import { writeEdmx } from '../../lib/csdl/write-edmx.js'
import { defineModel, edm } from '../../lib/edm/define-model.js'
import type { EdmModel } from '../../lib/edm/edm-model.js'
import type { ModelDefinition } from '../../lib/edm/model-definition.js'

/** As many entity types, each linked to the one before. */
function chain(length: number): EdmModel {
  const numbers = Array.from({ length }, (_, index) => index)
  const byName = <T>(prefix: string, from: number, member: (one: number) => T): Record<string, T> =>
    Object.fromEntries(numbers.slice(from).map((one) => [`${prefix}${one}`, member(one)]))
  return defineModel<ModelDefinition>({
    namespace: 'Large',
    entityTypes: byName('Type', 0, (one) => ({
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }) },
      navigationProperties: {
        ...(one > 0 && { Before: { relationship: `Link${one}`, fromRole: 'Later', toRole: 'Earlier' } }),
        ...(one + 1 < length && {
          After: { relationship: `Link${one + 1}`, fromRole: 'Earlier', toRole: 'Later' },
        }),
      },
    })),
    associations: byName('Link', 1, (one) => ({
      ends: {
        Earlier: { type: `Type${one - 1}`, multiplicity: '0..1' },
        Later: { type: `Type${one}`, multiplicity: '*' },
      },
    })),
    entityContainer: { entitySets: byName('Set', 0, (one) => ({ entityType: `Type${one}` })) },
  })
}

describe('A model of thousands of linked entity types', () => {
  const model = chain(3_000)

  it('MUST be built and frozen to its end', () => {
    const last = model.entityTypes.get('Large.Type2999')
    expect(Object.isFrozen(last?.properties)).toBe(true)
    expect(model.defaultContainer.associationSets).toHaveLength(2_999)
  })

  it('MUST resolve both directions', () => {
    const set = model.defaultContainer.entitySet('Set2000')
    const after = set?.entityType.navigationProperty('After')
    expect(after && set?.targetOf(after)?.name).toBe('Set2001')
    expect(after?.partner).toBe(after?.targetType.navigationProperty('Before'))
  })

  it('MUST be the same after serialization and parsing', () => {
    const edmx = writeEdmx(model)
    expect(writeEdmx(readEdmx(edmx)) === edmx).toBe(true)
  })
})

describe('A navigation property', () => {
  it('MUST lead to the one set that contains its type or a base type, without association sets', () => {
    const Base = { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }) } }
    const navigationProperties = { Thing: { relationship: 'Link', fromRole: 'From', toRole: 'To' } }
    const build = (sets: Record<string, { entityType: string }>): EdmModel =>
      defineModel({
        namespace: 'Small',
        entityTypes: { Base, Derived: { baseType: 'Base' }, Source: { ...Base, navigationProperties } },
        associations: {
          Link: {
            ends: {
              From: { type: 'Source', multiplicity: '*' },
              To: { type: 'Derived', multiplicity: '0..1' },
            },
          },
        },
        entityContainer: {
          entitySets: { Sources: { entityType: 'Source' }, ...sets },
          associationSets: {},
        },
      })
    const targetIn = ({ defaultContainer }: EdmModel): string | undefined => {
      const source = defaultContainer.entitySet('Sources')
      const navigation = source?.entityType.navigationProperty('Thing')
      return navigation && source?.targetOf(navigation)?.name
    }
    const bases = { Bases: { entityType: 'Base' } }
    expect(targetIn(build(bases))).toBe('Bases')
    expect(targetIn(build({ Deriveds: { entityType: 'Derived' } }))).toBe('Deriveds')
    expect(targetIn(build({ ...bases, Deriveds: { entityType: 'Derived' } }))).toBeUndefined()
    expect(targetIn(build({}))).toBeUndefined()
  })
})
