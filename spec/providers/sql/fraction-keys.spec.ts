import { describeDatabases } from '../../support/sql/databases.js'
import { describeFractionKeys } from '../../support/sql/fraction-keys.js'

describe('A point in time as a key', () => {
  describeDatabases(({ kind, open }) => {
    const whole = '2024-05-06 10:11:12'
    describeFractionKeys(
      () => open([]),
      kind === 'sqlite'
        ? [['datetime', whole, ['2024-05-06T10:11:12.0000001']]]
        : [
            ['timestamp', `${whole}.123456`, ['2024-05-06T10:11:12.1234561', '2024-05-06T10:11:12.1234564']],
            ['timestamp(0)', whole, ['2024-05-06T10:11:12.3', '2024-05-06T10:11:12.0000001']],
            ['date', '2024-05-06', ['2024-05-06T00:00:00.1', '2024-05-06T10:00:00']],
          ],
    )
  })
})
