import type { ContractRows, PlainRow } from './contract-data.js'

/** Changes texts of the contract, be it rows, requests or expectations, to what a provider can keep. */
export type FitFractions = (text: string) => string

/**
 * The contract is written with seven digits behind the second. A provider that keeps fewer is asked with the last of
 * them: so times that differ still differ, and stand in the same order.
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

/** The same for rows. */
export function rowsWithFractions(rows: ContractRows, fit: FitFractions): ContractRows {
  const fitRow = (row: PlainRow): PlainRow =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? fit(value) : value]),
    )
  return Object.fromEntries(Object.entries(rows).map(([set, list]) => [set, list.map(fitRow)]))
}
