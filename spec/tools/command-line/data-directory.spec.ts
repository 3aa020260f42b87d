import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readDataDirectory } from '../../../lib/tools/command-line/data-directory.js'
import { SourceError } from '../../../lib/tools/command-line/errors.js'
import { completeInterruptedWrite } from '../../../lib/tools/command-line/write-files-atomically.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { defineModel, edm } from '../../../lib/edm/define-model.js'

const draftModel = defineModel({
  namespace: 'D',
  entityTypes: {
    Item: {
      key: ['ID', 'DraftUUID', 'IsActiveEntity'],
      properties: {
        ID: edm.Int32(),
        DraftUUID: edm.Guid(),
        IsActiveEntity: edm.Boolean({ nullable: false }),
        HasDraftEntity: edm.Boolean({ nullable: false }),
        ParentID: edm.Guid({ nullable: true }),
        Start: edm.DateTime({ nullable: true }),
        Size: { type: 'Size' },
      },
    },
  },
  complexTypes: { Size: { properties: { Width: edm.Int32({ nullable: true }) } } },
  entityContainer: { entitySets: { Items: { entityType: 'Item' } } },
}) as EdmModel

const model = defineModel({
  namespace: 'D',
  entityTypes: {
    Item: { key: ['ID'], properties: { ID: edm.Int32(), __note: edm.String(), ['__proto__']: edm.String() } },
  },
  entityContainer: { entitySets: { Items: { entityType: 'Item' }, ['__proto__']: { entityType: 'Item' } } },
}) as EdmModel

describe('A directory of rows', () => {
  let directory = ''
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'rows-'))
  })
  afterEach(() => {
    rmSync(directory, { recursive: true })
  })

  it('MUST give the rows of every entity set, whatever its name', () => {
    for (const name of ['Items', '__proto__']) {
      writeFileSync(join(directory, `${name}.json`), '[{ "ID": 1 }]')
    }
    const { rows, known } = readDataDirectory(directory, model)
    expect(Object.entries(rows)).toEqual([
      ['Items', [{ ID: 1 }]],
      ['__proto__', [{ ID: 1 }]],
    ])
    expect([...known.keys()]).toEqual(['Items', '__proto__'])
  })

  it('MUST give properties whose names begin as those of the protocol do', () => {
    const text = '[{ "ID": 1, "__note": "a", "__proto__": "b", "__metadata": {}, "__other": 1 }]'
    writeFileSync(join(directory, 'Items.json'), text)
    const [row = {}] = readDataDirectory(directory, model).rows.Items ?? []
    expect(Object.entries(row)).toEqual([
      ['ID', 1],
      ['__note', 'a'],
      ['__proto__', 'b'],
    ])
  })

  describe('of another mock server', () => {
    const write = (rows: unknown): string => {
      const file = join(directory, 'Items.json')
      writeFileSync(file, JSON.stringify(rows))
      return file
    }
    const DraftUUID = '00000000-0000-0000-0000-000000000000'

    it('MUST ignore unknown members and later rows with the same key, with a notice', () => {
      const key = { ID: 1, DraftUUID, IsActiveEntity: true, HasDraftEntity: true }
      const file = write([
        { ...key, ShippedDate: '2015-04-01', Size: { Width: 1, Height: 2 } },
        { ...key, Size: { Width: 5 } },
        { ...key, ID: 2, Stars: null },
      ])
      const { rows, notices } = readDataDirectory(directory, draftModel)
      expect(rows.Items).toEqual([
        { ...key, Size: { Width: 1 } },
        { ...key, ID: 2 },
      ])
      expect(notices).toEqual([
        `${file} is partly ignored: the model has no property 'ShippedDate', 'Size/Height', 'Stars'. Did you mean 'Start'?`,
        `${file} is partly ignored: an earlier row has the same key as Items[1].`,
      ])
      expect(() => readDataDirectory(directory, draftModel, true)).toThrow(
        '--persist would remove this content from the file.',
      )
    })

    it('MUST treat a row as the active entity, and empty strings of other types as no value', () => {
      write([{ ID: 1, DraftUUID: '', ParentID: '', Start: '', Size: { Width: '' } }])
      expect(readDataDirectory(directory, draftModel, true).rows.Items).toEqual([
        {
          ID: 1,
          DraftUUID,
          ParentID: null,
          Start: null,
          Size: { Width: null },
          IsActiveEntity: true,
          HasDraftEntity: false,
        },
      ])
    })
  })

  it('MUST explain how to recover when the list of unfinished files cannot be read', () => {
    writeFileSync(join(directory, '.unfinished.json'), '["Items')
    expect(() => {
      completeInterruptedWrite(directory)
    }).toThrow(SourceError)
  })
})
