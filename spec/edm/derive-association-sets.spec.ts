import { writeEdmx } from '../../lib/csdl/write-edmx.js'
import { defineModel, edm } from '../../lib/edm/define-model.js'
import type { EdmModel } from '../../lib/edm/edm-model.js'

const key = { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }) } } as const

function model(
  entitySets: Record<string, { entityType: string }>,
  associationSets?: Record<string, { association: string; ends: Record<string, string> }>,
): EdmModel {
  return defineModel({
    namespace: 'S',
    entityTypes: { A: key, B: key },
    associations: {
      AB: { ends: { A: { type: 'A', multiplicity: '1' }, B: { type: 'B', multiplicity: '*' } } },
    },
    entityContainer: { entitySets, ...(associationSets && { associationSets }) },
  })
}

describe('An association set that is missing in a definition', () => {
  it('MUST be derived where each end has one entity set', () => {
    const one = model({ As: { entityType: 'A' }, Bs: { entityType: 'B' } })
    const [set] = one.defaultContainer.associationSets
    expect(set?.name).toBe('AB')
    expect(set?.ends.map(({ role, entitySet }) => [role, entitySet.name])).toEqual([
      ['A', 'As'],
      ['B', 'Bs'],
    ])
    expect(writeEdmx(one)).toContain('<AssociationSet Name="AB" Association="S.AB">')
  })

  it('MUST get another name if an entity set has the name of the association', () => {
    const { associationSets } = model({ AB: { entityType: 'A' }, Bs: { entityType: 'B' } }).defaultContainer
    expect(associationSets.map(({ name }) => name)).toEqual(['ABSet'])
  })

  it('MUST NOT be derived if two entity sets are possible, or none', () => {
    const many = model({ As: { entityType: 'A' }, Other: { entityType: 'A' }, Bs: { entityType: 'B' } })
    expect(many.defaultContainer.associationSets).toEqual([])
    expect(model({ As: { entityType: 'A' } }).defaultContainer.associationSets).toEqual([])
  })

  it('MUST NOT be derived in addition to a declared one', () => {
    const declared = { Mine: { association: 'AB', ends: { A: 'As', B: 'Bs' } } }
    const { associationSets } = model(
      { As: { entityType: 'A' }, Bs: { entityType: 'B' } },
      declared,
    ).defaultContainer
    expect(associationSets.map(({ name }) => name)).toEqual(['Mine'])
  })
})
