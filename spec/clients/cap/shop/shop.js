// The handlers of the service.
const cds = require('@sap/cds')

module.exports = (srv) => {
  const { Products, Orders, Items } = srv.entities
  srv.on('cancel', async (req) => {
    const [{ ID }] = req.params
    await UPDATE(Orders, { ID }).with({ status: `canceled: ${req.data.reason ?? ''}` })
    req.info({ code: 'CANCELED', message: 'The order was canceled.', target: 'status' })
    return SELECT.one.from(Orders, { ID })
  })
  srv.on('total', async (req) => {
    const [{ ID }] = req.params
    const rows = await SELECT.from(Items, (item) => {
      item.quantity
      item.product((product) => product.price)
    }).where({ order_ID: ID })
    return rows.reduce((sum, { quantity, product }) => sum + quantity * (product?.price ?? 0), 0)
  })
  srv.on('cheapest', (req) => SELECT.from(Products).where`price <= ${req.data.max}`.orderBy('price'))
  srv.on('greeting', (req) => `Hello, ${req.data.name ?? 'world'}!`)
  srv.on('restock', async (req) => {
    const { product: ID, quantity } = req.data
    const product = await SELECT.one.from(Products, { ID })
    if (!product)
      return req.reject({ code: 'NO_PRODUCT', status: 404, message: `No product ${ID}.`, target: 'product' })
    if (quantity > 1000) return req.reject(409, 'Too many.')
    await UPDATE(Products, { ID }).with({ stock: Number(product.stock ?? 0) + quantity })
    return SELECT.one.from(Products, { ID })
  })
  srv.on('reset', () => fill())
  srv.before('CREATE', Orders, (req) => {
    if (req.data.customer === 'bad') {
      req.error({ code: 'C1', message: 'Unknown customer.', target: 'customer', status: 422 })
      req.error({ code: 'C2', message: 'No items.', target: 'items', status: 422 })
    }
    if (req.data.customer === 'crash') throw new Error('secret detail')
  })
}

/** Replaces all data. */
async function fill() {
  const [Categories, Products, Orders, Items, Sales] = [
    'Categories',
    'Products',
    'Orders',
    'Items',
    'Sales',
  ].map((name) => `shop.${name}`)
  for (const entity of [Items, Orders, Products, Categories, Sales]) await DELETE.from(entity)
  await INSERT.into(Categories).entries([
    { ID: 1, name: 'Tea' },
    { ID: 2, name: 'Coffee' },
    { ID: 3, name: 'Empty' },
  ])
  await INSERT.into(Products).entries(
    Array.from({ length: 30 }, (_, index) => {
      const ID = index + 1
      return {
        ID,
        name: ID % 7 === 0 ? null : `Product ${ID}${ID === 3 ? " O'Neil & Söhne" : ''}`,
        price: ID % 5 === 0 ? null : `${ID}.${String((ID * 7) % 100).padStart(2, '0')}`,
        stock: ID === 2 ? '9007199254740993' : String(ID * 10),
        weight: ID / 8,
        active: ID % 2 === 0,
        released: `2024-05-${String((ID % 28) + 1).padStart(2, '0')}`,
        opens: `08:${String(ID).padStart(2, '0')}:00`,
        changed: `2024-06-01T10:00:${String(ID).padStart(2, '0')}Z`,
        measured: `2024-06-01T10:00:00.${String(ID).padStart(3, '0')}Z`,
        code: `00000000-0000-4000-8000-0000000000${String(ID).padStart(2, '0')}`,
        category_ID: ID % 4 === 0 ? null : (ID % 2) + 1,
      }
    }),
  )
  const order = '11111111-1111-4111-8111-111111111111'
  await INSERT.into(Orders).entries([
    { ID: order, customer: 'ada', modifiedAt: '2024-01-01T00:00:00.000Z' },
    { ID: '22222222-2222-4222-8222-222222222222', customer: 'bob', modifiedAt: '2024-01-02T00:00:00.000Z' },
  ])
  await INSERT.into(Items).entries([
    { ID: '33333333-3333-4333-8333-333333333333', order_ID: order, product_ID: 1, quantity: 2 },
    { ID: '44444444-4444-4444-8444-444444444444', order_ID: order, product_ID: 2, quantity: 3 },
  ])
  await INSERT.into(Sales).entries(
    Array.from({ length: 60 }, (_, index) => ({
      ID: `S${index}`,
      country: index % 7 === 0 ? null : ['DE', 'FR', 'de'][index % 3],
      year: 2020 + (index % 4),
      amount: index % 11 === 0 ? null : `${index}.${String((index * 37) % 100).padStart(2, '0')}`,
      pieces: index % 5 === 0 ? null : index - 20,
      best: `${index * 3}.10`,
    })),
  )
}

module.exports.fill = fill
