import type { Products } from '@northwind/cloud-sdk'
import { northwind } from '@northwind/cloud-sdk'
import { filterFunctions } from '@sap-cloud-sdk/odata-v2'
import { setGlobalLogLevel } from '@sap-cloud-sdk/util'
import { BigNumber } from 'bignumber.js'
import moment from 'moment'
import { stores } from './support/northwind.js'
import type { ServedNorthwind } from './support/served-northwind.js'
import { serveNorthwind } from './support/served-northwind.js'

const {
  productsApi,
  categoriesApi,
  ordersApi,
  order_DetailsApi,
  contactsApi,
  allTypesApi,
  batch,
  changeset,
} = northwind()

const { startsWith } = filterFunctions()

setGlobalLogLevel('error')

/** A complex value whose properties are nullable and which must be there all the same. */
const nowhere = { location: {} }

describe.each(stores)('@sap-cloud-sdk/odata-v2 changing a catalogue in %s', (_name, openStore) => {
  let served: ServedNorthwind
  let destination: { readonly url: string }

  beforeAll(async () => {
    // The client asks for a token before it changes anything, and sends it.
    served = await serveNorthwind(openStore, { csrf: true })
    destination = { url: served.root }
  })
  afterAll(() => served.close())
  beforeEach(() => void served.takeRequests())

  const newProduct = (productName: string): Products =>
    productsApi
      .entityBuilder()
      .productName(productName)
      .unitPrice(new BigNumber('12.3400'))
      .discontinued(false)
      .categoryId(1)
      .build()

  const readProduct = (key: number): Promise<Products> =>
    productsApi.requestBuilder().getByKey(key).execute(destination)

  it('MUST create an entity with a CSRF token from the root', async () => {
    const product = await productsApi.requestBuilder().create(newProduct('Gouda')).execute(destination)
    expect(product.productId).toBeGreaterThan(0)
    expect(product.versionIdentifier).toMatch(/^W\/"/)
    const requests = served.takeRequests()
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      expect.stringMatching(/^HEAD \/northwind/),
      'POST /northwind/Products',
    ])
    expect(requests[0]?.headers['x-csrf-token']).toBe('Fetch')
    expect(requests[1]?.headers['x-csrf-token']).toMatch(/.{16}/)
    const { productName, unitPrice } = await readProduct(product.productId)
    expect([productName, unitPrice?.toFixed()]).toEqual(['Gouda', '12.34'])
  })

  it('MUST send changed properties by PATCH with the ETag of the read', async () => {
    const product = await productsApi.requestBuilder().create(newProduct('Edam')).execute(destination)
    const first = product.versionIdentifier
    served.takeRequests()
    product.unitPrice = new BigNumber('99.5')
    const changed = await productsApi.requestBuilder().update(product).execute(destination)
    const [, patch] = served.takeRequests()
    expect(patch?.method).toBe('PATCH')
    expect(patch?.headers['if-match']).toBe(first)
    expect(changed.versionIdentifier).not.toBe(first)
    const read = await readProduct(product.productId)
    expect([read.productName, read.unitPrice?.toFixed()]).toEqual(['Edam', '99.5'])
    expect(read.versionIdentifier).toBe(changed.versionIdentifier)

    product.setVersionIdentifier(first)
    product.unitsInStock = 4
    const late = productsApi.requestBuilder().update(product).execute(destination)
    await expect(late).rejects.toMatchObject({ rootCause: { response: { status: 412 } } })
    const forced = productsApi.requestBuilder().update(product).ignoreVersionIdentifier()
    await forced.execute(destination)
    expect((await readProduct(product.productId)).unitsInStock).toBe(4)
  })

  it('MUST replace an entity by PUT', async () => {
    const product = await productsApi.requestBuilder().create(newProduct('Brie')).execute(destination)
    served.takeRequests()
    product.productName = 'Brie de Meaux'
    product.unitPrice = null
    await productsApi.requestBuilder().update(product).replaceWholeEntityWithPut().execute(destination)
    expect(served.takeRequests().map(({ method }) => method)).toContain('PUT')
    const read = await readProduct(product.productId)
    expect([read.productName, read.unitPrice, read.categoryId]).toEqual(['Brie de Meaux', null, 1])
  })

  it('MUST delete an entity by its entity object or its key', async () => {
    const first = await productsApi.requestBuilder().create(newProduct('One')).execute(destination)
    const second = await productsApi.requestBuilder().create(newProduct('Two')).execute(destination)
    await productsApi.requestBuilder().delete(first).execute(destination)
    await productsApi
      .requestBuilder()
      .delete(second.productId)
      .setVersionIdentifier(second.versionIdentifier)
      .execute(destination)
    for (const { productId } of [first, second]) {
      await expect(readProduct(productId)).rejects.toMatchObject({ rootCause: { response: { status: 404 } } })
    }
  })

  it('MUST create an entity with related entities, and one below another', async () => {
    const line = (productId: number) =>
      order_DetailsApi
        .entityBuilder()
        .productId(productId)
        .unitPrice(new BigNumber('1.5'))
        .quantity(2)
        .discount(0.25)
        .build()
    const created = await ordersApi
      .requestBuilder()
      .create(
        ordersApi
          .entityBuilder()
          .customerId("O'NEI")
          .orderDate(moment.utc('2024-02-29T12:34:56.000Z'))
          .shipAddress(nowhere)
          .orderDetails([line(1), line(2)])
          .build(),
      )
      .execute(destination)
    await order_DetailsApi
      .requestBuilder()
      .create(line(3))
      .asChildOf(created, ordersApi.schema.ORDER_DETAILS)
      .execute(destination)
    const read = await ordersApi
      .requestBuilder()
      .getByKey(created.orderId)
      .select(ordersApi.schema.ALL_FIELDS, ordersApi.schema.ORDER_DETAILS)
      .execute(destination)
    expect(read.orderDetails?.map(({ productId, discount }) => [productId, discount])).toEqual([
      [1, 0.25],
      [2, 0.25],
      [3, 0.25],
    ])
    expect(read.orderDate?.toISOString()).toBe('2024-02-29T12:34:56.000Z')
  })

  // Of moments it writes whole seconds; what it writes of an offset says another time to everybody else.
  it('MUST preserve every value of every simple type that it can send', async () => {
    const values = allTypesApi
      .entityBuilder()
      .id(987_654)
      .remark('From a client')
      .binaryValue('AAEC/w==')
      .booleanValue(true)
      .byteValue(255)
      .dateTimeValue(moment.utc('1999-12-31T23:59:59.000Z'))
      .dateTimeOffsetValue(moment.utc('2024-06-01T10:00:00.000Z'))
      .decimalValue(new BigNumber('123456789012345678.0123456789'))
      .doubleValue(1.5e-7)
      .guidValue('c0ffee00-0000-4000-8000-000000000001')
      .int16Value(-32_768)
      .int32Value(2_147_483_647)
      .int64Value(new BigNumber('-9223372036854775808'))
      .sByteValue(-128)
      .singleValue(0.5)
      .stringValue('é ☕ <&> "\'')
      .timeValue({ hours: 23, minutes: 59, seconds: 1 })
      .build()
    await allTypesApi.requestBuilder().create(values).execute(destination)
    const read = await allTypesApi.requestBuilder().getByKey(987_654).execute(destination)
    expect(read.decimalValue?.toFixed()).toBe('123456789012345678.0123456789')
    expect(read.int64Value?.toFixed()).toBe('-9223372036854775808')
    expect(read.dateTimeValue?.toISOString()).toBe('1999-12-31T23:59:59.000Z')
    expect(read.dateTimeOffsetValue?.valueOf()).toBe(Date.UTC(2024, 5, 1, 10))
    expect(read).toMatchObject({
      remark: 'From a client',
      binaryValue: 'AAEC/w==',
      booleanValue: true,
      byteValue: 255,
      doubleValue: 1.5e-7,
      guidValue: 'c0ffee00-0000-4000-8000-000000000001',
      int16Value: -32_768,
      int32Value: 2_147_483_647,
      sByteValue: -128,
      singleValue: 0.5,
      stringValue: 'é ☕ <&> "\'',
      timeValue: { hours: 23, minutes: 59, seconds: 1 },
    })
  })

  it('MUST create entities with the properties that the client knows, in a set with derived types', async () => {
    const party = contactsApi.entityBuilder().displayName('Ada Lovelace').build()
    const created = await contactsApi.requestBuilder().create(party).execute(destination)
    expect(created.displayName).toBe('Ada Lovelace')
  })

  it('MUST send batches of change sets and reads in order', async () => {
    const category = categoriesApi.entityBuilder().categoryName('Cheese').build()
    const kept = await productsApi.requestBuilder().create(newProduct('Kept')).execute(destination)
    const gone = await productsApi.requestBuilder().create(newProduct('Gone')).execute(destination)
    kept.productName = 'Kept and changed'
    const { PRODUCT_NAME } = productsApi.schema
    const responses = await batch(
      productsApi.requestBuilder().getAll().filter(PRODUCT_NAME.equals('Gone')),
      changeset(
        categoriesApi.requestBuilder().create(category),
        productsApi.requestBuilder().update(kept),
        productsApi.requestBuilder().delete(gone),
      ),
      productsApi.requestBuilder().getAll().filter(startsWith(PRODUCT_NAME, 'Kept').equals(true)),
      productsApi.requestBuilder().getAll().filter(PRODUCT_NAME.equals('Gone')),
    ).execute(destination)
    const [before, changes, after, nothing] = responses
    expect(before?.isReadResponse() && before.as(productsApi)).toHaveLength(1)
    if (!changes?.isWriteResponses()) throw new Error('The change set has no response of its own.')
    expect(changes.responses.map(({ httpCode }) => httpCode)).toEqual([201, 204, 204])
    expect(changes.responses[0]?.as?.(categoriesApi).categoryName).toBe('Cheese')
    expect(after?.isReadResponse() && after.as(productsApi).map(({ productName }) => productName)).toEqual([
      'Kept and changed',
    ])
    expect(nothing?.isReadResponse() && nothing.as(productsApi)).toEqual([])
  })

  it('MUST roll back a change set that fails, and continue with the rest of the batch', async () => {
    const late = await productsApi.requestBuilder().create(newProduct('Late')).execute(destination)
    const early = await readProduct(late.productId)
    early.unitsInStock = 1
    await productsApi.requestBuilder().update(early).execute(destination)
    late.unitsInStock = 2
    const [changes, names] = await batch(
      changeset(
        productsApi.requestBuilder().create(newProduct('Never there')),
        productsApi.requestBuilder().update(late),
      ),
      productsApi.requestBuilder().getAll().filter(productsApi.schema.PRODUCT_NAME.equals('Never there')),
    ).execute(destination)
    expect(changes).toMatchObject({ httpCode: 412 })
    expect(changes?.isError()).toBe(true)
    expect(names?.isReadResponse() && names.as(productsApi)).toEqual([])
  })
})
