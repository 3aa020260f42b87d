import { defineModel, edm } from '../../lib/edm/define-model.js'
import type { ValueColumn } from '../../lib/evaluation/value-row.js'
import { copyCell } from '../../lib/evaluation/value-row.js'
import { literalFormatter, literalText } from '../../lib/formats/literal-text.js'
import { stringColumn } from '../../lib/providers/sql/wire/text-cells.js'
import { ByteSource, padded } from '../../lib/util/byte-source.js'
import { ByteWriter } from '../../lib/util/byte-writer.js'
import { required } from '../../lib/util/required.js'
import { codePoint, fc, runs } from '../support/random.js'

const type = defineModel({
  namespace: 'N',
  entityTypes: {
    Thing: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Name: edm.String(),
        Code: edm.Guid(),
        Long: edm.Int64(),
      },
    },
  },
  entityContainer: { entitySets: { Things: { entityType: 'Thing' } } },
}).defaultContainer.entitySet('Things')?.entityType

const textColumn = { path: [], decode: undefined, plainText: undefined, bytes: { writeText: copyCell } }

/** Returns the literal that is copied from the bytes of a value; undefined if it has to be formatted. */
function copied(name: string, column: ValueColumn, value: string): string | undefined {
  const { copy } = literalFormatter(required(type?.property(name)), column)
  const bytes = padded(Buffer.from(value))
  const out = new ByteWriter()
  return copy?.(out, new ByteSource(bytes), 0, bytes.length) === true ? out.end().toString() : undefined
}

describe('Literals of bytes', () => {
  it('MUST be those of the values', () => {
    const code = '00000000-0000-4000-8000-00000000000a'
    expect(copied('Code', textColumn, code)).toBe(literalText(code, 'Edm.Guid'))
    expect(copied('Long', textColumn, '-5')).toBe(literalText('-5', 'Edm.Int64'))
  })

  it('MUST be copied from strings without characters that are encoded or doubled, and only from these', () => {
    const column = { path: [], plainText: undefined, decode: undefined, ...stringColumn }
    const string = fc.oneof(
      fc.string({ unit: codePoint, maxLength: 20 }),
      fc.string({ unit: fc.constantFrom(...'azAZ09-._~()*!,=:@$;') }),
    )
    fc.assert(
      fc.property(string, (value) => {
        const literal = literalText(value, 'Edm.String')
        expect(copied('Name', column, value)).toBe(literal === `'${value}'` ? literal : undefined)
      }),
      { numRuns: runs(1000) },
    )
  })
})
