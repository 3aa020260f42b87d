import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EdmModel } from '../../lib/edm/edm-model.js'
import { entitySetsOf } from '../../lib/edm/edm-model.js'
import { openV4 } from '../../lib/v4.js'
import type { ContractRows, PlainRow } from '../contracts/contract-data.js'
import { linkMembers } from '../contracts/contract-data.js'
import { describeProvider } from '../contracts/provider-contract.js'
import type { CapServer } from './support/cap-shop.js'
import { startCap } from './support/cap-shop.js'
import { flattened, nestedProvider } from './support/nested-provider.js'

const decimals = 'CAP stores decimals in SQLite as floating-point numbers, which have 15 digits.'
const times = 'Edm.TimeOfDay of CAP has no fractions of a second.'

let cap: CapServer
let folder: string
let close: () => void

afterAll(async () => {
  close()
  await cap.stop()
  await rm(folder, { recursive: true })
})

/** CAP names entity sets after entities; the names of the contract are given by the option `sets`. */
const rename = {
  Category: 'Categories',
  Product: 'Products',
  Supplier: 'Suppliers',
  Line: 'Lines',
  Tag: 'Tags',
  Note: 'Journal',
  Party: 'Parties',
  Photo: 'Photos',
}

/** Converts a value to JSON of CAP. */
function capValue(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value))
    return new Date(value.endsWith('Z') ? value : `${value}Z`).toISOString()
  return value
}

function capRows(rows: ContractRows, model: EdmModel): Record<string, PlainRow[]> {
  const entities = Object.entries(rows).map(([set, list]) => {
    const type = entitySetsOf(model).find(({ path }) => path === set)?.entityType
    const entries = list.map(({ $type, $media, ...row }): PlainRow => {
      const { Age: _age, Opens, ...others } = type === undefined ? row : flattened(row, type)
      const media = $media as { contentType: string; bytes: Uint8Array } | undefined
      return Object.fromEntries(
        Object.entries({
          ...others,
          // CAP has no fractions of Edm.TimeOfDay.
          ...(Opens === undefined ? {} : { Opens: typeof Opens === 'string' ? Opens.slice(0, 8) : null }),
          ...(media && { content: media.bytes, mediaType: media.contentType }),
        }).map(([name, value]) => [name, capValue(value)]),
      )
    })
    return [`Depot.${Object.entries(rename).find(([, one]) => one === set)?.[0] ?? ''}`, entries] as const
  })
  return Object.fromEntries(entities)
}

describeProvider(
  'openV4 with CAP',
  async ({ model, rows }) => {
    folder = await mkdtemp(join(tmpdir(), 'cap-'))
    const file = join(folder, 'rows.json')
    await writeFile(file, JSON.stringify(capRows(rows, model)))
    cap = await startCap('depot', '--rows', file)
    const opened = await openV4(`${cap.url}/odata/v4/depot`, { dialect: 'cap', sets: { rename } })
    close = () => {
      opened.close()
    }
    return nestedProvider(model, opened.provider, (set, row) => linkMembers(set, 'both')(row))
  },
  {
    fractionDigits: 3,
    without: ['inheritance'],
    numRuns: 400,
    differences: {
      'MUST return the same entities in pages as in one response: /Products?$orderby=Price': decimals,
      'MUST be compared exactly: Price gt 12345678901234567.8901234567M': decimals,
      'MUST be compared exactly: Price eq 12345678901234567.8901234567M': decimals,
      'MUST be compared exactly: Price lt 12345678901234567.890123456700000000001M and Price gt 13M':
        decimals,
      'MUST be shown exactly: /Products(5L)/Price/$value': decimals,
      "MUST be compared exactly: Opens gt time'PT23H59M59.9999998S'": times,
      'MUST be shown exactly: /Products(2L)/Opens/$value': times,
    },
  },
)
