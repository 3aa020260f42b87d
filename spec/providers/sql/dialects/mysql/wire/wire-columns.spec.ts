import { defineModel, edm } from '../../../../../../lib/edm/define-model.js'
import type { Column } from '../../../../../../lib/providers/sql/column.js'
import { wireColumn } from '../../../../../../lib/providers/sql/dialects/mysql/wire/wire-columns.js'
import { utf8Source } from '../../../../../../lib/util/byte-source.js'
import { ByteWriter } from '../../../../../../lib/util/byte-writer.js'

const properties = { Code: edm.Guid(), At: edm.DateTime() }

const type = defineModel({
  namespace: 'N',
  entityTypes: { Thing: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), ...properties } } },
  entityContainer: { entitySets: { Things: { entityType: 'Thing' } } },
}).defaultContainer.entitySet('Things')?.entityType

/** Returns the bytes that are copied from a cell; undefined if it has to be decoded. */
function copied(name: keyof typeof properties, dataType: string, cell: string): string | undefined {
  const property = type?.property(name)
  const column = { name, path: [name], property, type: property?.type, facts: { dataType } }
  const { bytes } = wireColumn(column as unknown as Column)
  const out = new ByteWriter()
  const source = utf8Source(`?${cell}?`)
  const isCopied = bytes?.writeText?.(out, source, 1, source.length - 1) === true
  return isCopied ? out.end().toString() : undefined
}

describe('Cells of MySQL', () => {
  it('MUST be copied as guids exactly if they are digits in lower case and dashes', () => {
    const guid = '01234567-89ab-cdef-aaaa-0123456789ff'
    expect(copied('Code', 'char', guid)).toBe(guid)
    for (let place = 0; place < guid.length; place++) {
      for (let code = 0; code < 128; code++) {
        const sign = String.fromCharCode(code)
        const cell = guid.slice(0, place) + sign + guid.slice(place + 1)
        const isGuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(cell)
        expect([cell, copied('Code', 'char', cell)]).toEqual([cell, isGuid ? cell : undefined])
      }
    }
    for (const cell of ['', guid.slice(1), `${guid}0`, `é${guid.slice(2)}`, `${guid.slice(0, -2)}é`])
      expect(copied('Code', 'char', cell)).toBeUndefined()
  })

  it.each([
    ['2012-05-29 09:13:28', '2012-05-29T09:13:28'],
    ['2012-02-29 23:59:59.5', '2012-02-29T23:59:59.5'],
    ['9999-12-31 00:00:00.123456', '9999-12-31T00:00:00.123456'],
    ['0000-05-29 09:13:28', undefined],
    ['2012-00-29 09:13:28', undefined],
    ['2012-13-01 09:13:28', undefined],
    ['2012-05-00 09:13:28', undefined],
    ['2011-02-29 09:13:28', undefined],
    ['2012-04-31 09:13:28', undefined],
    ['2012-05-29 24:13:28', undefined],
    ['2012-05-29 09:60:28', undefined],
    ['2012-05-29 09:13:60', undefined],
    ['2012-05-29 09:13:28.', undefined],
    ['2012-05-29 09:13:28.50', undefined],
    ['2012-05-29 09:13:28.1234567', undefined],
    ['2012-05-29', undefined],
    ['', undefined],
  ])('MUST copy %j as the time %j', (cell, expected) => {
    expect(copied('At', 'datetime', cell)).toBe(expected)
  })
})
