import type { CachedDatabase } from '../cache-statements.js'
import type { SqlDialect } from '../dialect.js'
import { raw, sql } from '../sql-text.js'

const functions = {
  toupper: { builtIn: 'upper', own: 'odata_upper', convert: (text: string) => text.toUpperCase() },
  tolower: { builtIn: 'lower', own: 'odata_lower', convert: (text: string) => text.toLowerCase() },
} as const

/**
 * Adds `toupper` and `tolower` to the dialect. SQLite converts ASCII letters only: other strings are passed to JavaScript
 * functions, which take longer.
 *
 * @returns the dialect unchanged if the driver cannot register functions
 */
export function withSqliteCase(dialect: SqlDialect, database: CachedDatabase): SqlDialect {
  for (const { own, convert } of Object.values(functions)) {
    const isDefined = database.define(own, (value) => (typeof value === 'string' ? convert(value) : value))
    if (!isDefined) return dialect
  }
  return {
    ...dialect,
    call(name, parameters) {
      const [text] = parameters
      if (name !== 'toupper' && name !== 'tolower') return dialect.call(name, parameters)
      if (text === undefined) return undefined
      const { builtIn, own } = functions[name]
      // Both `glob` and `upper` end at U+0000.
      const isAscii = sql`${text.sql} not glob '*[^ -~]*' and instr(${text.sql}, char(0)) = 0`
      const converted = sql`case when ${isAscii} then ${raw(builtIn)}(${text.sql}) else ${raw(own)}(${text.sql}) end`
      return { sql: sql`(${converted})`, type: 'Edm.String', nullable: text.nullable }
    },
  }
}
