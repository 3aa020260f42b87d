import type { IncomingHttpHeaders, Server } from 'node:http'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { odataV2 } from '../../lib/odata-v2.js'
import type { Provider } from '../../lib/provider/provider.js'
import type { PartResponse } from '../support/batch-exchange.js'
import { FailureCauses } from '../support/failure-causes.js'
import { responsesIn, batchBody, written } from '../support/batch-exchange.js'
import type { Json } from './contract-service.js'
import { atomBody } from './write-bodies.js'
import { writeModel } from './write-model.js'

/** The address under which the service says it is. */
export const root = 'http://works.test/'

export interface WriteResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
}

interface WriteQuestion {
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as an Atom entry. */
  readonly atom?: string
  /** Sent as it is; `Content-Type` is needed then. */
  readonly bytes?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** A change that may stand in a batch. */
export interface WriteRequest {
  readonly method: string
  readonly path: string
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A service on the write model over a provider that has another copy of it. */
export class WriteService {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 16 })
  private lastKey = 1_000_000

  private constructor(
    private readonly server: Server,
    private readonly causes: FailureCauses,
  ) {}

  static async start(provider: Provider): Promise<WriteService> {
    const causes = new FailureCauses()
    const service = odataV2(writeModel(), provider, { serviceRoot: root, onError: causes.onError })
    const server = createServer(express().use('/works', service))
    // Connections stay open however long a spec takes between two requests.
    server.keepAliveTimeout = 0
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new WriteService(server, causes)
  }

  /** @param path below the service root, encoded */
  send(method: string, path: string, question: WriteQuestion = {}): Promise<WriteResponse> {
    const { json, atom, bytes, headers } = question
    const body =
      bytes ?? (atom === undefined ? (json === undefined ? undefined : JSON.stringify(json)) : atom)
    const type = atom === undefined ? 'application/json' : 'application/atom+xml;type=entry'
    const { port } = this.server.address() as AddressInfo
    const all = {
      Accept: 'application/json',
      ...(body === undefined
        ? {}
        : { 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(body)) }),
      ...headers,
    }
    return new Promise((resolve, reject) => {
      const { agent } = this
      const target = `/works/${path}`
      const sent = request({ host: '127.0.0.1', port, path: target, method, headers: all, agent }, (res) => {
        const chunks: Buffer[] = []
        res.on('data', (chunk: Buffer) => chunks.push(chunk))
        res.on('error', reject)
        res.on('end', () => {
          const bytes = Buffer.concat(chunks)
          const { headers, statusCode = 0 } = res
          const text = this.causes.explain(statusCode, bytes.toString('utf8'))
          resolve({ status: statusCode, headers, bytes, text })
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  async status(method: string, path: string, question: WriteQuestion = {}): Promise<number> {
    return (await this.send(method, path, question)).status
  }

  /** Returns the value of the JSON document at an address, without its wrapper; the status when it is an error. */
  async read(path: string): Promise<Json | number> {
    const { status, text } = await this.send('GET', path)
    return status === 200 ? (JSON.parse(text) as { d: Json }).d : status
  }

  /** An entity that must be there. */
  async entity(path: string): Promise<Json> {
    const entity = await this.read(path)
    if (typeof entity === 'number') throw new Error(`${path} returned ${entity}`)
    return entity
  }

  /** The values of a property in a feed, sorted. */
  async list(path: string, name = 'ID'): Promise<unknown[]> {
    const { results = [] } = await this.entity(path)
    return results.map((row) => row[name]).sort((a, b) => (String(a) < String(b) ? -1 : 1))
  }

  /** Adds an entity in JSON, which must succeed. */
  async add(path: string, json: unknown): Promise<Json> {
    const { status, text } = await this.send('POST', path, { json })
    if (status !== 201) throw new Error(`POST ${path} returned ${status}: ${text}`)
    return (JSON.parse(text) as { d: Json }).d
  }

  /** Adds an entity and returns its key `ID`. */
  async addId(path: string, json: unknown = {}): Promise<number> {
    return Number((await this.add(path, json)).ID)
  }

  /** A key that no store comes to on its own; and so are the next hundreds. */
  freeKey(): number {
    this.lastKey += 1000
    return this.lastKey
  }

  /** Changes an entity in Atom. */
  atom(method: string, path: string, type: string, values: Readonly<Record<string, string | null>>) {
    return this.send(method, path, { atom: atomBody(type, values) })
  }

  /** Sends a batch. Arrays are change sets; text is a read. */
  async batch(
    ...parts: readonly (string | readonly WriteRequest[])[]
  ): Promise<(PartResponse | readonly PartResponse[])[]> {
    const strings = parts.map((part) =>
      typeof part === 'string'
        ? written(`GET ${part}`, '', { Accept: 'application/json' })
        : part.map(({ method, path, json, headers }) =>
            written(`${method} ${path}`, json === undefined ? '' : asciiJson(json), {
              Accept: 'application/json',
              ...headers,
            }),
          ),
    )
    const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
    const response = await this.send('POST', '$batch', { bytes: batchBody(...strings), headers })
    if (response.status !== 202) throw new Error(`${response.status} ${response.text}`)
    return responsesIn({ ...response, text: response.bytes.toString('latin1') })
  }

  async close(): Promise<void> {
    this.agent.destroy()
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

/** JSON in which one character is one byte. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
