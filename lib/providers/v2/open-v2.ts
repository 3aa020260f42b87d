import { readEdmx } from '../../csdl/read-edmx.js'
import { multipartBatch } from '../upstream/multipart-batch.js'
import type { OpenedService } from '../upstream/open-service.js'
import { openService } from '../upstream/open-service.js'
import { RefusedParts } from '../upstream/refused-parts.js'
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
 * Opens an OData V2 service, such as one of SAP Gateway, to serve it again: with languages, `authorize`, exports, paging and
 * formats that it does not have. Its metadata document is read once for each language.
 *
 * @typeParam Context type of the per-request context that the option `context` of the service returns
 * @param url the root of the service
 * @param options headers, transport, entity sets, languages, dialect and limits
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
): Promise<OpenedService<Context>> {
  const settings = v2SettingsOf(options as V2Options)
  // Services of later versions then respond in version 2.0.
  const client = new UpstreamClient(serviceRootOf('openV2', url), settings, { maxdataserviceversion: '2.0' })
  const { sets, onNotice, languages } = settings
  return openService(client, {
    languages,
    read(text, isFirst) {
      const document = readEdmx(text, { ...(isFirst && onNotice && { onNotice }) })
      const { model, upstreamNames } = chooseSets(document, sets)
      return { model, mapped: new V2Model(model, upstreamNames) }
    },
    provider: (model) =>
      v2Provider({
        client,
        model,
        settings,
        protocol: v2Protocol,
        refused: new RefusedParts(),
        batches: new UpstreamBatches(client, v2Protocol, [multipartBatch]),
      }),
  })
}
