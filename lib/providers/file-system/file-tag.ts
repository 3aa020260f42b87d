import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'

/**
 * The ETag of the content of a file: another one after every change. Times alone would not do, since several changes
 * may have the same. What tells a file from others is not for clients to know.
 */
export function tagOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  const text = [ino, size, mtimeNs, ctimeNs].join(' ')
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
}
