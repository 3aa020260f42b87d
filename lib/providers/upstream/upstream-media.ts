import { Readable } from 'node:stream'
import { ODataError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import type { MediaContent, MediaProvider, MediaRequest, MediaResource } from '../../provider/media.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import { etagOf } from './upstream-etags.js'
import type { UpstreamRequest, UpstreamResponse } from './upstream-request.js'
import { upstreamError } from './upstream-errors.js'
import type { UpstreamClient } from './upstream-client.js'

const DEFAULT_MEDIA_TYPE = 'application/octet-stream'

/** Where the media resources of an entity set are. */
export interface MediaLocation {
  /** The set, for errors. */
  readonly set: string
  /** Returns the path of the media resource of an entity, percent-encoded. */
  pathOf(row: Row): string
  /** Returns the media type of the media resource of an entity, if it is known. */
  contentTypeOf(row: Row): unknown
  /** True if entities can exist without a media resource. */
  readonly isOptional: boolean
  /** True if changes need an ETag. */
  readonly hasEtag: boolean
}

/** Streams the media resources of an entity set of an upstream service, in both directions. */
export class UpstreamMedia implements MediaProvider<Row> {
  readonly isOptional: boolean

  constructor(
    private readonly client: UpstreamClient,
    private readonly location: MediaLocation,
  ) {
    this.isOptional = location.isOptional
  }

  contentType(row: Row): string {
    const type = this.location.contentTypeOf(row)
    return typeof type === 'string' && type !== '' ? type : DEFAULT_MEDIA_TYPE
  }

  async open(row: Row, call: ProviderCall, { range }: MediaRequest = {}): Promise<MediaResource | undefined> {
    const response = await this.send(
      { method: 'GET', headers: { accept: '*/*', 'accept-encoding': 'identity', range } },
      row,
      call,
    )
    const { status, headers } = response
    if (status === 404 || status === 204) {
      response.discard()
      return undefined
    }
    if (status === 416) {
      response.discard()
      const contentRange = headers['content-range']
      throw new ODataError('RangeNotSatisfiable', {
        details: contentRange === undefined ? {} : { contentRange },
      })
    }
    if (status !== 200 && status !== 206)
      throw await upstreamError(response, `GET media of '${this.location.set}'`)
    return resourceOf(response)
  }

  async write(
    row: Row,
    { contentType, bytes, ifMatch }: MediaContent,
    call: ProviderCall,
  ): Promise<string | undefined> {
    const headers = { 'content-type': contentType, 'if-match': ifMatch ?? this.anyVersion }
    const response = await this.send({ method: 'PUT', headers, body: bytes }, row, call)
    if (response.status >= 300) throw await upstreamError(response, `PUT media of '${this.location.set}'`)
    response.discard()
    return etagOf(response.headers.etag)
  }

  async remove(row: Row, call: ProviderCall): Promise<void> {
    const response = await this.send(
      { method: 'DELETE', headers: { 'if-match': this.anyVersion } },
      row,
      call,
    )
    if (response.status >= 300) throw await upstreamError(response, `DELETE media of '${this.location.set}'`)
    response.discard()
  }

  private get anyVersion(): string | undefined {
    return this.location.hasEtag ? '*' : undefined
  }

  private send(
    request: Omit<UpstreamRequest, 'path' | 'call'>,
    row: Row,
    call: ProviderCall,
  ): Promise<UpstreamResponse> {
    return this.client.send({ ...request, path: this.location.pathOf(row), call })
  }
}

function resourceOf(response: UpstreamResponse): MediaResource {
  const { status, headers, body } = response
  const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+)?/.exec(headers['content-range'] ?? '') ?? []
  const isRange = status === 206 && start !== undefined
  const length = isRange ? total : headers['content-length']
  const modified = headers['last-modified']
  return {
    contentType: headers['content-type'] ?? DEFAULT_MEDIA_TYPE,
    size: length === undefined ? undefined : Number(length),
    range: isRange ? { start: Number(start), end: Number(end) } : undefined,
    etag: etagOf(headers.etag),
    lastModified: modified === undefined ? undefined : new Date(modified),
    stream: () => Readable.from(body, { objectMode: false }),
    close: () => {
      response.discard()
    },
  }
}
