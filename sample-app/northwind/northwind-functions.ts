import type { FunctionHandler } from 'express-odata-v2'
import { ODataError } from 'express-odata-v2'
import { divideUnits, fromUnits, toUnits } from './data/money.js'
import { northwindData } from './northwind-data.js'

/**
 * What the function imports of the catalogue do. They read the rows that the service starts with; parameters are
 * JavaScript values of the types that the model gives them.
 *
 * @spec MS-ODATA 2.2.3.6.2 (service operations)
 */
export const northwindFunctions = {
  /** Products that can still be ordered and of which fewer than `min` are in stock. */
  ProductsBelowStock({ min }) {
    const limit = min as number
    return northwindData.Products.filter(
      ({ Discontinued, UnitsInStock }) => !Discontinued && UnitsInStock !== null && UnitsInStock < limit,
    )
  },

  /** The average price of a category, of all products without one; null when nothing has a price. */
  AveragePrice({ categoryID }) {
    const prices = northwindData.Products.filter(
      ({ CategoryID }) => categoryID === null || CategoryID === categoryID,
    ).flatMap(({ UnitPrice }) => (UnitPrice === null ? [] : [toUnits(UnitPrice)]))
    if (prices.length === 0) return null
    const sum = prices.reduce((total, price) => total + price, 0n)
    return fromUnits(divideUnits(sum, BigInt(prices.length)))
  },

  /** The countries of all customers in alphabetical order. */
  CustomerCountries() {
    const countries = new Set(northwindData.Customers.flatMap(({ Address }) => Address.Country ?? []))
    return [...countries].sort()
  },

  /** The latest order of a customer; null when there is none. */
  LatestOrder({ customerID }) {
    return northwindData.Orders.findLast(({ CustomerID }) => CustomerID === customerID) ?? null
  },

  /** What so many units of a product cost: from 25 units on five per cent less, from 100 on ten. */
  RequestQuote({ productID, quantity }) {
    const product = northwindData.Products.find(({ ProductID }) => ProductID === productID)
    if (product === undefined) {
      throw new ODataError('ResourceNotFound', { message: `There is no product ${String(productID)}.` })
    }
    const units = quantity as number
    if (units < 1) throw new ODataError('BadRequest', { message: 'A quote needs at least one unit.' })
    const { ProductID, UnitPrice, Discontinued } = product
    if (UnitPrice === null || Discontinued) {
      throw new ODataError('Conflict', { message: `'${product.ProductName}' is not for sale.` })
    }
    const percent = units >= 100 ? 10 : units >= 25 ? 5 : 0
    const total = divideUnits(toUnits(UnitPrice) * BigInt(units) * BigInt(100 - percent), 100n)
    return {
      ProductID,
      Quantity: units,
      UnitPrice,
      Discount: percent / 100,
      Total: fromUnits(total),
    }
  },
} satisfies Record<string, FunctionHandler>
