import { openLogged } from '../../support/sql/logged-database.js'
import { describeStatementSizes } from '../../support/sql/statement-sizes.js'

describeStatementSizes('sqlite', () => openLogged('sqlite'))
describeStatementSizes('postgres', () => openLogged('postgres'))
