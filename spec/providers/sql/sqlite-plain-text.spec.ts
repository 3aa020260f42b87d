import { fc } from '../../support/random.js'
import type { PrimitiveTypeName } from '../../../lib/edm/primitive-types/primitive-type-name.js'
import { formatText } from '../../../lib/formats/plain-text.js'
import type { Column } from '../../../lib/providers/sql/column.js'
import { sqlite } from '../../../lib/providers/sql/dialects/sqlite/sqlite.js'

const guid = '0123abcd-89ab-4cde-8f01-23456789abcd'
const cells = fc.oneof(
  fc.constantFrom<unknown>(
    0,
    1,
    2,
    -1,
    0n,
    1n,
    0.5,
    '0',
    '1',
    '-0',
    '+1',
    '007',
    '',
    ' 1',
    '1\n',
    '1.0',
    '1e3',
  ),
  fc.constantFrom(guid, guid.toUpperCase(), `{${guid}}`, `${guid}\n`, guid.replaceAll('-', ''), `${guid}0`),
  fc.bigInt({ min: -(2n ** 66n), max: 2n ** 66n }).map(String),
  fc.integer(),
  fc.integer({ min: -300, max: 300 }),
  fc.maxSafeInteger(),
  fc.integer().map(String),
  fc.uuid(),
  fc.string(),
  fc.double(),
)

describe.each<PrimitiveTypeName>([
  'Edm.Boolean',
  'Edm.Byte',
  'Edm.SByte',
  'Edm.Int16',
  'Edm.Int32',
  'Edm.Int64',
])('cells of SQLite for %s', (type) => {
  const column = { type } as Column
  const decode = sqlite.reader(column) ?? ((cell: unknown) => cell)
  const textOf = sqlite.plainText?.(column)

  it('MUST be serialized without a check exactly where the check gives the same text', () => {
    fc.assert(
      fc.property(cells, (cell) => {
        const text = textOf?.(cell)
        if (text !== undefined) expect(text).toBe(formatText[type](decode(cell)))
      }),
      { numRuns: 2_000 },
    )
  })

  it('MUST be serialized without a check where they have the usual form', () => {
    const usual = {
      'Edm.Boolean': [0, 1],
      'Edm.Byte': [0, 255],
      'Edm.SByte': [-128, 127],
      'Edm.Int16': [-32_768, 32_767],
      'Edm.Int32': [-2_147_483_648, 2_147_483_647],
      'Edm.Int64': [0, -12, Number.MAX_SAFE_INTEGER, '0', '-12', '123456789012345678'],
    }
    for (const cell of usual[type as keyof typeof usual]) expect(textOf?.(cell)).toBeDefined()
  })
})
