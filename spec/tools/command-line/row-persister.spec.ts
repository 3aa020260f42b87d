import { fc, runs } from '../../support/random.js'
import { parseRows } from '../../../lib/tools/command-line/data-directory.js'
import { formatRows } from '../../../lib/tools/command-line/row-persister.js'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import type { Row } from '../../../lib/evaluation/row.js'
import { parseJson } from '../../../lib/formats/json/parse-json.js'
import { generateData } from '../../../lib/index.js'
import { openMemory } from '../../../lib/providers/memory/memory-provider.js'
import type { MemoryStore } from '../../../lib/providers/memory/memory-store.js'
import { storedRows } from '../../../lib/providers/memory/stored-rows.js'
import { randomModel } from '../mock/random-models.js'

const opened = (model: EdmModel, data: Readonly<Record<string, readonly Row[]>>): MemoryStore =>
  openMemory(model, data, {}).store

/** Everything that a store holds, in documents by the path of the set. */
function documentsOf(store: MemoryStore): ReadonlyMap<string, string> {
  return new Map(
    [...store.tables.values()].map((table) => [table.path, formatRows(storedRows(store, table), table.set)]),
  )
}

function readAgain(model: EdmModel, store: MemoryStore): MemoryStore {
  const rows = [...documentsOf(store)].map(([path, document]) => [
    path,
    parseRows(parseJson(document), store.table(path).set) ?? [],
  ])
  return opened(model, Object.fromEntries(rows) as Record<string, readonly Row[]>)
}

function everything(store: MemoryStore): unknown {
  return [...store.tables.values()].map((table) => storedRows(store, table))
}

const every = defineModel({
  namespace: 'E',
  entityTypes: {
    Every: {
      key: ['ID'],
      hasStream: true,
      properties: {
        ID: edm.Int64(),
        Text: edm.String({ defaultValue: 'none' }),
        Bytes: edm.Binary(),
        Flag: edm.Boolean(),
        Byte: edm.Byte(),
        SByte: edm.SByte(),
        Short: edm.Int16(),
        Int: edm.Int32(),
        Price: edm.Decimal(),
        Real: edm.Double(),
        Small: edm.Single(),
        Id: edm.Guid(),
        At: edm.DateTime(),
        Zoned: edm.DateTimeOffset(),
        Opens: edm.Time(),
      },
    },
  },
  entityContainer: { entitySets: { Everything: { entityType: 'Every' } } },
}) as EdmModel

const rows: readonly Row[] = [
  {
    ID: 9223372036854775807n,
    Text: 'a "quoted"\n\u0000 \u{1f600} __proto__',
    Bytes: Uint8Array.of(0, 255, 10),
    Flag: false,
    Byte: 255,
    SByte: -128,
    Short: -32768,
    Int: 2147483647,
    Price: '-79228162514264337593543950335.000100',
    Real: 5e-324,
    Small: 0.1,
    Id: '12345678-aaaa-bbbb-cccc-ddddeeeeffff',
    At: '0001-01-01T00:00:00.0000001',
    Zoned: '2012-05-29T09:13:28.1234567+14:00',
    Opens: '23:59:59.9999999',
    $media: { contentType: 'image/png', bytes: Uint8Array.from({ length: 256 }, (_, index) => index) },
  },
  {
    ID: -9223372036854775808n,
    Real: -0,
    Small: -Infinity,
    At: new Date('9999-12-31T23:59:59.999Z'),
    Text: null,
  },
  { ID: 0, Real: Number.NaN, Small: 3.4028234663852886e38, Price: '0', Text: '', Bytes: new Uint8Array(0) },
]

describe('Rows that are written', () => {
  it('MUST be read again exactly, of every type', () => {
    const store = opened(every, { Everything: rows })
    expect(everything(readAgain(every, store))).toStrictEqual(everything(store))
  })

  it('MUST be written so that people can read them', () => {
    const [first] = JSON.parse(
      documentsOf(opened(every, { Everything: rows })).get('Everything') ?? '',
    ) as Row[]
    expect(first).toMatchObject({ ID: '-9223372036854775808', At: '9999-12-31T23:59:59.999', Real: '-0' })
  })

  it('MUST be the same whenever they are written, links and media included, whatever the model', () => {
    fc.assert(
      fc.property(randomModel, fc.nat(), (definition, seed) => {
        const model: EdmModel = defineModel(definition)
        const store = opened(model, generateData(model, { rows: 6, seed }))
        const again = readAgain(model, store)
        expect(everything(again)).toStrictEqual(everything(store))
        expect(documentsOf(again)).toEqual(documentsOf(store))
      }),
      { numRuns: runs(100) },
    )
  })
})
