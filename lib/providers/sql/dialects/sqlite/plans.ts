import type { StatementPlans } from '../../statement-plans.js'

/** @see https://www.sqlite.org/eqp.html */
export const sqlitePlans: StatementPlans = {
  prefix: 'explain query plan ',
  read(rows) {
    const depths = new Map<unknown, number>()
    const lines = rows.map(({ id, parent, detail }) => {
      const depth = (depths.get(parent) ?? -1) + 1
      depths.set(id, depth)
      return '  '.repeat(depth) + String(detail)
    })
    const needsIndex = lines.some((line) => /^ *SCAN (?!.*USING)|USE TEMP B-TREE FOR ORDER BY/.test(line))
    return { lines, needsIndex }
  },
}
