import { describePGliteWrites } from '../../support/sql/write-contracts.js'

describePGliteWrites('sqlProvider on PGlite', { foreignKeys: true, generatedKeys: true })
