import { deflateSync } from 'node:zlib'
import { createRandom } from './random.js'

/** Red, green and blue from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number]

const cells = 5
const light: Colour = [245, 245, 240]
const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

/**
 * Creates a small PNG image: a pattern with mirrored halves, different for each seed.
 *
 * @param cellSize width of a cell in pixels. The image has five cells, and margins of half a cell
 */
export function identicon(seed: number, colour: Colour, cellSize = 8): Uint8Array {
  const random = createRandom(seed)
  const filled = Array.from({ length: cells }, () => {
    const half = Array.from({ length: Math.ceil(cells / 2) }, () => random.chance(55))
    return [...half, ...half.slice(0, -1).reverse()]
  })
  const margin = cellSize >> 1
  const size = cells * cellSize + 2 * margin
  const isFilled = (x: number, y: number): boolean =>
    filled[Math.floor((y - margin) / cellSize)]?.[Math.floor((x - margin) / cellSize)] ?? false
  return png(size, isFilled, [light, colour])
}

/** Encodes a square image with two colours as PNG, with a palette and one bit per pixel. */
function png(
  size: number,
  isSet: (x: number, y: number) => boolean,
  palette: readonly [Colour, Colour],
): Uint8Array {
  const stride = 1 + Math.ceil(size / 8)
  // The first byte of each line is its filter type: 0, no filter.
  const lines = new Uint8Array(stride * size)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const at = y * stride + 1 + (x >> 3)
      if (isSet(x, y)) lines[at] = (lines[at] ?? 0) | (0x80 >> (x & 7))
    }
  }
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, size)
  view.setUint32(4, size)
  header.set([1, 3, 0, 0, 0], 8)
  return concatenated([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Uint8Array.from(palette.flat())),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', new Uint8Array(0)),
  ])
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, data.length)
  bytes.set(new TextEncoder().encode(type), 4)
  bytes.set(data, 8)
  view.setUint32(data.length + 8, checksum(bytes.subarray(4, data.length + 8)))
  return bytes
}

/** Computes the CRC-32 bit by bit. The images are tiny, and not every Node.js 20 has `zlib.crc32`. */
function checksum(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
