import type { AsciiCase, SqlDialect } from '../../dialect.js'
import type { Sql } from '../../sql-text.js'
import type { SyncConnection } from '../../sync-connection.js'
import { raw, sql } from '../../sql-text.js'

const functions = {
  toupper: { builtIn: 'upper', own: 'odata_upper', convert: (text: string) => text.toUpperCase() },
  tolower: { builtIn: 'lower', own: 'odata_lower', convert: (text: string) => text.toLowerCase() },
} as const

/** Returns the condition that a string has one byte for each character, and no U+0000, where `length` and `upper` end. */
const isAscii = (text: Sql): Sql => sql`length(cast(${text} as blob)) = length(${text})`

const asciiCase: AsciiCase = {
  convert: (name, text) => sql`${raw(functions[name].builtIn)}(${text})`,
  hasOthers: (text) => sql`not (${isAscii(text)})`,
}

/**
 * Adds `toupper` and `tolower` to the dialect. SQLite converts ASCII letters only: other strings are passed to JavaScript
 * functions, which take longer. Without them, the database narrows conditions.
 *
 * @param sync undefined, or a connection whose driver may be unable to register functions
 */
export function withSqliteCase(dialect: SqlDialect, sync: SyncConnection | undefined): SqlDialect {
  for (const { own, convert } of Object.values(functions)) {
    const isDefined = sync?.define(own, (value) => (typeof value === 'string' ? convert(value) : value))
    if (isDefined !== true) return { ...dialect, asciiCase }
  }
  return {
    ...dialect,
    call(name, parameters) {
      const [text] = parameters
      if (name !== 'toupper' && name !== 'tolower') return dialect.call(name, parameters)
      if (text === undefined) return undefined
      const { builtIn, own } = functions[name]
      const converted = sql`case when ${isAscii(text.sql)} then ${raw(builtIn)}(${text.sql}) else ${raw(own)}(${text.sql}) end`
      return { sql: sql`(${converted})`, type: 'Edm.String', nullable: text.nullable }
    },
  }
}
