/** Exports of 10,000 products, and reads of entities by key while a large file is sent. */
import { fillSqlite } from '../shop/sqlite.mjs'
import { join } from 'node:path'
import { goal, handCoded, ours } from './variants.mjs'

const rows = 10_000
const csv = { ...handCoded, path: () => '/shop/Products.csv' }
const withExports = (host) => {
  const one = ours('sql', host)
  return { ...one, settings: { ...one.settings, options: { exports: true } } }
}
const [express, node] = ['express', 'node'].map(withExports)

const exported = (format, title, others) => ({
  name: `export-${format}`,
  title: `${title} of ${rows.toLocaleString('en')} entities`,
  response: 'bytes',
  connections: 1,
  request: () => ({ path: `/shop/Products?$format=${format}` }),
  ...others,
})

export const exportWorkloads = [
  exported('csv', 'CSV file', { response: 'csv', variants: [csv, express, node], goals: [goal(express, 1)] }),
  exported('xlsx', 'Excel file', { variants: [express, node], maxCpu: 12 * rows }),
]

/** The latency of reads while files are sent, one after another. */
export const meanwhile = ['csv', 'xlsx', 'json'].map((format) => ({
  name: `meanwhile-${format}`,
  title: `Reads by key while 200,000 entities are sent: ${format}, SQLite`,
  kind: 'sqlite',
  file: 'shop',
  settings: { provider: 'sql', host: 'express', options: { exports: true, pageSize: 0 } },
  counts: [200_000],
  async fill(count, { folder }) {
    const database = join(folder, `export-${count}.sqlite`)
    fillSqlite(database, count)
    return { database }
  },
  path: `/shop/Products?$format=${format}`,
  read: (n) => `/shop/Products(${((n * 7919) % 10_000) + 1})`,
  most: 20,
}))
