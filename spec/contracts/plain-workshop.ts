import type { WriteRequest } from './write-service.js'

/** One change at random: what is done, and the numbers of the entities concerned. */
export interface Step {
  readonly kind: number
  readonly one: number
  readonly other: number
}

export interface PlainState {
  readonly categories: Map<number, { name: string | null; parent: number | null }>
  readonly products: Map<number, { category: number | null; readonly parts: Set<number> }>
  readonly orders: Map<number, Map<number, string | null>>
}

/** A change, which status it must have, and what it does when it is made. */
interface Change extends WriteRequest {
  readonly status: number
  readonly make: () => void
}

export function emptyState(): PlainState {
  return { categories: new Map(), products: new Map(), orders: new Map() }
}

/** Converts a state to the form that a service must show: maps and sets in the order of their keys. */
export function readable({ categories, products, orders }: PlainState): unknown {
  const sorted = <T>(map: ReadonlyMap<number, T>): [number, T][] => [...map].sort(([a], [b]) => a - b)
  return {
    categories: sorted(categories),
    products: sorted(products).map(([key, { category, parts }]) => [
      key,
      { category, parts: [...parts].sort((a, b) => a - b) },
    ]),
    orders: sorted(orders).map(([key, lines]) => [key, sorted(lines)]),
  }
}

type Kind = (state: PlainState, one: number, other: number) => Change

/** 409 where something is in the way, 404 where something is missing, in the order in which it is looked at. */
function statusOf(success: number, missing: boolean, inTheWay = false): number {
  return missing ? 404 : inTheWay ? 409 : success
}

const changesOfCategories: readonly Kind[] = [
  ({ categories }, ID, ParentID) => {
    const isFree = !categories.has(ID) && (categories.has(ParentID) || ParentID === ID)
    const make = (): unknown => categories.set(ID, { name: null, parent: ParentID })
    return { method: 'POST', path: 'Categories', json: { ID, ParentID }, status: isFree ? 201 : 409, make }
  },
  ({ categories }, ID, other) => {
    const json = { ID, Name: `${other}` }
    const make = (): unknown => categories.set(ID, { name: json.Name, parent: null })
    return { method: 'POST', path: 'Categories', json, status: categories.has(ID) ? 409 : 201, make }
  },
  ({ categories }, one, other) => {
    const category = categories.get(one)
    const make = (): void => {
      if (category !== undefined) categories.set(one, { ...category, name: `${other}` })
    }
    const status = statusOf(204, category === undefined)
    return { method: 'MERGE', path: `Categories(${one})`, json: { Name: `${other}` }, status, make }
  },
  ({ categories }, one, other) => {
    const make = (): unknown => categories.set(one, { name: `${other}`, parent: null })
    const status = statusOf(204, !categories.has(one))
    return { method: 'PUT', path: `Categories(${one})`, json: { Name: `${other}` }, status, make }
  },
  ({ categories, products }, one) => {
    const make = (): void => {
      categories.delete(one)
      for (const category of categories.values()) if (category.parent === one) category.parent = null
      for (const product of products.values()) if (product.category === one) product.category = null
    }
    return { method: 'DELETE', path: `Categories(${one})`, status: statusOf(204, !categories.has(one)), make }
  },
]

const changesOfProducts: readonly Kind[] = [
  ({ products }, ID) => {
    const make = (): unknown => products.set(ID, { category: null, parts: new Set() })
    return { method: 'POST', path: 'Products', json: { ID }, status: products.has(ID) ? 409 : 201, make }
  },
  ({ categories, products }, ID, other) => {
    const make = (): unknown => products.set(ID, { category: other, parts: new Set() })
    const status = statusOf(201, !categories.has(other), products.has(ID))
    return { method: 'POST', path: `Categories(${other})/Products`, json: { ID }, status, make }
  },
  ({ categories, products }, one, CategoryID) => {
    const status = statusOf(204, !products.has(one), !categories.has(CategoryID))
    const make = (): void => setCategory(products, one, CategoryID)
    return { method: 'MERGE', path: `Products(${one})`, json: { CategoryID }, status, make }
  },
  ({ categories, products }, one, other) => {
    const status = statusOf(204, !products.has(one) || !categories.has(other))
    const make = (): void => setCategory(products, one, other)
    return {
      method: 'PUT',
      path: `Products(${one})/$links/Category`,
      json: { uri: `Categories(${other})` },
      status,
      make,
    }
  },
  ({ categories, products }, one, other) => {
    const status = statusOf(204, !products.has(one) || !categories.has(other))
    const make = (): void => setCategory(products, one, other)
    return {
      method: 'POST',
      path: `Categories(${other})/$links/Products`,
      json: { uri: `Products(${one})` },
      status,
      make,
    }
  },
  ({ products }, one) => {
    const status = statusOf(204, (products.get(one)?.category ?? null) === null)
    const make = (): void => setCategory(products, one, null)
    return { method: 'DELETE', path: `Products(${one})/$links/Category`, status, make }
  },
  ({ products }, one, other) => {
    const status = statusOf(204, products.get(one)?.category !== other)
    const make = (): void => setCategory(products, one, null)
    return { method: 'DELETE', path: `Categories(${other})/Products(${one})`, status, make }
  },
  ({ products }, one) => {
    const make = (): void => {
      products.delete(one)
      for (const { parts } of products.values()) parts.delete(one)
    }
    return { method: 'DELETE', path: `Products(${one})`, status: statusOf(204, !products.has(one)), make }
  },
]

