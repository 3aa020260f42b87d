import { fc, runs } from '../support/random.js'
import { printModel } from '../../lib/csdl/print-model.js'
import { readEdmx } from '../../lib/csdl/read-edmx.js'
import { writeEdmx } from '../../lib/csdl/write-edmx.js'
import { defineModel } from '../../lib/edm/define-model.js'
import { evaluateModel } from '../support/evaluate-model.js'
import { modelAsData } from '../support/model-as-data.js'
import { randomDefinition } from '../support/random-definition.js'

describe('Random models', () => {
  it('MUST be the same after serialization and parsing', () => {
    fc.assert(
      fc.property(randomDefinition, (one) => {
        const model = defineModel(one)
        const written = writeEdmx(model)
        const read = readEdmx(written)
        expect(modelAsData(read)).toEqual(modelAsData(model))
        expect(writeEdmx(read)).toBe(written)
      }),
      { numRuns: runs(150) },
    )
  })

  it('MUST be the same after they are printed as a module and evaluated', () => {
    fc.assert(
      fc.property(randomDefinition, (one) => {
        const model = defineModel(one)
        const again = evaluateModel(printModel(model))
        expect(modelAsData(again)).toEqual(modelAsData(model))
        expect(writeEdmx(again)).toBe(writeEdmx(model))
      }),
      { numRuns: runs(100) },
    )
  })
})
