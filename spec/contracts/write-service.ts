import { odataV2 } from '../../lib/odata-v2.js'
import type { Provider } from '../../lib/provider/provider.js'
import type { PartResponse } from '../support/batch-exchange.js'
import { FailureCauses } from '../support/failure-causes.js'
import { responsesIn, batchBody, written } from '../support/batch-exchange.js'
import type { LiveResponse } from '../support/live-server.js'
import { LiveServer } from '../support/live-server.js'
import type { Json } from './contract-service.js'
import { atomBody } from './write-bodies.js'
import { writeModel } from './write-model.js'

/** The address under which the service says it is. */
export const root = 'http://works.test/'

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
  private lastKey = 1_000_000

  private constructor(
    private readonly server: LiveServer,
    private readonly causes: FailureCauses,
  ) {}

  static async start(provider: Provider): Promise<WriteService> {
    const causes = new FailureCauses()
    const server = await LiveServer.start()
    server.mount('works', odataV2(writeModel(), provider, { serviceRoot: root, onError: causes.onError }))
    return new WriteService(server, causes)
  }

  /** @param path below the service root, encoded */
  async send(method: string, path: string, question: WriteQuestion = {}): Promise<LiveResponse> {
    const { json, atom, bytes, headers } = question
    const content = bytes ?? atom ?? (json === undefined ? undefined : JSON.stringify(json))
    const type = atom === undefined ? 'application/json' : 'application/atom+xml;type=entry'
    const all = {
      Accept: 'application/json',
      ...(content !== undefined && { 'Content-Type': type }),
      ...headers,
    }
    const response = await this.server.send(method, `/works/${path}`, all, content)
    return { ...response, text: this.causes.explain(response.status, response.text) }
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
    return results
      .map((row) => row[name])
      .sort((a, b) => String(a).localeCompare(String(b), 'en', { numeric: true }))
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
    return responsesIn({ ...response, text: response.body.toString('latin1') })
  }

  close(): Promise<void> {
    return this.server.close()
  }
}

/** JSON in which one character is one byte. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
