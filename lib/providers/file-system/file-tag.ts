import type { BigIntStats } from 'node:fs'

/** The ETag of the content of a file: another one after every change. */
export function tagOf({ size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `"${[size, mtimeNs, ctimeNs].map((part) => part.toString(36)).join('-')}"`
}
