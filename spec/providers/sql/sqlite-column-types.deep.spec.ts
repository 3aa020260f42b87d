import { sqlite, useDatabases } from '../../support/sql/introspected.js'
import { describeColumnTypes } from '../../support/sql/type-table/describe-column-types.js'

useDatabases()

describeColumnTypes('sqlite', () => sqlite(''))
