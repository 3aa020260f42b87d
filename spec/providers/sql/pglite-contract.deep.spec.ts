import type { PGlite } from '@electric-sql/pglite'
import { describeProvider } from '../../contracts/provider-contract.js'
import { contractDatabase } from '../../support/sql/contract-database.js'
import { kyselyOf, newPGlite } from '../../support/sql/pglite.js'

let pglite: PGlite | undefined

afterAll(() => pglite?.close())

describeProvider(
  'sqlProvider on PGlite',
  async (data) => {
    pglite = await newPGlite()
    return contractDatabase(await kyselyOf(pglite), 'postgres', data)
  },
  { fractionDigits: 6 },
)
