import type { ODataV2Options, Provider } from 'express-odata-v2'
import { memoryProvider, odataV2 } from 'express-odata-v2'
import type { Router } from 'express'
import {
  northwindData,
  northwindFunctions,
  northwindModel,
} from '../../../sample-app/northwind/northwind-service.js'
import { northwindInSqlite } from '../../../sample-app/northwind-sql/northwind-database.js'

/** The catalogue, as it is at first. */
export interface Northwind {
  readonly service: Router
  readonly close: () => Promise<void>
}

type Open = () => Promise<{ provider: Provider<typeof northwindModel>; close: () => Promise<void> }>

const inMemory: Open = async () => ({
  provider: memoryProvider(northwindModel, northwindData, { functions: northwindFunctions }),
  close: async () => undefined,
})

/** The stores of the catalogue; all specs hold for each. */
export const stores: readonly (readonly [name: string, open: Open])[] = [
  ['memory', inMemory],
  ['SQLite', () => northwindInSqlite(':memory:')],
]

export async function openNorthwind(open: Open, options: ODataV2Options = {}): Promise<Northwind> {
  const { provider, close } = await open()
  return { service: odataV2(northwindModel, provider, options), close }
}
