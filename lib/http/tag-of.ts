import { createHash } from 'node:crypto'

/** The ETag of a text that is the same as long as the text is. */
export function tagOf(body: string | Uint8Array): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
}
