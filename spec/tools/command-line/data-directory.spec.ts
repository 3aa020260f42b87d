import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readDataDirectory } from '../../../lib/tools/command-line/data-directory.js'
import { SourceError } from '../../../lib/tools/command-line/errors.js'
import { completeInterruptedWrite } from '../../../lib/tools/command-line/write-files-atomically.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { defineModel, edm } from '../../../lib/edm/define-model.js'

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

  it('MUST explain how to recover when the list of unfinished files cannot be read', () => {
    writeFileSync(join(directory, '.unfinished.json'), '["Items')
    expect(() => {
      completeInterruptedWrite(directory)
    }).toThrow(SourceError)
  })
})
