/** Requests whose cost must not depend on the amount of data: the services, their sizes, and the requests. */
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { fillPostgres, newDatabase } from '../shop/postgres.mjs'
import { fillSqlite } from '../shop/sqlite.mjs'

const counts = [1000, 100_000, 1_000_000]
const pageSize = 100
const perDirectory = 1000
const headers = { accept: 'application/json' }
const byPrice = ['create index by_price on "Products" ("Price", "ID")']

/** The address of the last page: the next link of the page before it. */
const last =
  (query) =>
  ({ count }, follow) =>
    follow(`${query}$skip=${count - 2 * pageSize}`)

const shopRequests = (count) => ({
  key: (n) => `/shop/Products(${((n * 7919) % count) + 1})`,
  expand: (n) => `/shop/Categories(${((n * 7) % (count / 100)) + 1})?$expand=Products`,
  'first page': () => '/shop/Products',
  'last page': last('/shop/Products?'),
})

const shopRequestsByPrice = (count) => ({
  ...shopRequests(count),
  'first page by price': () => '/shop/Products?$orderby=Price',
  'last page by price': last('/shop/Products?$orderby=Price&'),
})

/** Cached pages cost the same however much there is. */
const shop = (provider) => ({
  file: 'shop',
  settings: { provider, host: 'express', options: { pageSize, pageCache: { maxBytes: 0 } } },
})

async function sqliteOf(count, { folder }) {
  const database = join(folder, `growth-${count}.sqlite`)
  fillSqlite(database, count, byPrice)
  return { database }
}

async function postgresOf(count, { resources }) {
  const { postgres } = await resources.postgres()
  const address = await newDatabase(postgres, `growth${count}`)
  await fillPostgres(address, count, byPrice)
  return { postgres: address }
}

const digits = (index) => String(index).padStart(4, '0')

/** A tree with a thousand entries for each directory, itself among them. */
function treeOf(count, { resources }) {
  const files = join(resources.quickFolder(), `files-${count}`)
  mkdirSync(files)
  for (let directory = 0; directory < count / perDirectory; directory++) {
    const path = join(files, `d${digits(directory)}`)
    mkdirSync(path)
    for (let file = 0; file < perDirectory - 1; file++)
      closeSync(openSync(join(path, `f${digits(file)}.txt`), 'w'))
  }
  return { files }
}

const key = (directory, file) => encodeURIComponent(`'/d${digits(directory)}/f${digits(file)}.txt'`)

function fileRequests(count) {
  const directories = count / perDirectory
  return {
    key: (n) => `/files/Files(${key((n * 7) % directories, (n * 31) % 900)})`,
    expand: (n) => `/files/Files('%2Fd${digits(n % directories)}')?$expand=Files&$select=path,Files/path`,
    'first page': () => '/files/Files',
    'last page': () => `/files/Files?$skiptoken=${key(directories - 1, 890)}`,
  }
}

const kinds = [
  {
    kind: 'memory',
    name: 'memory provider',
    most: 2,
    ...shop('memory'),
    requests: shopRequests,
    fill: () => ({}),
  },
  {
    kind: 'sqlite',
    name: 'SQLite',
    most: 2,
    ...shop('sql'),
    requests: shopRequestsByPrice,
    fill: sqliteOf,
  },
  {
    kind: 'postgres',
    name: 'PostgreSQL',
    most: 2,
    ...shop('postgres'),
    requests: shopRequestsByPrice,
    fill: postgresOf,
  },
  {
    kind: 'files',
    name: 'files (in a file system in memory, where there is one)',
    most: 3,
    file: 'files',
    settings: { host: 'express', options: { pageSize } },
    requests: fileRequests,
    fill: treeOf,
  },
]

export const growths = kinds.map((one) => ({
  ...one,
  name: `growth-${one.kind}`,
  title: `Requests however much there is: ${one.name}`,
  counts,
  headers,
}))

export const streams = kinds
  .filter(({ file }) => file === 'shop')
  .map((one) => ({
    ...one,
    name: `stream-${one.kind}`,
    title: `Feed of everything to a slow reader: ${one.name}`,
    settings: { ...one.settings, options: { pageSize: 0 } },
    counts: counts.slice(1),
    path: '/shop/Products',
    headers,
  }))
