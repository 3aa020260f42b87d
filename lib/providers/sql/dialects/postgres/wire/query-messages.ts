import { ByteWriter } from '../../../../../util/byte-writer.js'
import type { ResultFormats } from '../../../wire/wire-format.js'

const PARSE = 0x50
const BIND = 0x42
const EXECUTE = 0x45
const SYNC = 0x53
const TEXT = 0
const BINARY = 1
const NULL_LENGTH = -1
const LENGTH_BYTES = 4

/** A statement to send. */
export interface SentStatement {
  /** Empty for a statement that is not prepared. */
  readonly name: string
  /** Undefined for a statement that the connection has parsed. */
  readonly text: string | undefined
  readonly values: readonly unknown[]
  readonly formats: ResultFormats
}

const out = new ByteWriter()

/**
 * Returns the messages that run statements one after the other, up to the first that fails. One write takes a fraction
 * of the time that several take.
 */
export function queryMessages(statements: readonly SentStatement[]): Uint8Array {
  out.length = 0
  for (const { name, text, values, formats } of statements) {
    if (text !== undefined) addParse(name, text)
    addBind(name, values, formats)
    const execute = begin(EXECUTE)
    addString('')
    // All rows.
    out.int32(0)
    end(execute)
  }
  end(begin(SYNC))
  return out.take()
}

function addParse(name: string, text: string): void {
  const start = begin(PARSE)
  addString(name)
  addString(text)
  // The types of parameters are part of the statement.
  out.int16(0)
  end(start)
}

function addBind(name: string, values: readonly unknown[], formats: ResultFormats): void {
  const start = begin(BIND)
  // The portal without a name.
  addString('')
  addString(name)
  out.int16(values.length)
  for (const value of values) out.int16(ArrayBuffer.isView(value) ? BINARY : TEXT)
  out.int16(values.length)
  for (const value of values) addValue(value)
  out.int16(formats.length)
  for (const isBinary of formats) out.int16(isBinary ? BINARY : TEXT)
  end(start)
}

function addValue(value: unknown): void {
  if (value === null || value === undefined) {
    out.int32(NULL_LENGTH)
    return
  }
  const start = out.length
  out.int32(0)
  if (ArrayBuffer.isView(value)) out.append(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
  // Other parameters of statements are strings, numbers and Booleans.
  else out.text(`${value as string}`)
  out.setInt32(start, out.length - start - LENGTH_BYTES)
}

function addString(text: string): void {
  out.text(text)
  out.byte(0)
}

/** @returns the position of the length of the message */
function begin(type: number): number {
  out.byte(type)
  out.int32(0)
  return out.length - LENGTH_BYTES
}

function end(start: number): void {
  out.setInt32(start, out.length - start)
}
