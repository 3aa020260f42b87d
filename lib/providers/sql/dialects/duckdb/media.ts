import type { MediaSql } from '../../dialect.js'
import { raw, sql } from '../../sql-text.js'

export const duckdbMedia: MediaSql = {
  empty: "''::blob",
  chunkSize: 1024 * 1024,
  size: (content) => sql`octet_length(${content})`,
  part: (content, from, count) =>
    sql`array_slice(${content}, ${raw(`${String(from + 1)}, ${String(from + count)}`)})`,
  digest: (content) => sql`sha256(${content})`,
  rowVersion: undefined,
}
