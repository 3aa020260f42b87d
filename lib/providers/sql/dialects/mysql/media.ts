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

/** The bytes of a statement without the content of a media resource. */
const STATEMENT_BYTES = 65_536

/** Returns the media functions of a server that closes connections on which longer statements arrive. */
export function mysqlMediaWithin(maxAllowedPacket: number): MediaSql {
  // The driver sends bytes as hexadecimal digits.
  return { ...mysqlMedia, maxBytes: Math.floor((maxAllowedPacket - STATEMENT_BYTES) / 2) }
}
