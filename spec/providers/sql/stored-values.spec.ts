import { postgres, sqlite, useDatabases } from '../../support/sql/introspected.js'
import { sendBack, storedTypes } from '../../support/sql/stored-values.js'

useDatabases()

describe.each([
  ['sqlite', sqlite],
  ['postgres', postgres],
] as const)('A value of %s', (kind, open) => {
  it.each(storedTypes[kind])(
    'MUST stay as it is stored in %s, an Edm.%s, if it is sent back',
    async (...type) => {
      const result = await sendBack(await open(''), kind, type)
      expect(result.type).toBe(`Edm.${type[1]}`)
      expect(result.after).toEqual(result.before)
    },
  )
})
