import type { DatabaseTable } from './database-schema.js'
import type { SqlDialect } from './dialect.js'
import type { MediaColumns } from './mapped-table.js'
import type { Sql } from './sql-text.js'
import { raw } from './sql-text.js'

/** Returns the columns of media resources, and their values for an entity without a media resource. */
export function mediaColumnsOf(
  dialect: SqlDialect,
  { columns }: DatabaseTable,
  content: string,
  contentType: string,
  fileName: string | undefined,
): MediaColumns {
  const required = new Map<string, Sql>()
  const none = (column: string, empty = "''"): Sql => {
    const { nullable = true, hasDefault = false } = columns.get(column) ?? {}
    const value = raw(nullable ? 'null' : empty)
    if (!nullable && !hasDefault) required.set(dialect.quote(column), value)
    return value
  }
  return {
    content: dialect.quote(content),
    contentType: dialect.quote(contentType),
    fileName: fileName === undefined ? undefined : dialect.quote(fileName),
    none: {
      content: none(content, dialect.media.empty),
      contentType: none(contentType),
      fileName: fileName === undefined ? undefined : none(fileName),
    },
    required,
  }
}
