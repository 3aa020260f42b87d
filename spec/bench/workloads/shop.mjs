/** Requests of the clients of the shop. */
import { productCount } from '../shop/rows.mjs'
import {
  handCoded,
  handCodedInMemory,
  handCodedOnNode,
  cap,
  goal,
  memoryWithoutPageCache,
  mockserver,
  ours,
  oursEverywhere,
  ready,
  sqlWithoutPageCache,
} from './variants.mjs'

const json = { accept: 'application/json' }
const [sql, rows, memory] = ['sql', 'rows', 'memory'].map((provider) => ours(provider))
const plain = [handCoded, handCodedInMemory, handCodedOnNode, ready, ...oursEverywhere]
const withFeeds = [...plain, sqlWithoutPageCache, memoryWithoutPageCache]

/** Other keys in every request, so that no server gains by a cache. */
const someKey = (n) => ((n * 37) % productCount) + 1

export const key = {
  name: 'key',
  title: 'Entity by key, JSON',
  request: (n) => ({ path: `/shop/Products(${someKey(n)})`, headers: json }),
  variants: [...plain, cap, mockserver],
  goals: [goal(sql, 1.4), goal(rows, 1.4)],
}

const page = {
  name: 'page',
  title: 'Page of 100 of 10,000 entities with $filter and $orderby, JSON',
  request: (n) => ({
    path: `/shop/Products?$filter=Price%20gt%20${20 + (n % 20)}%20and%20Active%20eq%20true&$orderby=Name%20desc&$top=100`,
    headers: json,
  }),
  variants: [...withFeeds, cap, mockserver],
  goals: [goal(sqlWithoutPageCache, 1)],
}

/** Another filter in every request, as users type it: nothing is found in a cache. */
const otherPage = {
  ...page,
  name: 'other-page',
  title: 'Page of 100 of 10,000 entities with another $filter in every request, JSON',
  request: (n) => ({
    path: `/shop/Products?$filter=Price%20gt%20${((n * 37) % 8_000) / 100}%20and%20Active%20eq%20true&$orderby=Name%20desc&$top=100`,
    headers: json,
  }),
  variants: [handCoded, handCodedInMemory, sql, rows, memory, sqlWithoutPageCache],
  goals: [goal(sql, 1)],
}

const withOrders = (variant) => ({ ...variant, settings: { ...variant.settings, hasOrders: true } })
const [sqlOrders, memoryOrders] = [sqlWithoutPageCache, memoryWithoutPageCache].map(withOrders)

const wide = {
  name: 'wide',
  title: 'Feed of 250 entities with 40 properties, JSON',
  request: () => ({ path: '/shop/Orders?$top=250', headers: json }),
  variants: [handCoded, handCodedInMemory, sqlOrders, memoryOrders],
  goals: [goal(sqlOrders, 1.9), goal(memoryOrders, 2, handCodedInMemory)],
}

export const feed = {
  name: 'feed-json',
  title: 'Feed of 1,000 entities, JSON',
  request: () => ({ path: '/shop/Products?$top=1000', headers: json }),
  variants: [...withFeeds, cap, mockserver],
  goals: [
    goal(sql, 28),
    goal(sqlWithoutPageCache, 1.9),
    goal(memoryWithoutPageCache, 3.7),
    goal(memoryWithoutPageCache, 2, handCodedInMemory),
  ],
}

export const atom = {
  name: 'feed-atom',
  title: 'Feed of 1,000 entities, Atom',
  response: 'atom',
  request: () => ({ path: '/shop/Products?$top=1000', headers: { accept: 'application/atom+xml' } }),
  variants: withFeeds,
  goals: [
    goal(sql, 26),
    goal(sqlWithoutPageCache, 2),
    goal(memoryWithoutPageCache, 3.3),
    goal(memoryWithoutPageCache, 2.5, handCodedInMemory),
  ],
}

export const expand = {
  name: 'expand',
  title: '$expand of 10 entities with 100 each, JSON',
  request: () => ({ path: '/shop/Categories?$top=10&$expand=Products', headers: json }),
  variants: [...withFeeds, cap, mockserver],
  goals: [goal(sqlWithoutPageCache, 1.8)],
}

function batchRequest(body) {
  return {
    method: 'POST',
    path: '/shop/$batch',
    headers: { accept: 'multipart/mixed', 'content-type': 'multipart/mixed; boundary=batch_1' },
    body,
  }
}

function batchBody(n) {
  const parts = Array.from(
    { length: 20 },
    (_, index) =>
      '--batch_1\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n' +
      `GET Products(${someKey(n * 20 + index)}) HTTP/1.1\r\nAccept: application/json\r\n\r\n\r\n`,
  )
  return `${parts.join('')}--batch_1--\r\n`
}

export const batch = {
  name: 'batch',
  title: '$batch of 20 reads by key, JSON',
  response: 'batch',
  request: (n) => batchRequest(batchBody(n)),
  variants: [
    handCoded,
    handCodedInMemory,
    handCodedOnNode,
    ...oursEverywhere,
    sqlWithoutPageCache,
    cap,
    mockserver,
  ],
  goals: [goal(sql, 1.3)],
}

const price = (n) => `Price%20gt%20${((n * 37) % 8_000) / 100}M`

