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

const plain = {
  entitySets: { Products: { read: () => rows, pushdown: { orderBy: () => true, paging: true } } },
}

const app = express()
if (process.argv[2].startsWith('by hand')) app.get('/shop/Products', byHand)
else if (process.argv[2].includes('memory'))
  app.use('/shop', odataV2(model, memoryProvider(model, { Products: rows })))
else app.use('/shop', odataV2(model, plain))
serve(app)
