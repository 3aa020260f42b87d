import type { FunctionHandler } from 'express-odata-v2'
import { ODataError } from 'express-odata-v2'
import { divideUnits, fromUnits, toUnits } from './data/money.js'
import { northwindData } from './northwind-data.js'

/**
 * Handlers of the function imports of the catalogue. They read the initial rows of the service. Parameters are
 * JavaScript values of the types in the model.
 *
 * @spec MS-ODATA 2.2.3.6.2 (service operations)
 */
export const northwindFunctions = {
  /** Returns products that are not discontinued and have fewer than `min` units in stock. */
  ProductsBelowStock({ min }) {
    const limit = min as number
    return northwindData.Products.filter(
      ({ Discontinued, UnitsInStock }) => !Discontinued && UnitsInStock !== null && UnitsInStock < limit,
    )
  },

  /** Returns the average price of a category, or of products without a category. Null if no product has a price. */
  AveragePrice({ categoryID }) {
    const prices = northwindData.Products.filter(
      ({ CategoryID }) => categoryID === null || CategoryID === categoryID,
    ).flatMap(({ UnitPrice }) => (UnitPrice === null ? [] : [toUnits(UnitPrice)]))
    if (prices.length === 0) return null
    const sum = prices.reduce((total, price) => total + price, 0n)
    return fromUnits(divideUnits(sum, BigInt(prices.length)))
  },

  /** Returns the countries of all customers in alphabetical order. */
  CustomerCountries() {
    const countries = new Set(northwindData.Customers.flatMap(({ Address }) => Address.Country ?? []))
    return [...countries].sort()
  },

  /** Returns the latest order of a customer; null if there are no orders. */
  LatestOrder({ customerID }) {
    return northwindData.Orders.findLast(({ CustomerID }) => CustomerID === customerID) ?? null
  },

  /** Returns the price of a quantity of a product, with a discount of 5 % from 25 units, and 10 % from 100 units. */
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
