import { didYouMean } from '../../errors/suggestions.js'
import { isRecord } from '../../util/is-record.js'
import { DataFaults } from './data-faults.js'
import { loadLinks } from './load-links.js'
import type { LoadedRow } from './load-rows.js'
import { RowLoader } from './load-rows.js'
import type { MemoryStore } from './memory-store.js'
import { describeValue } from './stored-value.js'

/**
 * Copies the rows that a user wrote into the store.
 *
 * @param data rows by entity set
 * @throws TypeError with everything that is wrong with them
 */
export function loadData(store: MemoryStore, data: unknown): void {
  const faults = new DataFaults()
  if (!isRecord(data)) {
    throw new TypeError(
      `The data of the memory provider must be an object of the form { EntitySet: [row, …] }, not ${describeValue(data)}.`,
    )
  }
  const linked: LoadedRow[] = []
  for (const [path, rows] of Object.entries(data)) {
    const table = store.tables.get(path)
    if (table === undefined) {
      faults.add(path, `there is no such entity set.${didYouMean(path, store.tables.keys())}`)
    } else if (Array.isArray(rows)) {
      for (const row of new RowLoader(table, faults).load(rows)) linked.push(row)
    } else if (rows !== undefined) {
      faults.add(path, `${describeValue(rows)} is no array of rows.`)
    }
  }
  loadLinks(store, linked, faults)
  faults.check()
}
