import {
  averagePrice,
  customerCountries,
  latestOrder,
  northwind,
  productsBelowStock,
  Quote,
  requestQuote,
} from '@northwind/cloud-sdk'
import {
  and,
  asc,
  defaultDeSerializers,
  desc,
  entityDeserializer,
  filterFunctions,
  or,
} from '@sap-cloud-sdk/odata-v2'
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
  customersApi,
  suppliersApi,
  contactsApi,
  allTypesApi,
  batch,
} = northwind()

const {
  ceiling,
  concat,
  day,
  endsWith,
  floor,
  hour,
  indexOf,
  length,
  minute,
  month,
  replace,
  round,
  second,
  startsWith,
  substring,
  substringOf,
  toLower,
  toUpper,
  trim,
  year,
} = filterFunctions()

setGlobalLogLevel('error')

describe.each(stores)('@sap-cloud-sdk/odata-v2 reading a catalogue in %s', (_name, openStore) => {
  let served: ServedNorthwind
  let destination: { readonly url: string }

  beforeAll(async () => {
    served = await serveNorthwind(openStore)
    destination = { url: served.root }
  })
  afterAll(() => served.close())
  beforeEach(() => void served.takeRequests())

  it('MUST combine filters, orders, pages and projections', async () => {
    const { schema } = productsApi
    const products = await productsApi
      .requestBuilder()
      .getAll()
      .filter(
        and(
          schema.UNIT_PRICE.greaterThan(new BigNumber('30')),
          substringOf('a', schema.PRODUCT_NAME).equals(true),
          or(schema.DISCONTINUED.equals(false), schema.VERSION.lessThan(0)),
        ),
      )
      .orderBy(desc(schema.UNIT_PRICE), asc(schema.PRODUCT_NAME))
      .top(3)
      .skip(1)
      .select(schema.PRODUCT_NAME, schema.UNIT_PRICE)
      .execute(destination)
    expect(products.map(({ productName }) => productName)).toEqual([
      'Serra Hard Cheese',
      'Jamón, Sliced',
      'Balsamic, 25 Years',
    ])
    for (const { unitPrice } of products) expect(BigNumber.isBigNumber(unitPrice)).toBe(true)
    const [{ url = '' } = {}] = served.takeRequests()
    expect(decodeURIComponent(url)).toContain('UnitPrice gt 30M')
  })

  it('MUST expand several levels, and filter by related entities', async () => {
    const products = await productsApi
      .requestBuilder()
      .getAll()
      .filter(productsApi.schema.CATEGORY.filter(categoriesApi.schema.CATEGORY_NAME.equals('Drinks')))
      .select(
        productsApi.schema.PRODUCT_ID,
        productsApi.schema.CATEGORY.select(categoriesApi.schema.CATEGORY_NAME),
        productsApi.schema.SUPPLIER.select(suppliersApi.schema.COMPANY_NAME, suppliersApi.schema.ADDRESS),
      )
      .execute(destination)
    expect(products.length).toBeGreaterThan(5)
    expect(new Set(products.map(({ category }) => category?.categoryName))).toEqual(new Set(['Drinks']))
    expect(typeof products[0]?.supplier?.address?.location?.latitude).toBe('number')

    const { schema } = ordersApi
    const order = await ordersApi
      .requestBuilder()
      .getByKey(20_001)
      .select(
        schema.ALL_FIELDS,
        schema.CUSTOMER,
        schema.ORDER_DETAILS.select(order_DetailsApi.schema.ALL_FIELDS, order_DetailsApi.schema.PRODUCT),
      )
      .execute(destination)
    expect(order.orderDetails?.length).toBeGreaterThan(0)
    expect(typeof order.orderDetails?.[0]?.product?.productName).toBe('string')
    expect(typeof order.customer?.companyName).toBe('string')
    expect(moment.isMoment(order.orderDate)).toBe(true)
  })

  it('MUST count in a separate request and together with the entities', async () => {
    const request = productsApi.requestBuilder().getAll().filter(productsApi.schema.DISCONTINUED.equals(true))
    const alone = await request.count().execute(destination)
    const raw = await productsApi
      .requestBuilder()
      .getAll()
      .filter(productsApi.schema.DISCONTINUED.equals(true))
      .top(1)
      .addCustomQueryParameters({ $inlinecount: 'allpages' })
      .executeRaw(destination)
    expect(alone).toBeGreaterThan(1)
    expect(Number(raw.data.d.__count)).toBe(alone)
    expect(raw.data.d.results).toHaveLength(1)
  })

  it('MUST find entities by keys with special characters of URLs', async () => {
    const customers = await customersApi.requestBuilder().getAll().top(8).execute(destination)
    for (const { customerId } of customers) {
      const found = await customersApi.requestBuilder().getByKey(customerId).execute(destination)
      expect(found.customerId).toBe(customerId)
    }
    const types = await contactsApi.requestBuilder().getAll().execute(destination)
    expect(types.length).toBeGreaterThan(2)
  })

  it('MUST get an error that it can display when an entity does not exist', async () => {
    const missing = productsApi.requestBuilder().getByKey(4711).execute(destination)
    await expect(missing).rejects.toMatchObject({
      rootCause: {
        response: {
          status: 404,
          data: { error: { message: { value: 'There is no entity with this key.' } } },
        },
      },
    })
  })

  it('MUST preserve all digits of Int64 and decimals, and dates and times of day', async () => {
    const rows = await allTypesApi.requestBuilder().getAll().execute(destination)
    const exact = await allTypesApi
      .requestBuilder()
      .getAll()
      .filter(allTypesApi.schema.INT_64_VALUE.equals(new BigNumber('9223372036854775807')))
      .execute(destination)
    expect(exact.map(({ int64Value }) => int64Value?.toFixed())).toContain('9223372036854775807')
    const decimals = rows.flatMap(({ decimalValue }) => (decimalValue ? [decimalValue.toFixed()] : []))
    expect(Math.max(...decimals.map((one) => one.replace(/\D/g, '').length))).toBeGreaterThan(20)
    expect(rows.some(({ dateTimeValue }) => moment.isMoment(dateTimeValue))).toBe(true)
    expect(rows.some(({ dateTimeOffsetValue }) => moment.isMoment(dateTimeOffsetValue))).toBe(true)
    expect(rows.find(({ timeValue }) => timeValue)?.timeValue).toEqual({
      hours: expect.any(Number),
      minutes: expect.any(Number),
      seconds: expect.any(Number),
    })
  })

  it.each([
    ['DateTime', allTypesApi.schema.DATE_TIME_VALUE.greaterOrEqual(moment.utc('1970-01-01T00:00:00Z'))],
    ['DateTimeOffset', allTypesApi.schema.DATE_TIME_OFFSET_VALUE.lessThan(moment.utc())],
    ['Decimal', allTypesApi.schema.DECIMAL_VALUE.lessThan(new BigNumber('0.5'))],
    ['Decimal below 0.000001', allTypesApi.schema.DECIMAL_VALUE.greaterThan(new BigNumber('0.0000001'))],
    ['Decimal with 22 digits', allTypesApi.schema.DECIMAL_VALUE.lessThan(new BigNumber('1e21'))],
    ['Double', allTypesApi.schema.DOUBLE_VALUE.lessThan(1.5)],
    ['Double with an exponent', allTypesApi.schema.DOUBLE_VALUE.lessThan(1e21)],
    ['Single', allTypesApi.schema.SINGLE_VALUE.lessThan(1.5)],
    ['Guid', allTypesApi.schema.GUID_VALUE.notEquals('00000000-0000-0000-0000-000000000000')],
    ['Int64', allTypesApi.schema.INT_64_VALUE.greaterThan(new BigNumber(1))],
    ['SByte', allTypesApi.schema.S_BYTE_VALUE.lessThan(0)],
    ['Byte', allTypesApi.schema.BYTE_VALUE.greaterThan(1)],
    ['Boolean', allTypesApi.schema.BOOLEAN_VALUE.equals(true)],
    ['String', allTypesApi.schema.STRING_VALUE.notEquals("it's")],
    ['Time', allTypesApi.schema.TIME_VALUE.greaterThan({ hours: 1, minutes: 0, seconds: 0 })],
  ])('MUST filter by Edm.%s in the notation of the client', async (_type, filter) => {
    const rows = await allTypesApi.requestBuilder().getAll().filter(filter).execute(destination)
    expect(rows.length).toBeGreaterThan(0)
  })

  it.each([
    ['length', length(productsApi.schema.PRODUCT_NAME).greaterThan(20)],
    ['startswith', startsWith(productsApi.schema.PRODUCT_NAME, 'Le').equals(true)],
    ['endswith', endsWith(productsApi.schema.PRODUCT_NAME, 't').equals(true)],
    ['indexof', indexOf(productsApi.schema.PRODUCT_NAME, 'a').equals(1)],
    ['replace', replace(productsApi.schema.PRODUCT_NAME, 'a', 'A').notEquals('x')],
    ['substring', substring(productsApi.schema.PRODUCT_NAME, 1, 1).equals('a')],
    ['tolower', toLower(productsApi.schema.PRODUCT_NAME).notEquals('X')],
    ['toupper', toUpper(productsApi.schema.PRODUCT_NAME).notEquals('x')],
    ['trim', trim(productsApi.schema.PRODUCT_NAME).notEquals(' ')],
    ['concat', concat(productsApi.schema.PRODUCT_NAME, '!').notEquals('!')],
    ['round', round(productsApi.schema.UNIT_PRICE).greaterThan(3)],
    ['floor', floor(productsApi.schema.UNIT_PRICE).greaterThan(3)],
    ['ceiling', ceiling(productsApi.schema.UNIT_PRICE).greaterThan(3)],
  ])('MUST filter by %s in the notation of the client', async (_name, filter) => {
    const rows = await productsApi.requestBuilder().getAll().filter(filter).execute(destination)
    expect(rows.length).toBeGreaterThan(0)
  })

  it('MUST filter by parts of dates in the notation of the client', async () => {
    const { ORDER_DATE } = ordersApi.schema
    const orders = await ordersApi
      .requestBuilder()
      .getAll()
      .filter(
        and(
          year(ORDER_DATE).greaterThan(2000),
          month(ORDER_DATE).lessOrEqual(12),
          day(ORDER_DATE).greaterThan(0),
          hour(ORDER_DATE).greaterOrEqual(0),
          minute(ORDER_DATE).greaterOrEqual(0),
          second(ORDER_DATE).greaterOrEqual(0),
        ),
      )
      .execute(destination)
    expect(orders.length).toBeGreaterThan(0)
  })

  it('MUST call functions: collections, entities, values, and complex values by POST', async () => {
    const few = await productsBelowStock({ min: 5 }).execute(destination)
    expect(few.length).toBeGreaterThan(0)
    for (const { unitsInStock } of few) expect(unitsInStock).toBeLessThan(5)
    const latest = await latestOrder({ customerId: "O'NEI" }).execute(destination)
    expect(latest.customerId).toBe("O'NEI")
    expect(moment.isMoment(latest.orderDate)).toBe(true)
    const average: unknown = await averagePrice({ categoryId: 1 }).execute(destination)
    expect(BigNumber.isBigNumber(average)).toBe(true)
    const countries = await customerCountries({}).execute(destination)
    expect(countries.length).toBeGreaterThan(3)
  })

  it('MUST wrap a complex value in the name of the function, which the client unwraps only in executeRaw', async () => {
    const { data } = await requestQuote({ productId: 1, quantity: 30 }).executeRaw(destination)
    const { deserializeComplexType } = entityDeserializer(defaultDeSerializers)
    const quote = deserializeComplexType(data.d.RequestQuote, Quote)
    expect(quote).toMatchObject({ productId: 1, quantity: 30 })
    expect(quote.total.toFixed()).toBe('1311')
  })

  it('MUST read several sets in a batch, with a response for each', async () => {
    const [category, missing, products] = await batch(
      categoriesApi.requestBuilder().getByKey(1),
      productsApi.requestBuilder().getByKey(4711),
      productsApi.requestBuilder().getAll().filter(productsApi.schema.PRODUCT_NAME.notEquals('a & b')).top(2),
    ).execute(destination)
    expect(category?.isSuccess() && category.isReadResponse() && category.as(categoriesApi)).toEqual([
      expect.objectContaining({ categoryName: 'Drinks' }),
    ])
    expect(missing).toMatchObject({ httpCode: 404 })
    expect(missing?.isError()).toBe(true)
    expect(products?.isReadResponse() && products.as(productsApi)).toHaveLength(2)
    expect(served.takeRequests().map(({ method, url }) => `${method} ${url}`)).toEqual(
      expect.arrayContaining(['POST /northwind/$batch']),
    )
  })

  it('MUST send headers and options of the caller unchanged', async () => {
    const response = await categoriesApi
      .requestBuilder()
      .getAll()
      .addCustomHeaders({ 'accept-language': 'de', 'sap-client': '100', 'x-correlation-id': '1' })
      .addCustomQueryParameters({ 'sap-client': '100', 'sap-language': 'DE' })
      .executeRaw(destination)
    expect(response.status).toBe(200)
    expect(response.headers.dataserviceversion).toBe('2.0')
  })
})
