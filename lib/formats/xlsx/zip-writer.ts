import { promisify } from 'node:util'
import { constants, deflateRaw } from 'node:zlib'
import * as zlib from 'node:zlib'

/** A file within the archive. */
interface Entry {
  readonly name: Buffer
  /** Offset of its header in the archive. */
  readonly offset: number
  crc: number
  compressedSize: number
  size: number
}

const compress = promisify(deflateRaw)

/**
 * Compresses each chunk into complete blocks of one deflate stream, so that no state is left when a download is aborted.
 * Higher levels take twice the CPU time for files that are a fifth smaller.
 */
const compression = { level: 1, finishFlush: constants.Z_SYNC_FLUSH }
/** An empty block with the flag of the last one. */
const lastBlock = Buffer.from([0x03, 0x00])

const VERSION = 20
/** Checksum and sizes follow the content. */
const FLAG_DATA_DESCRIPTOR = 0x0008
const METHOD_DEFLATE = 8
const MIDNIGHT = 0
/** 1980-01-01: archives of the same content have the same bytes. */
const EARLIEST_DATE = 0x0021

/** Sizes and offsets have 32 bits. */
const MAX_SIZE = 0xffff_ffff

/**
 * Writes a ZIP archive whose files become known one by one: each method returns the next bytes of the archive.
 *
 * @spec APPNOTE.TXT of PKWARE, version 6.3
 */
export class ZipWriter {
  private readonly entries: Entry[] = []
  private offset = 0

  /** Begins a file. @param name ASCII, with `/` between folders */
  begin(name: string): Buffer {
    const entry = { name: Buffer.from(name), offset: this.offset, crc: 0, compressedSize: 0, size: 0 }
    this.entries.push(entry)
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50, 0)
    writeProperties(header, 4)
    header.writeUInt16LE(entry.name.length, 26)
    return this.advance(Buffer.concat([header, entry.name]))
  }

  /** Appends text to the file. @throws Error for a file of more than 4 GiB */
  async write(text: string): Promise<Buffer> {
    const data = Buffer.from(text)
    const compressed = await compress(data, compression)
    const { entry } = this
    entry.crc = crc32(data, entry.crc)
    entry.size += data.length
    entry.compressedSize += compressed.length
    return this.advance(compressed)
  }

  /** Ends the file. */
  end(): Buffer {
    const { entry } = this
    entry.compressedSize += lastBlock.length
    const descriptor = Buffer.alloc(16)
    descriptor.writeUInt32LE(0x08074b50, 0)
    writeSizes(descriptor, 4, entry)
    return this.advance(Buffer.concat([lastBlock, descriptor]))
  }

  /** Ends the archive. */
  finish(): Buffer {
    const start = this.offset
    const directory = this.advance(Buffer.concat(this.entries.flatMap(directoryEntry)))
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50, 0)
    end.writeUInt16LE(this.entries.length, 8)
    end.writeUInt16LE(this.entries.length, 10)
    end.writeUInt32LE(directory.length, 12)
    end.writeUInt32LE(start, 16)
    return Buffer.concat([directory, end])
  }

  private get entry(): Entry {
    const entry = this.entries.at(-1)
    if (entry === undefined) throw new TypeError('The archive has no file yet.')
    return entry
  }

  private advance(bytes: Buffer): Buffer {
    this.offset += bytes.length
    if (this.offset > MAX_SIZE || (this.entries.at(-1)?.size ?? 0) > MAX_SIZE) {
      throw new Error('A ZIP archive cannot have more than 4 GiB.')
    }
    return bytes
  }
}

function directoryEntry(entry: Entry): readonly Buffer[] {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(VERSION, 4)
  writeProperties(header, 6)
  writeSizes(header, 16, entry)
  header.writeUInt16LE(entry.name.length, 28)
  header.writeUInt32LE(entry.offset, 42)
  return [header, entry.name]
}

/** Writes the common part of the header of a file and of its entry in the directory. */
function writeProperties(header: Buffer, position: number): void {
  header.writeUInt16LE(VERSION, position)
  header.writeUInt16LE(FLAG_DATA_DESCRIPTOR, position + 2)
  header.writeUInt16LE(METHOD_DEFLATE, position + 4)
  header.writeUInt16LE(MIDNIGHT, position + 6)
  header.writeUInt16LE(EARLIEST_DATE, position + 8)
}

function writeSizes(target: Buffer, position: number, { crc, compressedSize, size }: Entry): void {
  target.writeUInt32LE(crc, position)
  target.writeUInt32LE(compressedSize, position + 4)
  target.writeUInt32LE(size, position + 8)
}

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
