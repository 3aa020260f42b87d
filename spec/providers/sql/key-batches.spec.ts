import { describeKeyBatches } from '../../support/sql/key-batches.js'
import { openLogged } from '../../support/sql/logged-database.js'

describe.each([
  ['SQLite', 'sqlite'],
  ['PostgreSQL', 'postgres'],
] as const)('Reads by key on %s', (_name, kind) => {
  describeKeyBatches(() => openLogged(kind), kind)
})
