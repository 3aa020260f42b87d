import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { valueViolation } from '../../../lib/edm/check-value.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import type { Row } from '../../../lib/evaluation/row.js'
import { entityTagWriter } from '../../../lib/formats/entity-address.js'
import type { EntitySetProvider } from '../../../lib/provider/provider.js'
import { memoryProvider } from '../../../lib/providers/memory/memory-provider.js'
import { callWith } from '../../support/provider-call.js'

const call = callWith()
const fixed = { concurrencyMode: 'Fixed', nullable: false } as const

type Things = EntitySetProvider<Row, Row>

/** A set whose entities have a key, a note, and the given concurrency tokens. */
function things(properties: Record<string, unknown>, row: Row): { set: Things; model: EdmModel } {
  const model = defineModel({
    namespace: 'Test',
    entityTypes: {
      Thing: {
        key: ['ID'],
        properties: { ID: edm.Int32({ nullable: false }), Note: edm.String(), ...properties } as never,
      },
    },
    entityContainer: { entitySets: { Things: { entityType: 'Thing' } } },
  }) as EdmModel
  const provider = memoryProvider(model, { Things: [{ ID: 1, ...row }] })
  return { model, set: (provider.entitySets as Record<string, Things>).Things as Things }
}

const change = async (set: Things, values: Row): Promise<Row> =>
  (await set.update?.({ ID: 1 }, values, {}, call)) as Row

const far = new Date('2200-01-01T00:00:00.000Z')

