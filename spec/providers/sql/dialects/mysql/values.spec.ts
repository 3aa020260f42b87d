import { mysqlMisfit } from '../../../../../lib/providers/sql/dialects/mysql/values.js'
import type { Column } from '../../../../../lib/providers/sql/column.js'

describe('A string that is not well-known text', () => {
  it.each(['geometry', 'point', 'multipoint', 'polygon'])(
    'MUST be refused for a column of %s',
    (dataType) => {
      const column = { type: 'Edm.String', facts: { dataType, typeArguments: [] } } as unknown as Column
      expect(mysqlMisfit(column, 'somewhere')).toMatch(/^it must be well-known text/)
      expect(mysqlMisfit(column, 'MULTIPOINT(1 2)')).toBeUndefined()
    },
  )
})
