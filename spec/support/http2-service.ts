import { once } from 'node:events'
import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  Http2Server,
  Http2Session,
  OutgoingHttpHeaders,
} from 'node:http2'
import { connect, createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import type {
  EntitySetProvider,
  MediaProvider,
  Row,
  ServiceListener,
  ServiceOptions,
} from '../../lib/index.js'
import { memoryProvider, requestListener } from '../../lib/index.js'
import { turnEventLoop } from './event-loop.js'
import { Failures } from './failures.js'
import { photoData, photoModel } from './services/photo-service.js'
import { until } from './until.js'

/** The memory provider of photos. */
export type PhotoProvider = EntitySetProvider & { readonly media: MediaProvider<Row> }

/** Photos and counters on HTTP/2, without pages, and a client that is connected. */
export class Http2Service {
  private openStreams = 0
  private readonly sessions: Http2Session[] = []

  private constructor(
    readonly client: ClientHttp2Session,
    readonly service: ServiceListener,
    readonly failures: Failures,
    private readonly server: Http2Server,
  ) {
    server.on('session', (session) => this.sessions.push(session))
    server.on('stream', (stream) => {
      this.openStreams++
      stream.once('close', () => this.openStreams--)
    })
  }

  /** @param photos what a spec has in the place of what the memory provider does */
  static async start(
    photos: (own: PhotoProvider) => Partial<EntitySetProvider>,
    limits: ServiceOptions['limits'] = {},
  ): Promise<Http2Service> {
    const { entitySets, ...rest } = memoryProvider(photoModel, photoData()) as unknown as {
      readonly entitySets: { readonly Photos: PhotoProvider }
    }
    const own = entitySets.Photos
    const Photos = Object.assign(Object.create(own) as object, photos(own))
    const provider = { ...rest, entitySets: { ...entitySets, Photos } } as never
    const failures = new Failures()
    const service = requestListener(photoModel, provider, { onError: failures.onError, pageSize: 0, limits })
    const server = createServer(service).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = connect(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`)
    return new Http2Service(client, service, failures, server)
  }

  /** Sends a request. Specs check how the stream ends; it may fail. */
  request(path: string, headers: OutgoingHttpHeaders = {}): ClientHttp2Stream {
    return this.client.request({ ':path': path, ...headers }).on('error', () => undefined)
  }

  /** Waits until the server has received the start of a request. */
  async waitForStream(): Promise<void> {
    await until(() => this.openStreams > 0)
    await turnEventLoop()
  }

  /** Waits until the server has noticed that its client has closed all streams, and has acted on it. */
  async waitForClosedStreams(): Promise<void> {
    await until(() => this.openStreams === 0)
    await turnEventLoop()
  }

  async close(): Promise<void> {
    this.client.destroy()
    // Node keeps the session of a stream that a client resets with NO_ERROR while data is being sent.
    for (const session of this.sessions) session.destroy()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

/** A thousand photos of 200 characters each. */
export const manyPhotos = (from: number): Row[] =>
  Array.from({ length: 1_000 }, (_, index) => ({ ID: from + index, Title: 'x'.repeat(200) }))
