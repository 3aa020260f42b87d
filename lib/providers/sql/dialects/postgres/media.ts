import type { MediaSql } from '../../dialect.js'
import { raw, sql } from '../../sql-text.js'

export const postgresMedia: MediaSql = {
  empty: "''::bytea",
  chunkSize: 256 * 1024,
  size: (content) => sql`octet_length(${content})`,
  part: (content, from, count) =>
    sql`substring(${content} from ${raw(String(from + 1))} for ${raw(String(count))})`,
  digest: (content) => sql`encode(sha256(${content}), 'hex')`,
  rowVersion: 'xmin::text',
}
