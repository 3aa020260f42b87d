import { ODataError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import type { NewMedia } from '../../provider/media.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import { isRecord } from '../../util/is-record.js'
import { resultOf } from '../upstream/upstream-change.js'
import { UpstreamMedia } from '../upstream/upstream-media.js'
import { collectionPath } from '../upstream/upstream-model.js'
import type { UpstreamWriter } from '../upstream/upstream-writer.js'
import type { V2Service } from './v2-service.js'

/** Streams the media resources of an entity set of a V2 service, in both directions. */
export class V2Media extends UpstreamMedia {
  constructor(
    private readonly service: V2Service,
    private readonly path: string,
    private readonly writer: UpstreamWriter,
  ) {
    super(service.client, {
      set: path,
      isOptional: false,
      hasEtag: service.model.hasEtag(path),
      pathOf: (row) => `${service.model.entityPath(path, row)}/$value`,
      contentTypeOf: ({ __metadata }) => (isRecord(__metadata) ? __metadata.content_type : undefined),
    })
  }

  /** Inserts a media resource, for which the service creates the entity. */
  async insert(content: NewMedia, call: ProviderCall): Promise<Row> {
    const { contentType, slug, bytes, source, values } = content
    if (call.changeSet !== undefined)
      throw new ODataError('NotImplemented', {
        message: 'The upstream service cannot insert media resources in a change set.',
      })
    const { client, model } = this.service
    const path = collectionPath(model, this.path, source)
    const headers = {
      accept: 'application/json',
      'content-type': contentType,
      slug: slug === undefined ? undefined : encodeURIComponent(slug),
    }
    const response = await client.send({ method: 'POST', path, headers, body: bytes, call })
    const row = this.writer.entityOf(await resultOf(response, { method: 'POST', path }, call))
    try {
      await content.permit(row)
    } catch (error) {
      await this.writer.delete(row, { ifMatch: '*' }, call)
      throw error
    }
    const { key } = model.entityType(this.path)
    const others = Object.entries(values ?? {}).filter(([name]) => !key.some((one) => one.name === name))
    if (others.length === 0) return row
    return (await this.writer.update(row, Object.fromEntries(others), { ifMatch: undefined }, call)) ?? row
  }
}
