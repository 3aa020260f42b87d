import type { MediaSql } from '../../dialect.js'
import { raw, sql } from '../../sql-text.js'

export const sqliteMedia: MediaSql = {
  empty: "x''",
  // SQLite reads the whole value for each part: a few large parts are faster.
  chunkSize: 4 * 1024 * 1024,
  size: (content) => sql`length(${content})`,
  part: (content, from, count) => sql`substr(${content}, ${raw(String(from + 1))}, ${raw(String(count))})`,
  digest: undefined,
  rowVersion: undefined,
}
