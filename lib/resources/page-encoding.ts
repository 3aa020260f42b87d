import { isRecord } from '../util/is-record.js'
import type { CachedPage } from './page-cache.js'
import { chunksOf } from './page-cache.js'

const LENGTH_BYTES = 4

/**
 * Encodes a page: the length of its head in JSON, the head, and the body. Equal pages have equal bytes, unless they contain
 * the time.
 */
export function encodePage({ byteLength, chunks, headers, status, time, timePositions }: CachedPage): Buffer {
  const positions = [...timePositions]
  const shownTime = positions.length === 0 ? '' : time
  const head = Buffer.from(JSON.stringify({ byteLength, headers, positions, status, time: shownTime }))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(head.byteLength)
  return Buffer.concat([length, head, ...chunks])
}

/** @returns undefined for bytes that are not a complete page */
export function decodePage({ buffer, byteLength, byteOffset }: Uint8Array): CachedPage | undefined {
  const bytes = Buffer.from(buffer, byteOffset, byteLength)
  try {
    const start = LENGTH_BYTES + bytes.readUInt32LE()
    const head: unknown = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, start))
    const body = bytes.subarray(start)
    if (!isRecord(head) || head.byteLength !== body.byteLength) return undefined
    const { headers, positions, status, time } = head as unknown as Head
    return {
      status,
      headers,
      chunks: chunksOf(body),
      byteLength: body.byteLength,
      time,
      timePositions: Uint32Array.from(positions),
    }
  } catch {
    return undefined
  }
}

interface Head extends Pick<CachedPage, 'headers' | 'status' | 'time'> {
  readonly positions: readonly number[]
}