/** @param condition another one in every request, as users type it */
function tableBody(condition) {
  const filter = `$filter=${condition}`
  const page = `Products?${filter}&$orderby=Name%20desc&$skip=0&$top=20&$select=ID,Name,Price,Stock&$inlinecount=allpages`
  const parts = [`Products/$count?${filter}`, page].map(
    (uri) =>
      '--batch_1\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n' +
      `GET ${uri} HTTP/1.1\r\nAccept: ${uri === page ? 'application/json' : '*/*'}\r\n\r\n\r\n`,
  )
  return `${parts.join('')}--batch_1--\r\n`
}

export const table = {
  name: 'table',
  title: 'UI5 table: $batch of $count and a page of 20, JSON',
  response: 'batch',
  request: (n) => batchRequest(tableBody(price(n))),
  variants: [handCoded, sql, ours('sql', 'fast'), sqlWithoutPageCache],
  goals: [],
}

/** Its filter finds a hundred products by an index, so that the database does little. */
export const indexedTable = {
  ...table,
  name: 'indexed-table',
  title: 'UI5 table: $batch of $count and a page of 20, filtered by an index, JSON',
  request: (n) => batchRequest(tableBody(`CategoryID%20eq%20${(n % 100) + 1}%20and%20${price(n)}`)),
}

const withSales = (variant) => ({ ...variant, settings: { ...variant.settings, hasSales: true } })
export const withTotals = (workload) => ({ ...workload, variants: workload.variants.map(withSales) })

/** Other rows in every request, so that no server gains by a cache. */
const released = (n) => {
  const time = new Date(Date.UTC(2020, 3, 1) + (n % 50_000) * 1000).toISOString().slice(0, 23)
  return `Released%20gt%20datetime'${time}'`
}
const totalsPath = (dimensions, condition) =>
  `/shop/Sales?$select=${dimensions},Price,Items&$filter=${condition}&$orderby=Price%20desc&$top=20&$inlinecount=allpages`

/** A page of an analytical table: totals of all products by category, and the number of groups. */
export const totals = {
  name: 'totals',
  title: 'Groups: page of 20 of 100 totals of 10,000 entities, with $inlinecount, JSON',
  request: (n) => ({ path: totalsPath('CategoryID', released(n)), headers: json }),
  variants: [handCoded, sql, ours('sql', 'fast'), sqlWithoutPageCache].map(withSales),
  goals: [],
}

/** Its filter finds a few hundred products by an index, so that the database does little. */
export const indexedTotals = {
  ...totals,
  name: 'indexed-totals',
  title: 'Groups: 10 totals of 500 entities, filtered by an index, with $inlinecount, JSON',
  request(n) {
    const from = (n % 95) + 1
    const condition = `CategoryID%20ge%20${from}%20and%20CategoryID%20le%20${from + 4}%20and%20${released(n)}`
    return { path: totalsPath('CategoryID,Active', condition), headers: json }
  },
}

const newProduct = (n) =>
  JSON.stringify({
    ID: productCount + 1 + n,
    Name: `Gehäuse 19" ${n}`,
    Description: `Für Regale, 'links' & rechts.\nZeile ${n}: <b>naïve</b> Käufer “zahlen” 3 €.`,
    Price: '12.5',
    Stock: '1000003',
    CategoryID: 7,
    Weight: '0.125',
    Active: true,
    Released: '/Date(1577836800000)/',
    Code: '00000000-0000-4000-8000-00000000000a',
  })

export const insert = {
  name: 'insert',
  title: 'Insert, JSON',
  request: (n) => ({
    method: 'POST',
    path: '/shop/Products',
    headers: { ...json, 'content-type': 'application/json' },
    body: newProduct(n),
  }),
  variants: [handCoded, handCodedInMemory, handCodedOnNode, ...oursEverywhere, cap],
  goals: [goal(sql, 1)],
}

function changeSetBody(n) {
  const parts = Array.from({ length: 20 }, (_, index) => {
    const body = newProduct(n * 20 + index)
    return (
      '--changeset_1\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n' +
      'POST Products HTTP/1.1\r\nAccept: application/json\r\nContent-Type: application/json\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}\r\n`
    )
  })
  return (
    '--batch_1\r\nContent-Type: multipart/mixed; boundary=changeset_1\r\n\r\n' +
    `${parts.join('')}--changeset_1--\r\n--batch_1--\r\n`
  )
}

/** A change set needs a transaction: a hand-coded route must run it on one connection. */
export const changeSet = {
  name: 'batch',
  title: '$batch with a change set of 20 inserts, JSON',
  response: 'batch',
  request: (n) => batchRequest(changeSetBody(n)),
}

const metadata = {
  name: 'metadata',
  title: '$metadata',
  response: 'metadata',
  request: () => ({ path: '/shop/$metadata', headers: { accept: 'application/xml' } }),
  variants: [
    handCoded,
    handCodedOnNode,
    ready,
    ours('sql'),
    ours('sql', 'fast'),
    ours('sql', 'node'),
    cap,
    mockserver,
  ],
  goals: [goal(sql, 1.2)],
}

export const shopWorkloads = [
  key,
  page,
  otherPage,
  feed,
  atom,
  wide,
  expand,
  batch,
  table,
  indexedTable,
  totals,
  indexedTotals,
  insert,
  metadata,
]