const changesOfParts: readonly Kind[] = [
  ({ products }, one, other) => {
    const status = statusOf(204, !products.has(one) || !products.has(other))
    const make = (): unknown => products.get(one)?.parts.add(other)
    return {
      method: 'POST',
      path: `Products(${one})/$links/Parts`,
      json: { uri: `Products(${other})` },
      status,
      make,
    }
  },
  ({ products }, one, other) => {
    const status = statusOf(204, products.get(other)?.parts.has(one) !== true)
    const make = (): unknown => products.get(other)?.parts.delete(one)
    return { method: 'DELETE', path: `Products(${one})/$links/Wholes(${other})`, status, make }
  },
  ({ products }, ID, next) => {
    // Nothing is said of an entity that is to be linked to itself before it is there.
    const other = next === ID ? ID + 1 : next
    const json = { ID, Wholes: [{ __metadata: { uri: `Products(${other})` } }] }
    const make = (): void => {
      products.set(ID, { category: null, parts: new Set() })
      products.get(other)?.parts.add(ID)
    }
    // A body that leads nowhere is 400; a key that is taken 409, whichever is found first.
    const status = products.has(ID) ? 409 : products.has(other) ? 201 : 400
    return { method: 'POST', path: 'Products', json, status, make }
  },
]

const changesOfOrders: readonly Kind[] = [
  ({ orders }, ID, other) => {
    const numbers = [1, other % 3]
    const json = { ID, Lines: numbers.map((No) => ({ No })) }
    const make = (): unknown => orders.set(ID, new Map(numbers.map((No) => [No, null])))
    const isFree = !orders.has(ID) && other % 3 !== 1
    return { method: 'POST', path: 'Orders', json, status: isFree ? 201 : 409, make }
  },
  ({ orders }, one, other) => {
    const No = other % 3
    const lines = orders.get(one)
    const make = (): unknown => lines?.set(No, 'new')
    const status = statusOf(201, lines === undefined, lines?.has(No))
    return { method: 'POST', path: `Orders(${one})/Lines`, json: { No, Text: 'new' }, status, make }
  },
  ({ orders }, one, other) => {
    const No = other % 3
    const lines = orders.get(one)
    const make = (): unknown => lines?.set(No, `${other}`)
    const status = statusOf(204, lines?.has(No) !== true)
    const path = `Lines(OrderID=${one},No=${No})/Text`
    return { method: 'PUT', path, json: { Text: `${other}` }, status, make }
  },
  ({ orders }, one, other) => {
    const No = other % 3
    const lines = orders.get(one)
    const status = statusOf(204, lines?.has(No) !== true)
    return { method: 'DELETE', path: `Lines(OrderID=${one},No=${No})`, status, make: () => lines?.delete(No) }
  },
  ({ orders }, one) => {
    const status = statusOf(204, !orders.has(one))
    return { method: 'DELETE', path: `Orders(${one})`, status, make: () => orders.delete(one) }
  },
]

function setCategory(products: PlainState['products'], key: number, category: number | null): void {
  const product = products.get(key)
  if (product !== undefined) product.category = category
}

/** All kinds of steps; those over link tables are last. */
const kinds = [...changesOfCategories, ...changesOfProducts, ...changesOfOrders, ...changesOfParts]
export const kindsOfSteps = kinds.length
export const kindsWithoutLinkTables = kinds.length - changesOfParts.length

/** @param base the key of the entity with the number 0 */
export function changeOf({ kind, one, other }: Step, state: PlainState, base: number): Change {
  const make = kinds[kind]
  if (make === undefined) throw new Error(`There is no step ${kind}.`)
  return make(state, base + one, base + other)
}
