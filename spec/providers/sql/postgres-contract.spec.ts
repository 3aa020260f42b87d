import { prepareStatements } from '../../../lib/providers/sql/dialects/postgres/prepare-statements.js'
import { describeProvider } from '../../contracts/provider-contract.js'
import { contractDatabase } from '../../support/sql/contract-database.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

let server: PostgresServer | undefined

afterAll(() => server?.stop())

describeProvider(
  'sqlProvider on PostgreSQL',
  async (data) => {
    server = PostgresServer.shared()
    return contractDatabase(await server.open(prepareStatements), 'postgres', data)
  },
  { fractionDigits: 6 },
)
