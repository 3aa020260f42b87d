import { postgres, useDatabases } from '../../support/sql/introspected.js'
import { describeColumnTypes } from '../../support/sql/type-table/describe-column-types.js'

useDatabases()

describeColumnTypes('postgres', () => postgres(''))
