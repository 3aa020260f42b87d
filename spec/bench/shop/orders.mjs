/** Orders: an entity type of forty properties, as ERP systems have them. Half of the optional values are null. */
const day = 86_400_000

const instant = (n) => new Date(Date.UTC(2024, 0, 1) + (n % 700) * day + n * 1000).toISOString().slice(0, 19)

/** Names, types of OData and of SQLite, and the value of the order with a number. */
const columns = [
  ['ID', 'Int32', 'integer primary key', (n) => n],
  ['Number', 'String', 'text', (n) => `SO-${String(n).padStart(8, '0')}`],
  ['OrderedAt', 'DateTime', 'datetime', instant],
  ['Customer', 'String', 'text', (n) => `Müller & Söhne "${n % 97}" GmbH`],
  ['Net', 'Decimal', 'decimal(13, 2)', (n) => ((n * 4711) % 1_000_000) / 100],
  ['Tax', 'Decimal', 'decimal(13, 2)', (n) => ((n * 895) % 190_000) / 100],
  ['Weight', 'Double', 'double', (n) => n / 8],
  ['Quantity', 'Int16', 'smallint', (n) => n % 500],
  ['Express', 'Boolean', 'boolean', (n) => n % 2],
  ['Key', 'Guid', 'uuid', (n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`],
]

const texts = [
  (n) => `Ruf "Nr. ${n}" an, wenn's länger dauert`,
  (n) => `Tor ${n % 9}, Rampe <B>`,
  (n) => `Straße des 17. Juni ${n % 200}`,
]

const kinds = [
  ['Text', 'String', 'text', (n, at) => texts[at % texts.length](n)],
  ['Amount', 'Decimal', 'decimal(13, 2)', (n, at) => ((n * (37 + at)) % 900_000) / 100],
  ['Date', 'DateTime', 'datetime', (n, at) => instant(n + at)],
  ['Code', 'String', 'text', (n, at) => `C${(n * at) % 1000}`],
  ['Units', 'Int32', 'integer', (n, at) => (n * at) % 10_000],
]

for (let at = 0; columns.length < 40; at++) {
  const [name, type, stored, value] = kinds[at % kinds.length]
  const own = `${name}${1 + Math.floor(at / kinds.length)}`
  columns.push([own, type, stored, (n) => ((n + at) % 2 === 0 ? value(n, at) : null)])
}

export const orderCount = 1000

export const orderTable = `create table "Orders" (${columns.map(([name, , type]) => `"${name}" ${type}`).join(', ')});`

export const insertOrder = `insert into "Orders" values (${columns.map(([name]) => `@${name}`).join(', ')})`

/** An order as SQLite stores it. */
export const order = (n) => Object.fromEntries(columns.map(([name, , , value]) => [name, value(n)]))

/** An order as providers return it. */
export const orderRow = (n) => ({ ...order(n), Express: n % 2 === 1 })

const facets = { Decimal: { precision: 13, scale: 2 }, DateTime: { precision: 0 } }

export const orderType = (edm) => ({
  key: ['ID'],
  properties: Object.fromEntries(
    columns.map(([name, type]) => [name, edm[type](name === 'ID' ? { nullable: false } : facets[type])]),
  ),
})

/** Converts a row to the JSON of an order, by the object literal that an engineer would write. */
export const orderJson = compiled()

function compiled() {
  const text = (value) => `${value} === null ? null : String(${value})`
  const forms = {
    Decimal: text,
    Double: text,
    DateTime: (value) => `${value} === null ? null : '/Date(' + Date.parse(${value} + 'Z') + ')/'`,
    Boolean: (value) => `Boolean(${value})`,
  }
  const members = columns.map(([name, type]) => `${name}: ${(forms[type] ?? String)(`row.${name}`)}`)
  const metadata = "__metadata: { uri: root + 'Orders(' + row.ID + ')', type: 'Shop.Order' }"
  return new Function('root', 'row', `return { ${metadata}, ${members.join(', ')} }`)
}
