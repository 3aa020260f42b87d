import * as zlib from 'node:zlib'

type Crc32 = (data: Uint8Array, value?: number) => number

/**
 * Computes the CRC-32 checksum of bytes.
 *
 * @param value checksum of the bytes before them
 * @spec ISO 3309
 */
export const crc32: Crc32 = builtIn() ?? crc32ByTable

/** Returns the function of Node.js, which has it since 20.15. */
function builtIn(): Crc32 | undefined {
  return (zlib as { readonly crc32?: Crc32 }).crc32
}

const POLYNOMIAL = 0xedb88320

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1
  return value
})

/** Computes the checksum without support of Node.js. */
export function crc32ByTable(data: Uint8Array, value = 0): number {
  let crc = ~value
  for (const byte of data) crc = (table[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return ~crc >>> 0
}
