import { kyselyOf, newPGlite } from '../../support/sql/pglite.js'
import { describeColumnTypes } from '../../support/sql/type-table/describe-column-types.js'

describeColumnTypes('postgres', async () => kyselyOf(await newPGlite()))
