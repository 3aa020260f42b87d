import type { StatementPlans } from '../../statement-plans.js'

/** @see https://mariadb.com/kb/en/explain/ */
export const mysqlPlans: StatementPlans = {
  prefix: 'explain ',
  read(rows) {
    const lines = rows.map((row) =>
      [
        row.select_type,
        row.table,
        row.type,
        typeof row.key === 'string' ? `using ${row.key}` : '',
        `rows ${String(row.rows)}`,
        row.Extra,
      ]
        .filter((one) => one !== null && one !== undefined && one !== '')
        .join(', '),
    )
    const needsIndex = rows.some(
      ({ type, table, Extra }) =>
        (type === 'ALL' && !String(table).startsWith('<')) || String(Extra).includes('Using filesort'),
    )
    return { lines, needsIndex }
  },
}
