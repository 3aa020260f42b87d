import { fc } from '../support/random.js'
import { printModel, literalSource } from '../../lib/csdl/print-model.js'
import { readEdmx } from '../../lib/csdl/read-edmx.js'
import { writeEdmx } from '../../lib/csdl/write-edmx.js'
import { defineModel, edm } from '../../lib/edm/define-model.js'
import type { EdmModel } from '../../lib/edm/edm-model.js'
import { fileModel } from '../../lib/providers/file-system/file-model.js'
import { northwindModel } from '../../sample-app/northwind/northwind-service.js'
import { everyConstruct } from '../support/every-construct.js'
import { evaluateModel } from '../support/evaluate-model.js'
import { modelAsData } from '../support/model-as-data.js'

describe('printModel', () => {
  it.each([
    ['the file service', fileModel],
    ['the catalogue', northwindModel],
    ['every construct of CSDL', readEdmx(everyConstruct)],
    ['every construct, printed and read', readEdmx(writeEdmx(readEdmx(everyConstruct)))],
  ] as const)('MUST print a module that defines the same model: %s', (_name, model: EdmModel) => {
    const again = evaluateModel(printModel(model))
    expect(writeEdmx(again)).toBe(writeEdmx(model))
    expect(modelAsData(again)).toEqual(modelAsData(model))
  })

  it('MUST print readable code', () => {
    const model = defineModel({
      namespace: 'Shop',
      entityTypes: {
        Product: {
          key: ['ID'],
          properties: {
            ID: edm.Int32({ nullable: false }),
            Name: edm.String({ nullable: false, maxLength: 80 }),
          },
        },
      },
      entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
    })
    expect(printModel(model)).toBe(`import { defineModel, edm } from 'express-odata-v2'

export const model = defineModel({
  namespace: 'Shop',
  entityTypes: {
    Product: {
      key: ['ID'],
      properties: { ID: edm.Int32(), Name: edm.String({ nullable: false, maxLength: 80 }) },
    },
  },
  entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
})
`)
  })

  it('MUST omit association sets that the document does not have', () => {
    const xml = writeEdmx(northwindModel).replace(/<AssociationSet .*?<\/AssociationSet>/g, '')
    const model = readEdmx(xml)
    expect(writeEdmx(evaluateModel(printModel(model)))).toBe(writeEdmx(model))
  })
})

describe('A literal', () => {
  it('MUST evaluate to the original value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const run = Reflect.construct(Function, [`return (${literalSource(value)})`]) as () => unknown
        // Without the sign of zero, which JSON does not write.
        expect(run()).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
    const odd = { "it's": 'a "quote"', '\u2028': '\ud800\u0000\\', ['__proto__']: 1, 'a-b': [undefined, 1] }
    const run = Reflect.construct(Function, [`return (${literalSource(odd)})`]) as () => object
    expect(Object.getOwnPropertyDescriptors(run())).toEqual(Object.getOwnPropertyDescriptors(odd))
  })
})
