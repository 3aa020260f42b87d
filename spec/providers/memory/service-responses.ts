import { Readable } from 'node:stream'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import type { ResponseBody } from '../../../lib/http/odata-response.js'
import { isChunkSource } from '../../../lib/http/odata-response.js'
import type { ServiceOptions } from '../../../lib/options.js'
import { settingsOf } from '../../../lib/options.js'
import type { Provider } from '../../../lib/provider/provider.js'
import { Service } from '../../../lib/service.js'

/** A request of a client. */
export interface SentRequest {
  readonly method?: string
  /** Path and query below the service root. */
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Address of the service. */
  readonly root?: string
}

interface Responded {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export const standardRoot = 'http://localhost/shop/'

/** A service whose responses are read completely. */
export class RespondingService {
  private readonly service: Service

  constructor(model: EdmModel, provider: Provider, options: ServiceOptions = {}) {
    this.service = new Service(model, provider, settingsOf(options, model))
  }

  async send({
    method = 'GET',
    target,
    headers = {},
    body,
    root = standardRoot,
  }: SentRequest): Promise<Responded> {
    const failures: unknown[] = []
    const response = await this.service.handle({
      method,
      relativeUri: target,
      serviceRoot: root,
      signal: new AbortController().signal,
      isAborted: false,
      header: (name) => headers[name],
      body: () => bytesOf(body),
      context: () => undefined,
      onFailure: (error) => failures.push(error.cause ?? error),
    })
    if (failures.length > 0) throw failures[0] as Error
    const responded = {
      status: response.status,
      headers: response.headers,
      text: await textOf(response.body),
    }
    // The boundaries of a batch are random.
    return JSON.parse(JSON.stringify(responded).replace(/response_[-0-9a-f]{36}/g, 'response')) as Responded
  }
}

async function* bytesOf(body = ''): AsyncGenerator<Uint8Array> {
  if (body !== '') yield await Promise.resolve(Buffer.from(body))
}

async function textOf(body: ResponseBody | undefined): Promise<string> {
  if (body === undefined) return ''
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return Buffer.from(body).toString()
  if (body instanceof Readable) return Buffer.concat(await body.toArray()).toString()
  if (!isChunkSource(body)) throw new TypeError('The specs ask for documents only.')
  const chunks: Buffer[] = []
  try {
    for (let chunk = await body.next(); chunk !== undefined; chunk = await body.next()) {
      chunks.push(Buffer.from(chunk))
    }
  } catch (error) {
    // A truncated response is compared up to its end.
    return `${Buffer.concat(chunks).toString()}\n${String(error)}`
  } finally {
    await body.close()
  }
  return Buffer.concat(chunks).toString()
}
