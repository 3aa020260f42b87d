import type { Express } from 'express'
import express from 'express'
import type { EdmModel } from '../../lib/edm/edm-model.js'
import { odataV2 } from '../../lib/odata-v2.js'
import type { ODataV2Options } from '../../lib/odata-v2.js'
import type { Provider } from '../../lib/provider/provider.js'
import { memoryProvider } from '../../lib/providers/memory/memory-provider.js'
import type { ContractRows } from '../contracts/contract-data.js'
import { contractFunctions, contractRows, rowsWithLinks } from '../contracts/contract-data.js'
import { contractModel } from '../contracts/contract-model.js'
import { withHandlers } from './with-handlers.js'

/** The rows of the provider contract in memory. */
export function contractMemory(
  rows: ContractRows = contractRows,
  model: EdmModel = contractModel(),
): Provider {
  const data = rowsWithLinks(rows, 'one') as Record<string, Record<string, unknown>[]>
  return memoryProvider(model, data, { functions: contractFunctions(rows) })
}

/** An application with one service on the contract's model under `/depot`. */
export function depot<Context = unknown>(
  options: ODataV2Options<Context> = {},
  provider: Provider = contractMemory(),
): Express {
  return express().use(
    '/depot',
    odataV2<EdmModel, Context>(
      contractModel(),
      withHandlers(provider, contractModel()) as Provider<EdmModel, Context>,
      options,
    ),
  )
}
