import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openV4 } from '../../lib/v4.js'
import { describeWriteContract } from '../contracts/write-contract.js'
import { startCap } from './support/cap-shop.js'
import { nestedProvider } from './support/nested-provider.js'

/** CAP names entity sets after entities; the names of the contract are given by the option `sets`. */
const rename = {
  Sample: 'Samples',
  Form: 'Forms',
  Counter: 'Counters',
  Coupon: 'Coupons',
  Reading: 'Readings',
  Category: 'Categories',
  Product: 'Products',
  Tag: 'Tags',
  Cover: 'Covers',
  Order: 'Orders',
  Line: 'Lines',
  Remark: 'Remarks',
  Warehouse: 'Warehouses',
  Bin: 'Bins',
  Worker: 'Workers',
  Badge: 'Badges',
  Party: 'Parties',
  Photo: 'Photos',
}

describeWriteContract('openV4 with CAP', {
  async create(model, rows) {
    const folder = await mkdtemp(join(tmpdir(), 'cap-'))
    const file = join(folder, 'rows.json')
    const named = Object.entries(rename).map(([entity, set]) => [`Works.${entity}`, rows[set] ?? []])
    const text = JSON.stringify(Object.fromEntries(named), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    await writeFile(file, text)
    const cap = await startCap('works', '--rows', file)
    const opened = await openV4(`${cap.url}/odata/v4/works`, { dialect: 'cap', sets: { rename } })
    return {
      provider: nestedProvider(model, opened.provider),
      async dispose() {
        opened.close()
        await cap.stop()
        await rm(folder, { recursive: true })
      },
    }
  },
  fractionDigits: 3,
  without: ['inheritance', 'link tables', 'open change sets', 'non-finite numbers'],
  differences: {},
})