describe('A concurrency token of the memory provider', () => {
  it.each([
    ['Byte', edm.Byte(fixed), 255],
    ['SByte', edm.SByte(fixed), 127],
    ['SByte below zero', edm.SByte(fixed), -5],
    ['Int16', edm.Int16(fixed), 32_767],
    ['Int32', edm.Int32(fixed), 2_147_483_647],
    ['Int64', edm.Int64(fixed), 2n ** 63n - 1n],
    ['String', edm.String(fixed), 'a'],
    ['String of one character', edm.String({ ...fixed, maxLength: 1, unicode: false }), '1'],
    ['String of a fixed length', edm.String({ ...fixed, maxLength: 40, fixedLength: true }), 'a'.repeat(40)],
    ['Guid', edm.Guid(fixed), '00000000-0000-0000-0000-000000000000'],
    ['Binary', edm.Binary(fixed), Uint8Array.of(1)],
    ['Binary of one byte', edm.Binary({ ...fixed, maxLength: 1 }), Uint8Array.of(1)],
    [
      'Binary of a fixed length',
      edm.Binary({ ...fixed, maxLength: 8, fixedLength: true }),
      new Uint8Array(8),
    ],
    ['Decimal', edm.Decimal(fixed), '1.50'],
    ['Decimal at its end', edm.Decimal({ ...fixed, precision: 3, scale: 1 }), '99.9'],
    ['Decimal below one', edm.Decimal({ ...fixed, precision: 1, scale: 1 }), '0'],
    ['Double', edm.Double(fixed), 1.5],
    ['Double beyond whole numbers', edm.Double(fixed), 2 ** 60],
    ['Double that is no number', edm.Double(fixed), NaN],
    ['Double without end', edm.Double(fixed), Infinity],
    ['Single', edm.Single(fixed), 1.5],
    ['Single beyond whole numbers', edm.Single(fixed), 2 ** 30],
    ['Boolean', edm.Boolean(fixed), true],
    ['Time', edm.Time(fixed), '23:59:59'],
    ['Time with a fraction', edm.Time({ ...fixed, precision: 7 }), '09:00:00.1234567'],
    ['DateTime', edm.DateTime(fixed), far],
    ['DateTime in seconds', edm.DateTime({ ...fixed, precision: 0 }), far],
    ['DateTime beyond milliseconds', edm.DateTime({ ...fixed, precision: 7 }), '2200-01-01T00:00:00.0001234'],
    ['DateTimeOffset', edm.DateTimeOffset({ ...fixed, precision: 3 }), far],
    ['DateTimeOffset with a zone', edm.DateTimeOffset(fixed), '2200-01-01T02:00:00+02:00'],
  ])('of %s MUST change with every update that does not change it itself', async (_name, declared, start) => {
    const { set, model } = things({ Version: declared }, { Version: start })
    const type = model.entityContainers[0]?.entitySets[0]?.entityType
    const property = type?.property('Version')
    if (type === undefined || property === undefined) throw new TypeError('The model has no such property.')
    const tagOf = entityTagWriter(type)
    const tags = [tagOf?.((await set.readByKey?.({ ID: 1 }, {}, call)) as Row)]
    for (let index = 0; index < 4; index++) {
      const row = await change(set, { Note: `${index}` })
      expect(valueViolation(property, row.Version)).toBeUndefined()
      tags.push(tagOf?.(row))
      expect(tags.at(-1)).not.toBe(tags.at(-2))
    }
    if (!/Boolean|one (?:character|byte)/.test(_name)) expect(new Set(tags).size).toBe(5)
  })

  it('of a point in time MUST be the current time, and later than before', async () => {
    const { set } = things({ At: edm.DateTime({ ...fixed, precision: 3 }) }, { At: new Date(0) })
    const { now } = Date
    const times: Date[] = []
    try {
      for (const time of [5_000, 5_000, 7_000]) {
        Date.now = () => time
        times.push((await change(set, { Note: `${times.length}` })).At as Date)
      }
    } finally {
      Date.now = now
    }
    expect(times).toEqual([new Date(5_000), new Date(5_001), new Date(7_000)])
  })

  it('MUST have the value that an update sets', async () => {
    const { set } = things({ Version: edm.Guid(fixed) }, { Version: '00000000-0000-0000-0000-000000000000' })
    const Version = '11111111-1111-1111-1111-111111111111'
    expect(await change(set, { Version })).toMatchObject({ Version })
  })

  it.each([
    ['Int32', edm.Int32(fixed), 5, 4, 6],
    ['Int64', edm.Int64(fixed), 5n, -1n, 6n],
    ['Int16 that may be null', edm.Int16({ concurrencyMode: 'Fixed' }), 5, null, 6],
    ['DateTime', edm.DateTime(fixed), far, new Date(0), new Date(far.getTime() + 1)],
  ])('of %s MUST NOT become an earlier one', async (_name, declared, start, earlier, next) => {
    const { set } = things({ Version: declared }, { Version: start })
    expect(await change(set, { Version: earlier })).toMatchObject({ Version: next })
  })

  it.each([
    ['Int32', edm.Int32(fixed), 5, 9],
    ['DateTime', edm.DateTime(fixed), new Date(0), new Date(7)],
  ])('of %s MUST preserve a later value that an update sets', async (_name, declared, start, Version) => {
    const { set } = things({ Version: declared }, { Version: start })
    expect(await change(set, { Version })).toMatchObject({ Version })
  })

  it('that is also data MUST stay the same if another token shows the change', async () => {
    const { set } = things(
      { Name: edm.String(fixed), Price: edm.Decimal(fixed), Version: edm.Int32(fixed) },
      { Name: 'Gouda', Price: '1.00', Version: 1 },
    )
    expect(await change(set, { Note: 'a' })).toMatchObject({ Name: 'Gouda', Price: '1.00', Version: 2 })
    const data = things({ Name: edm.String(fixed), Price: edm.Decimal(fixed) }, { Name: 'Gouda', Price: '1' })
    expect(await change(data.set, { Name: 'Edam' })).toMatchObject({ Name: 'Edam', Price: '1' })
    expect(await change(data.set, { Price: '2' })).toMatchObject({ Name: 'Edam', Price: '2' })
    const { Name, Price } = await change(data.set, { Note: 'a' })
    expect([Name, Price]).not.toEqual(['Edam', '2'])
  })

  it('MUST be generated for a new entity, unless it is nullable data', async () => {
    const { set } = things(
      {
        Version: edm.Int32({ concurrencyMode: 'Fixed' }),
        Stamp: edm.String(fixed),
        Flag: edm.Boolean(fixed),
        Label: edm.String({ concurrencyMode: 'Fixed' }),
      },
      { Version: 1, Stamp: 'a', Flag: true },
    )
    expect(await set.insert?.({ ID: 2 }, call)).toMatchObject({
      Version: 1,
      Stamp: expect.stringMatching(/./) as string,
      Flag: expect.any(Boolean) as boolean,
      Label: null,
    })
  })
})
