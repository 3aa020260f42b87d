import type { ContractRows, PlainRow } from './contract-data.js'

/** Truncates fraction digits in rows, requests or expectations to the precision of a provider. */
export type FitFractions = (text: string) => string

/**
 * The contract uses seven fraction digits of seconds. A provider that stores fewer is tested with the last of them, so
 * that different times remain different and have the same order.
 */
export function fittingFractions(fractionDigits: number): FitFractions {
  if (fractionDigits === 7) return (text) => text
  // Fractions of decimals in the contract have other lengths.
  return (text) =>
    text.replace(
      /\.(\d{7})(?!\d)/g,
      (_, digits: string) => `.${digits.slice(digits.length - fractionDigits)}`,
    )
}

/** Truncates the fraction digits of all rows. */
export function rowsWithFractions(rows: ContractRows, fit: FitFractions): ContractRows {
  const fitRow = (row: PlainRow): PlainRow =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? fit(value) : value]),
    )
  return Object.fromEntries(Object.entries(rows).map(([set, list]) => [set, list.map(fitRow)]))
}
