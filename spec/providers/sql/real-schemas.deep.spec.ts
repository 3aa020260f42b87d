import { postgres, sqlite, useDatabases } from '../../support/sql/introspected.js'
import { describeRealSchemas } from '../../support/sql/real-schemas/describe-real-schemas.js'

useDatabases()

describeRealSchemas('sqlite', () => sqlite(''))
describeRealSchemas('postgres', () => postgres(''))
