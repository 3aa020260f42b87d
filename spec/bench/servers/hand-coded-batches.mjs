/** Parsers of batches for hand-coded routes. */

/** Splits a multipart into its parts, each a string. */
export const partsOf = (text, boundary) =>
  text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => part.slice(2, -2))

export const headerOf = (head, name) => new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1].trim()
export const boundaryOf = (type) => /boundary=([^;\s]+)/.exec(type)?.[1]

/** Parses the request in a part: after the headers of the part. */
export function requestOf(part) {
  const start = part.indexOf('\r\n\r\n') + 4
  const end = part.indexOf('\r\n\r\n', start)
  const head = part.slice(start, end)
  const [, method, path, query] = /^([A-Z]+) ([^ ?]+)(?:\?([^ ]*))? HTTP\/1\.1/.exec(head)
  return { method, path, query, match: headerOf(head, 'If-Match'), body: part.slice(end + 4) }
}

/** Parses a batch of requests without change sets. */
export const requestsOf = (text, type) => partsOf(text, boundaryOf(type)).map(requestOf)

/** Parses a batch whose only part is a change set. */
export function changesOf(text, type) {
  const [part] = partsOf(text, boundaryOf(type))
  const inner = boundaryOf(headerOf(part.slice(0, part.indexOf('\r\n\r\n')), 'Content-Type'))
  return inner && partsOf(part, inner).map((change) => requestOf(change.trimStart()))
}

export const keysOf = (requests) => requests.map(({ path }) => Number(/^Products\((\d+)\)$/.exec(path)[1]))

const orders = new Map([
  [null, '"ID"'],
  ['Name', '"Name", "ID"'],
  ['Name desc', '"Name" desc, "ID"'],
  ['Price', '"Price", "ID"'],
  ['Price desc', '"Price" desc, "ID"'],
])
const columns = new Set(['ID', 'Name', 'Price', 'Stock', 'CategoryID', 'Weight', 'Active'])

/**
 * Parses the count and the page of a table, and returns undefined for other batches. There are few combinations of names,
 * order and condition: each is a statement that is prepared once.
 *
 * @returns the condition with its values, and the names, the order, `$top` and `$skip` of the page
 */
export function tableOf([count, page]) {
  if (count?.path !== 'Products/$count' || page?.path !== 'Products') return undefined
  const options = new URLSearchParams(page.query)
  const filter = options.get('$filter')
  // One statement counts for both.
  if (new URLSearchParams(count.query).get('$filter') !== filter) return undefined
  const [, category, price] = /^(?:CategoryID eq (\d+) and )?Price gt ([\d.]+)M$/.exec(filter)
  return {
    condition: category === undefined ? '"Price" > $1' : '"Price" > $1 and "CategoryID" = $2',
    values: category === undefined ? [Number(price)] : [Number(price), Number(category)],
    names: options
      .get('$select')
      .split(',')
      .filter((name) => columns.has(name)),
    order: orders.get(options.get('$orderby')),
    top: Number(options.get('$top')),
    skip: Number(options.get('$skip') ?? 0),
  }
}

export const countText = ({ condition }) => `select count(*) as n from "Products" where ${condition}`

export const pageText = ({ condition, names, order, values }) =>
  `select ${names.map((name) => `"${name}"`).join(', ')} from "Products" where ${condition} order by ${order} ` +
  `limit $${values.length + 1} offset $${values.length + 2}`

const saleColumns = new Map([
  ['CategoryID', '"CategoryID"'],
  ['Active', '"Active"'],
  ['Price', 'sum("Price") as "Price"'],
  ['Items', 'count(*) as "Items"'],
])
const saleOrders = new Map([['Price desc', '"Price" desc']])
const date = `datetime'([\\dT:.-]+)'`
const saleFilter = new RegExp(`^(?:CategoryID ge (\\d+) and CategoryID le (\\d+) and )?Released gt ${date}$`)

/**
 * Parses a page of totals, for the few combinations of dimensions, measures, order and condition that there are. The
 * statement returns the number of all groups with each row.
 *
 * @returns the names, the dimensions, the statement and its values
 */
export function totalsOf({ $select, $filter, $orderby, $top }) {
  const names = $select.split(',').filter((name) => saleColumns.has(name))
  const dimensions = names.filter((name) => name === 'CategoryID' || name === 'Active')
  const by = dimensions.map((name) => `"${name}"`).join(', ')
  const [, from, to, released] = saleFilter.exec($filter)
  const values = from === undefined ? [released] : [released, Number(from), Number(to)]
  const condition = from === undefined ? '' : ' and "CategoryID" between $2 and $3'
  return {
    names,
    dimensions,
    filter: $filter,
    text:
      `select ${names.map((name) => saleColumns.get(name)).join(', ')}, count(*) over () as n from "Products" ` +
      `where "Released" > $1${condition} group by ${by} order by ${saleOrders.get($orderby)}, ${by} limit $${values.length + 1}`,
    values: [...values, Number($top)],
  }
}
