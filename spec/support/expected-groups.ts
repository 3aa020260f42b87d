import type { Row } from '../../lib/index.js'

/** A row of random sales: numbers as integers, amounts in cents. */
export interface RandomSale {
  readonly Country: string | null
  readonly Customer: string | null
  readonly Currency: string | null
  readonly cents: number | null
  readonly Quantity: number | null
}

export function rowOf({ cents, ...others }: RandomSale): Row {
  return { ...others, Amount: cents === null ? null : decimalOf(cents) }
}

/** Formats cents as a decimal with two digits. */
export function decimalOf(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export type GroupName = 'Country' | 'Customer' | 'Currency'

/** Groups sales as the protocol describes it, without code of the library. */
export function expectedGroups(sales: readonly RandomSale[], names: readonly GroupName[]): readonly Row[] {
  const keys = [...new Set(sales.map((sale) => JSON.stringify(names.map((name) => sale[name]))))]
  return keys.map((key) => {
    const rows = sales.filter((sale) => JSON.stringify(names.map((name) => sale[name])) === key)
    const cents = rows.flatMap((sale) => (sale.cents === null ? [] : [sale.cents]))
    const quantities = rows.flatMap(({ Quantity }) => (Quantity === null ? [] : [Quantity]))
    const total = cents.reduce((sum, one) => sum + one, 0)
    const isMixed = new Set(rows.map(({ Currency }) => Currency)).size > 1
    const customers = rows.flatMap(({ Customer }) => (Customer === null ? [] : [Customer]))
    const orNull = (value: () => unknown): unknown => (isMixed || cents.length === 0 ? null : value())
    return {
      ...Object.fromEntries(names.map((name) => [name, rows[0]?.[name] ?? null])),
      Amount: orNull(() => decimalOf(total)),
      Mean: orNull(() => decimalOf(Math.sign(total) * Math.round(Math.abs(total) / cents.length))),
      Best: orNull(() => decimalOf(Math.max(...cents))),
      Least: orNull(() => decimalOf(Math.min(...cents))),
      Quantity: quantities.length === 0 ? null : quantities.reduce((sum, one) => sum + one, 0),
      Items: rows.length,
      Customers: new Set(customers).size,
    }
  })
}
