import type { MediaSql } from '../../dialect.js'
import { raw, sql } from '../../sql-text.js'

export const mysqlMedia: MediaSql = {
  empty: "x''",
  chunkSize: 262_144,
  size: (content) => sql`octet_length(${content})`,
  part: (content, from, count) => sql`substring(${content}, ${raw(String(from + 1))}, ${raw(String(count))})`,
  digest: (content) => sql`sha2(${content}, 256)`,
  rowVersion: undefined,
}
