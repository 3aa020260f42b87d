import { Readable } from 'node:stream'
import { ODataError } from '../../../errors/odata-error.js'
import type { Row } from '../../../evaluation/row.js'
import type { MediaContent, MediaProvider, MediaRequest, MediaResource } from '../../../provider/media.js'
import type { ProviderCall } from '../../../provider/provider-call.js'
import type { UpstreamRequest, UpstreamResponse } from '../../upstream/upstream-request.js'
import { upstreamError } from '../../upstream/upstream-errors.js'
import type { V4Service } from '../v4-service.js'

const DEFAULT_MEDIA_TYPE = 'application/octet-stream'

/** Streams the media resources of an entity set of a V4 service, in both directions. */
export class V4Media implements MediaProvider<Row> {
  readonly isOptional = true

  /** @param stream the stream property, or `$value` */
  constructor(
    private readonly service: V4Service,
    private readonly path: string,
    private readonly stream: string,
  ) {}

  contentType(row: Row): string {
    const type = row[`${this.stream}@odata.mediaContentType`] ?? row['@odata.mediaContentType']
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
    if (status !== 200 && status !== 206) throw await upstreamError(response, `GET media of '${this.path}'`)
    return resourceOf(response)
  }

  async write(
    row: Row,
    { contentType, bytes, ifMatch }: MediaContent,
    call: ProviderCall,
  ): Promise<string | undefined> {
    const headers = { 'content-type': contentType, 'if-match': ifMatch ?? this.anyVersion }
    const response = await this.send({ method: 'PUT', headers, body: bytes }, row, call)
    if (response.status >= 300) throw await upstreamError(response, `PUT media of '${this.path}'`)
    response.discard()
    return response.headers.etag
  }

  async remove(row: Row, call: ProviderCall): Promise<void> {
    const response = await this.send(
      { method: 'DELETE', headers: { 'if-match': this.anyVersion } },
      row,
      call,
    )
    if (response.status >= 300) throw await upstreamError(response, `DELETE media of '${this.path}'`)
    response.discard()
  }

  private get anyVersion(): string | undefined {
    return this.service.model.set(this.path).hasEtag ? '*' : undefined
  }

  private send(
    request: Omit<UpstreamRequest, 'path' | 'call'>,
    row: Row,
    call: ProviderCall,
  ): Promise<UpstreamResponse> {
    const { client, model } = this.service
    const name = this.stream === '$value' ? '$value' : encodeURIComponent(this.stream)
    return client.send({
      ...request,
      path: `${model.requiredPath(this.path, row)}/${name}`,
      call,
      isMedia: true,
    })
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
    etag: headers.etag,
    lastModified: modified === undefined ? undefined : new Date(modified),
    stream: () => Readable.from(body, { objectMode: false }),
    close: () => {
      response.discard()
    },
  }
}
