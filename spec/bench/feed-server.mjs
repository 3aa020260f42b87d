/** The servers that `feed.mjs` compares; the argument says which one. */
import express from 'express'
import { defineModel, edm, memoryProvider, odataV2 } from 'express-odata-v2'
import { serve } from './measure.mjs'

const model = defineModel({
  namespace: 'Bench',
  entityTypes: {
    Product: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Name: edm.String({ maxLength: 80 }),
        Description: edm.String(),
        Price: edm.Decimal({ precision: 10, scale: 2 }),
        Stock: edm.Int64(),
        Rating: edm.Int16(),
        Weight: edm.Double(),
        Active: edm.Boolean(),
        Released: edm.DateTime({ precision: 3 }),
        Code: edm.Guid(),
      },
    },
  },
  entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
})

const rows = Array.from({ length: 1000 }, (_, index) => ({
  ID: index + 1,
  Name: `Product ${index + 1}`,
  Description: `What there is to say about product ${index + 1}, in a sentence or two of plain text.`,
  Price: `${index % 90}.50`,
  Stock: BigInt(index * 1_000_003),
  Rating: index % 5,
  Weight: index / 8,
  Active: index % 3 > 0,
  Released: new Date(Date.UTC(2020, 0, 1) + index * 86_400_000),
  Code: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
}))

/** What one would write without a library: objects in the shape of the wire, and JSON.stringify. */
function byHand(req, res) {
  const root = `${req.protocol}://${req.get('host')}${req.baseUrl}/`
  const results = rows.map((row) => ({
    __metadata: { uri: `${root}Products(${row.ID})`, type: 'Bench.Product' },
    ID: row.ID,
    Name: row.Name,
    Description: row.Description,
    Price: row.Price,
    Stock: String(row.Stock),
    Rating: row.Rating,
    Weight: String(row.Weight),
    Active: row.Active,
    Released: `/Date(${row.Released.getTime()})/`,
    Code: row.Code,
  }))
  res.type('application/json').send(JSON.stringify({ d: { results } }))
}

const xml = (text) => text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign])

/** The same for Atom: a template for an entry. */
function atomByHand(req, res) {
  const root = `${req.protocol}://${req.get('host')}${req.baseUrl}/shop/`
  const updated = new Date().toISOString()
  const d = 'http://schemas.microsoft.com/ado/2007/08/dataservices'
  const entries = rows.map(
    (row) =>
      `<entry><id>${root}Products(${row.ID})</id><title type="text"></title><updated>${updated}</updated>` +
      `<author><name/></author><link rel="edit" title="Product" href="Products(${row.ID})"/>` +
      `<category term="Bench.Product" scheme="${d}/scheme"/><content type="application/xml"><m:properties>` +
      `<d:ID m:type="Edm.Int32">${row.ID}</d:ID><d:Name>${xml(row.Name)}</d:Name>` +
      `<d:Description>${xml(row.Description)}</d:Description><d:Price m:type="Edm.Decimal">${row.Price}</d:Price>` +
      `<d:Stock m:type="Edm.Int64">${row.Stock}</d:Stock><d:Rating m:type="Edm.Int16">${row.Rating}</d:Rating>` +
      `<d:Weight m:type="Edm.Double">${row.Weight}</d:Weight><d:Active m:type="Edm.Boolean">${row.Active}</d:Active>` +
      `<d:Released m:type="Edm.DateTime">${row.Released.toISOString().slice(0, 23)}</d:Released>` +
      `<d:Code m:type="Edm.Guid">${row.Code}</d:Code></m:properties></content></entry>`,
  )
  res
    .type('application/atom+xml')
    .send(
      `<?xml version="1.0" encoding="utf-8"?><feed xml:base="${root}" xmlns="http://www.w3.org/2005/Atom" xmlns:d="${d}" ` +
        `xmlns:m="${d}/metadata"><title type="text">Products</title><id>${root}Products</id><updated>${updated}</updated>` +
        `<link rel="self" title="Products" href="Products"/>${entries.join('')}</feed>`,
    )
}

const plain = {
  entitySets: { Products: { read: () => rows, pushdown: { orderBy: () => true, paging: true } } },
}

const app = express()
if (process.argv[2] === 'by hand, Atom') app.get('/shop/Products', atomByHand)
else if (process.argv[2].startsWith('by hand')) app.get('/shop/Products', byHand)
else if (process.argv[2].includes('memory'))
  app.use('/shop', odataV2(model, memoryProvider(model, { Products: rows })))
else app.use('/shop', odataV2(model, plain))
serve(app)
