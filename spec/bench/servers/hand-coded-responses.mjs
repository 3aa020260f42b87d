/** The responses of hand-coded routes: objects in the form of the wire, and templates for Atom. */
import { randomUUID } from 'node:crypto'
import { orderJson } from '../shop/orders.mjs'

/** The clock of the wire is UTC. */
const jsonDate = (text) => (text === null ? null : `/Date(${Date.parse(`${text}Z`)})/`)
const jsonNumber = (value) => (value === null ? null : String(value))

const entity = (root, row) => ({
  __metadata: { uri: `${root}Products(${row.ID})`, type: 'Shop.Product' },
  ID: row.ID,
  Name: row.Name,
  Description: row.Description,
  Price: String(row.Price),
  Stock: String(row.Stock),
  CategoryID: row.CategoryID,
  Weight: jsonNumber(row.Weight),
  Active: Boolean(row.Active),
  Released: jsonDate(row.Released),
  Code: row.Code,
})

const strings = new Set(['Price', 'Stock', 'Weight'])
const valueOf = (name, value) => {
  if (strings.has(name)) return jsonNumber(value)
  return name === 'Active' ? Boolean(value) : value
}

const part = (boundary, type, text) =>
  `--${boundary}\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n` +
  `HTTP/1.1 200 OK\r\nContent-Type: ${type};charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n` +
  `DataServiceVersion: 2.0\r\n\r\n${text}\r\n`

const wireValues = { Price: (value) => Number(value).toFixed(2), Active: Boolean, Items: Number }

/** Converts a group. Its id names the dimensions, their values and the filter, which select its rows. */
function saleJson(root, { names, dimensions, filter }, row) {
  const values = dimensions.map((name) => String(wireValues[name]?.(row[name]) ?? row[name]))
  const id = JSON.stringify([dimensions, values, filter])
  const GroupID = Buffer.from(id).toString('base64url')
  const result = { __metadata: { uri: `${root}Sales('${GroupID}')`, type: 'Shop.Sale' }, GroupID }
  for (const name of names) result[name] = wireValues[name]?.(row[name]) ?? row[name]
  return result
}

/** Converts the body of an insert to a row of the database. */
export function rowOf(sent) {
  return {
    ID: sent.ID,
    Name: sent.Name,
    Description: sent.Description ?? null,
    Price: Number(sent.Price),
    Stock: Number(sent.Stock),
    CategoryID: sent.CategoryID,
    Weight: Number(sent.Weight),
    Active: sent.Active ? 1 : 0,
    Released: new Date(Number(sent.Released.slice(6, -2))).toISOString().slice(0, 23),
    Code: sent.Code,
  }
}

const signs = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }
const xml = (text) => (/[&<>\r]/.test(text) ? text.replace(/[&<>\r]/g, (sign) => signs[sign]) : text)
const dataServices = 'http://schemas.microsoft.com/ado/2007/08/dataservices'

/** @param type the attribute with the type of the property */
const element = (name, type, content) =>
  content === null ? `<d:${name}${type} m:null="true"/>` : `<d:${name}${type}>${content}</d:${name}>`

const entry = (root, row, updated) =>
  `<entry><id>${root}Products(${row.ID})</id><title type="text"></title><updated>${updated}</updated>` +
  `<author><name/></author><link rel="edit" title="Product" href="Products(${row.ID})"/>` +
  `<category term="Shop.Product" scheme="${dataServices}/scheme"/><content type="application/xml"><m:properties>` +
  `<d:ID m:type="Edm.Int32">${row.ID}</d:ID><d:Name>${xml(row.Name)}</d:Name>` +
  element('Description', '', row.Description === null ? null : xml(row.Description)) +
  `<d:Price m:type="Edm.Decimal">${row.Price}</d:Price>` +
  `<d:Stock m:type="Edm.Int64">${row.Stock}</d:Stock>` +
  `<d:CategoryID m:type="Edm.Int16">${row.CategoryID}</d:CategoryID>` +
  element('Weight', ' m:type="Edm.Double"', row.Weight) +
  `<d:Active m:type="Edm.Boolean">${Boolean(row.Active)}</d:Active>` +
  element('Released', ' m:type="Edm.DateTime"', row.Released) +
  element('Code', ' m:type="Edm.Guid"', row.Code) +
  '</m:properties></content></entry>'

