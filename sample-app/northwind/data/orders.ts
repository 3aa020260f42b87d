import { customers } from './customers.js'
import { employees } from './employees.js'
import { fromUnits, toUnits } from './money.js'
import { noAddress } from './places.js'
import { products } from './products.js'
import { createRandom } from './random.js'

const orderCount = 300
const firstOrderID = 20_001
const day = 86_400_000
/** The time of the first order, a Monday morning. About two orders per week follow. */
const firstOrder = Date.UTC(2023, 0, 2, 8, 30)
const linesPerOrder = [1, 1, 2, 2, 2, 3, 3, 3, 4, 6] as const
const discounts = [0, 0, 0, 0, 0.05, 0.1, 0.15, 0.25] as const

/** The last customer has not ordered anything yet. */
const buyers = customers.slice(0, -1)

const random = createRandom(300)

function orderAt(index: number, orderedAt: number) {
  const customer = random.chance(97) ? random.oneOf(buyers) : undefined
  const daysToShip = random.integer(1, 20)
  // The latest ones are still in the warehouse.
  const isShipped = index < orderCount - 12
  return {
    OrderID: firstOrderID + index,
    CustomerID: customer?.CustomerID ?? null,
    EmployeeID: random.chance(98) ? random.oneOf(employees).EmployeeID : null,
    OrderDate: new Date(orderedAt),
    RequiredDate: midnight(orderedAt + random.oneOf([14, 28, 28, 42]) * day),
    ShippedDate: isShipped ? new Date(orderedAt + daysToShip * day + random.integer(0, 28_800_000)) : null,
    Freight: fromUnits(BigInt(random.integer(95, 24_000)) * 100n),
    ShipName: customer?.CompanyName ?? null,
    ShipAddress: customer?.Address ?? noAddress,
  }
}

function midnight(time: number): Date {
  return new Date(Math.floor(time / day) * day)
}

function createOrders() {
  const created: ReturnType<typeof orderAt>[] = []
  let orderedAt = firstOrder
  for (let index = 0; index < orderCount; index++) {
    created.push(orderAt(index, orderedAt))
    orderedAt += random.integer(30_000, 2 * 3 * day)
  }
  return created
}

function linesOf(OrderID: number) {
  const chosen = new Set<(typeof products)[number]>()
  for (let left = random.oneOf(linesPerOrder); left > 0; left--) chosen.add(random.oneOf(products))
  return [...chosen].map(({ ProductID, UnitPrice }) => ({
    OrderID,
    ProductID,
    // Products without a list price have a negotiated price.
    UnitPrice: UnitPrice ?? fromUnits(toUnits('10') * BigInt(random.integer(1, 9))),
    Quantity: random.integer(1, 60),
    Discount: random.oneOf(discounts),
  }))
}

/** The rows of Orders, the oldest first. */
export const orders = createOrders()

/** The rows of Order_Details, in the order of the orders. */
export const orderDetails = orders.flatMap(({ OrderID }) => linesOf(OrderID))
