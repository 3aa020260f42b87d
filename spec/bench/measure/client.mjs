/**
 * A client that costs little, so that it is never what a measurement waits for: it knows just enough of HTTP to see
 * where a response ends, reuses its connections, and discards bodies.
 */
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** Longer responses are compared by a hash. */
const large = 10_000_000

/** The number of bytes of a read. */
const readBytes = 2 ** 20

const lineEnd = Buffer.from('\r\n')
const headEnd = Buffer.from('\r\n\r\n')

/** The bytes of a request. */
export function requestText({ method = 'GET', path, headers = {}, body = '' }) {
  const lines = Object.entries({ host: 'bench.example', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n${body}`
}

/** Finds the end of responses in the received chunks. */
class ResponseReader {
  reset(onBody) {
    this.onBody = onBody
    this.head = undefined
    this.rest = undefined
    this.chunked = false
    this.left = 0
    this.done = false
  }

  /** @returns true if the response is complete */
  read(chunk) {
    let bytes = this.rest === undefined ? chunk : Buffer.concat([this.rest, chunk])
    this.rest = undefined
    if (this.head === undefined) {
      const end = bytes.indexOf(headEnd)
      if (end < 0) return this.keep(bytes)
      this.startBody(bytes.latin1Slice(0, end))
      bytes = bytes.subarray(end + 4)
    }
    return this.chunked ? this.readChunks(bytes) : this.readLength(bytes)
  }

  keep(bytes) {
    this.rest = Buffer.from(bytes)
    return false
  }

  startBody(head) {
    this.head = head
    this.status = Number(head.slice(9, 12))
    this.chunked = /^transfer-encoding: *chunked/im.test(head)
    this.left = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
    if (this.chunked) this.left = 0
  }

  readLength(bytes) {
    this.left -= bytes.length
    this.onBody?.(bytes)
    return this.left <= 0
  }

  /** `left` counts the remaining bytes of a chunk and its line end. */
  readChunks(bytes) {
    let at = 0
    while (at < bytes.length) {
      if (this.left > 0) {
        const taken = Math.min(this.left, bytes.length - at)
        const data = Math.max(0, Math.min(taken, this.left - 2))
        this.onBody?.(bytes.subarray(at, at + data))
        this.left -= taken
        at += taken
        if (this.left === 0 && this.done) return true
        continue
      }
      const end = bytes.indexOf(lineEnd, at)
      if (end < 0) return this.keep(bytes.subarray(at))
      const size = parseInt(bytes.latin1Slice(at, end), 16)
      this.done = size === 0
      this.left = size + 2
      at = end + 2
    }
    return false
  }
}

/** A connection for successive requests, reopened if the server closes it. */
export class Connection {
  constructor(port) {
    this.port = port
    this.reader = new ResponseReader()
    // Everything is read into one buffer: large responses cost the client little, so that it does not hold back servers.
    this.buffer = Buffer.allocUnsafe(readBytes)
  }

  open() {
    const socket = connect({
      port: this.port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: this.buffer, callback: (length) => this.read(socket, length) },
    })
    socket.on('error', (error) => this.lose(socket, error))
    socket.on('close', () => this.lose(socket, new Error('The server closed the connection.')))
    return socket
  }

  read(socket, length) {
    if (this.socket === socket && this.reader.read(this.buffer.subarray(0, length))) this.finish()
    return true
  }

  finish() {
    if (/^connection: *close/im.test(this.reader.head)) this.close()
    this.reject = undefined
    this.resolve(this.reader)
  }

  /** Between requests servers may close a connection that was not used for a while. */
  lose(socket, error) {
    if (this.socket !== socket) return
    this.socket = undefined
    this.reject?.(error)
  }

  /** @returns status and head of the response; chunks of the body are passed to `onBody`, and valid until it returns */
  send(text, onBody) {
    this.reader.reset(onBody)
    this.socket ??= this.open()
    return new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
      this.socket.write(text)
    })
  }

  close() {
    const { socket } = this
    this.socket = undefined
    socket?.destroy()
  }
}

/** @returns a whole response, with a hash instead of a long body */
export async function responseOf(port, request) {
  const connection = new Connection(port)
  const hash = createHash('sha256')
  const chunks = []
  let length = 0
  const { status, head } = await connection.send(requestText(request), (bytes) => {
    hash.update(bytes)
    length += bytes.length
    if (length < large) chunks.push(Buffer.from(bytes))
  })
  connection.close()
  if (length >= large) return { status, head, body: Buffer.from(hash.digest('hex')) }
  const body = Buffer.concat(chunks)
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[/^content-encoding: *(\w+)/im.exec(head)?.[1]]
  return { status, head, body: decode === undefined ? body : decode(body) }
}
