import { readEdmx } from '../../csdl/read-edmx.js'
import type { EdmModel } from '../../edm/edm-model.js'
import type { Provider } from '../../provider/provider.js'
import type { Metadata } from '../upstream/read-metadata.js'
import { readMetadata } from '../upstream/read-metadata.js'
import { RefusedParts } from '../upstream/refused-parts.js'
import { multipartBatch } from '../upstream/multipart-batch.js'
import { UpstreamBatches } from '../upstream/upstream-batches.js'
import { UpstreamClient } from '../upstream/upstream-client.js'
import { serviceRootOf } from '../upstream/upstream-options.js'
import { chooseSets } from './choose-sets.js'
import { V2Model } from './v2-model.js'
import type { V2Options } from './v2-options.js'
import { v2SettingsOf } from './v2-options.js'
import { v2Provider } from './v2-provider.js'
import { v2Protocol } from './v2-service.js'

/**
 * An OData V2 service that can be served again.
 *
 * @typeParam Context type of the per-request context that the option `context` of the service returns
 * @example
 * const orders: OpenedV2 = await openV2('https://example.org/sap/opu/odata/sap/ZORDERS_SRV')
 * app.use('/orders', odataV2(orders.model, orders.provider, orders.options))
 */
export interface OpenedV2<Context = unknown> {
  /** The model, with the annotations of the service. */
  readonly model: EdmModel
  /** Reads and changes the entities of the service. */
  readonly provider: Provider<EdmModel, Context>
  /** Options of `odataV2` that follow from the metadata document. */
  readonly options: Readonly<Record<string, never>>
  /** Closes idle connections. */
  close(): void
  /**
   * Reads the metadata document again.
   *
   * @returns the changed service, to be mounted instead; undefined if the document is the same
   */
  reload(): Promise<OpenedV2<Context> | undefined>
}

/**
 * Opens an OData V2 service, such as one of SAP Gateway, to serve it again: with languages, `authorize`, exports, paging and
 * formats that it does not have. Its metadata document is read once.
 *
 * @typeParam Context type of the per-request context that the option `context` of the service returns
 * @param url the root of the service
 * @param options headers, transport, entity sets, dialect and limits
 * @returns the model, provider and options for `odataV2`
 * @throws ModelError for an invalid metadata document, ODataError if it cannot be read, TypeError for invalid options
 * @example
 * const orders = await openV2('https://example.org/sap/opu/odata/sap/ZORDERS_SRV', {
 *   headers: () => ({ authorization: 'Basic …' }),
 * })
 * app.use('/orders', odataV2(orders.model, orders.provider, orders.options))
 */
export async function openV2<Context = unknown>(
  url: string | URL,
  options: V2Options<Context> = {},
): Promise<OpenedV2<Context>> {
  const settings = v2SettingsOf(options as V2Options)
  // Services of later versions then respond in version 2.0.
  const client = new UpstreamClient(serviceRootOf('openV2', url), settings, { maxdataserviceversion: '2.0' })
  return opened(client, options, await readMetadata(client))
}

function opened<Context>(
  client: UpstreamClient,
  options: V2Options<Context>,
  { text, etag }: Metadata,
): OpenedV2<Context> {
  const settings = v2SettingsOf(options as V2Options)
  const { sets, onNotice } = options
  const { model, upstreamNames } = chooseSets(readEdmx(text, { ...(onNotice && { onNotice }) }), sets)
  return {
    model,
    provider: v2Provider({
      client,
      model: new V2Model(model, upstreamNames),
      settings,
      protocol: v2Protocol,
      refused: new RefusedParts(),
      batches: new UpstreamBatches(client, v2Protocol, [multipartBatch]),
    }),
    options: {},
    close() {
      client.close()
    },
    async reload() {
      const next = await readMetadata(client, etag)
      return next.text === '' || next.text === text ? undefined : opened(client, options, next)
    },
  }
}
