import express from 'express'
import type { EdmModel } from '../../../lib/index.js'
import { defineModel, edm, generateData, memoryProvider, odataV2 } from '../../../lib/index.js'

type Type = ReturnType<typeof edm.Int32 | typeof edm.Decimal | typeof edm.Boolean | typeof edm.String>

/** Creates a model whose foreign key has another type than the key. */
function modelOf(key: Type, foreignKey: Type): EdmModel {
  return defineModel({
    namespace: 'T',
    entityTypes: {
      Plant: { key: ['ID'], properties: { ID: key } },
      Order: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Plant: foreignKey } },
    },
    associations: {
      PlantOfOrder: {
        ends: { Plant: { type: 'Plant', multiplicity: '1' }, Order: { type: 'Order', multiplicity: '*' } },
        referentialConstraint: {
          principal: { role: 'Plant', properties: ['ID'] },
          dependent: { role: 'Order', properties: ['Plant'] },
        },
      },
    },
    entityContainer: {
      entitySets: { Plants: { entityType: 'Plant' }, Orders: { entityType: 'Order' } },
      associationSets: {
        PlantOfOrder: { association: 'PlantOfOrder', ends: { Plant: 'Plants', Order: 'Orders' } },
      },
    },
  })
}

const start = (model: EdmModel, data: ReturnType<typeof generateData>): void => {
  express().use(odataV2(model, memoryProvider(model, data)))
}

describe('Generated rows whose foreign key has another type than the key', () => {
  it('MUST have numbers of the type of the foreign key', () => {
    const model = modelOf(edm.Decimal({ nullable: false, precision: 6, scale: 0 }), edm.Int32())
    const data = generateData(model)
    const keys = (data.Plants ?? []).map(({ ID }) => Number(ID))
    const foreignKeys = (data.Orders ?? []).map(({ Plant }) => Plant)
    expect(foreignKeys.length).toBeGreaterThan(0)
    expect(foreignKeys.filter((one) => !keys.includes(one as number))).toEqual([])
    expect(() => {
      start(model, data)
    }).not.toThrow()
  })

  it('MUST leave it to the service to refuse types that cannot be compared, by their names', () => {
    const model = modelOf(edm.Boolean({ nullable: false }), edm.String())
    expect(() => {
      start(model, generateData(model))
    }).toThrow(/'Plant' is Edm.String, but 'ID', to which it refers, is Edm.Boolean/)
  })
})
