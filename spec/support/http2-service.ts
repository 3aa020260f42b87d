import { once } from 'node:events'
import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2'
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
import { Failures, settled } from './failures.js'
import { photoData, photoModel } from './services/photo-service.js'

/** What the memory provider has for photos. */
export type PhotoProvider = EntitySetProvider & { readonly media: MediaProvider<Row> }

/** Photos and counters on HTTP/2, without pages, and a client that is connected. */
export class Http2Service {
  private constructor(
    readonly client: ClientHttp2Session,
    readonly service: ServiceListener,
    readonly failures: Failures,
    private readonly stop: () => void,
  ) {}

  /** @param photos what a spec has in the place of what the memory provider does */
  static async start(
    photos: (own: PhotoProvider) => Partial<EntitySetProvider>,
    limits: ServiceOptions['limits'] = {},
  ): Promise<Http2Service> {
    const { entitySets, ...rest } = memoryProvider(photoModel, photoData()) as unknown as {
      readonly entitySets: { readonly Photos: PhotoProvider }
    }
    const own = entitySets.Photos
    const Photos = Object.assign(Object.create(own) as object, { render: undefined }, photos(own))
    const provider = { ...rest, entitySets: { ...entitySets, Photos } } as never
    const failures = new Failures()
    const service = requestListener(photoModel, provider, { onError: failures.onError, pageSize: 0, limits })
    const server = createServer(service).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = connect(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`)
    return new Http2Service(client, service, failures, () => server.close())
  }

  /** What becomes of the stream, the spec tells: it may fail. */
  request(path: string, headers: OutgoingHttpHeaders = {}): ClientHttp2Stream {
    return this.client.request({ ':path': path, ...headers }).on('error', () => undefined)
  }

  async close(): Promise<void> {
    this.client.destroy()
    this.stop()
    await settled()
  }
}

/** A thousand photos of 200 characters each. */
export const manyPhotos = (from: number): Row[] =>
  Array.from({ length: 1_000 }, (_, index) => ({ ID: from + index, Title: 'x'.repeat(200) }))