const results = (root, rows) => JSON.stringify({ d: { results: rows.map((row) => entity(root, row)) } })

export const responses = {
  product: (root, row) => JSON.stringify({ d: entity(root, row) }),
  /** @param etag its ETag */
  versioned(root, row, etag) {
    const { __metadata, ...values } = entity(root, row)
    return JSON.stringify({ d: { __metadata: { ...__metadata, etag }, ...values } })
  },
  products: results,
  orders: (root, rows) => JSON.stringify({ d: { results: rows.map((row) => orderJson(root, row)) } }),
  /** A page of groups, each with the number of all groups. */
  totals(root, query, rows) {
    const results = rows.map((row) => saleJson(root, query, row))
    return JSON.stringify({ d: { __count: String(rows[0]?.n ?? 0), results } })
  },
  atom(root, rows) {
    const updated = `${new Date().toISOString().slice(0, 19)}Z`
    const entries = rows.map((row) => entry(root, row, updated))
    return (
      `<?xml version="1.0" encoding="utf-8"?><feed xml:base="${root}" xmlns="http://www.w3.org/2005/Atom" ` +
      `xmlns:d="${dataServices}" xmlns:m="${dataServices}/metadata"><title type="text">Products</title>` +
      `<id>${root}Products</id><updated>${updated}</updated>` +
      `<link rel="self" title="Products" href="Products"/>${entries.join('')}</feed>`
    )
  },
  /** @param productsOf gives the products of a category */
  expanded(root, categories, productsOf) {
    const expanded = categories.map((category) => ({
      __metadata: { uri: `${root}Categories(${category.ID})`, type: 'Shop.Category' },
      ID: category.ID,
      Name: category.Name,
      Products: { results: productsOf(category).map((row) => entity(root, row)) },
    }))
    return JSON.stringify({ d: { results: expanded } })
  },
  batch(root, rows) {
    const boundary = `batchresponse_${randomUUID()}`
    const parts = rows.map((row) => {
      const text = responses.product(root, row)
      return (
        `--${boundary}\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n` +
        `HTTP/1.1 200 OK\r\nDataServiceVersion: 2.0\r\nContent-Type: application/json;charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}\r\n`
      )
    })
    return { type: `multipart/mixed; boundary=${boundary}`, text: `${parts.join('')}--${boundary}--\r\n` }
  },
  /** The batch response for the number of products and a page of them with some properties. */
  table(root, names, count, rows) {
    const boundary = `batchresponse_${randomUUID()}`
    const results = rows.map((row) => {
      const result = { __metadata: { uri: `${root}Products(${row.ID})`, type: 'Shop.Product' } }
      for (const name of names) result[name] = valueOf(name, row[name])
      return result
    })
    const page = JSON.stringify({ d: { __count: String(count), results } })
    const text =
      part(boundary, 'text/plain', String(count)) +
      part(boundary, 'application/json', page) +
      `--${boundary}--\r\n`
    return { type: `multipart/mixed; boundary=${boundary}`, text }
  },
  /** The batch response for a change set that has inserted products. */
  changeSet(root, rows) {
    const [outer, inner] = [`batchresponse_${randomUUID()}`, `changesetresponse_${randomUUID()}`]
    const parts = rows.map((row) => {
      const text = responses.product(root, row)
      const address = `${root}Products(${row.ID})`
      return (
        `--${inner}\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n` +
        `HTTP/1.1 201 Created\r\nContent-Type: application/json;charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(text)}\r\nDataServiceVersion: 2.0\r\n` +
        `Location: ${address}\r\nDataServiceId: ${address}\r\n\r\n${text}\r\n`
      )
    })
    return {
      type: `multipart/mixed; boundary=${outer}`,
      text:
        `--${outer}\r\nContent-Type: multipart/mixed; boundary=${inner}\r\n\r\n` +
        `${parts.join('')}--${inner}--\r\n--${outer}--\r\n`,
    }
  },
}
