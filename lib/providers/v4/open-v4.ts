import { readV4Model } from '../../csdl/v4/read-v4-csdl.js'
import { jsonBatch } from '../upstream/json-batch.js'
import { multipartBatch } from '../upstream/multipart-batch.js'
import type { OpenedService } from '../upstream/open-service.js'
import { openService } from '../upstream/open-service.js'
import { RefusedParts } from '../upstream/refused-parts.js'
import { UpstreamBatches } from '../upstream/upstream-batches.js'
import { UpstreamClient } from '../upstream/upstream-client.js'
import { serviceRootOf } from '../upstream/upstream-options.js'
import { V4Model } from './v4-model.js'
import type { V4Options } from './v4-options.js'
import { v4SettingsOf } from './v4-options.js'
import { v4Provider } from './v4-provider.js'
import { v4Protocol } from './v4-service.js'

/**
 * Opens a V4 service to serve it as V2. Its metadata document is read once for each language.
 *
 * @typeParam Context type of the per-request context that the option `context` of the service returns
 * @param url the root of the V4 service
 * @param options headers, transport, entity sets, languages, dialect and limits
 * @returns the model, provider and options for `odataV2`
 * @throws ModelError for an invalid metadata document, ODataError if it cannot be read, TypeError for invalid options
 * @example
 * const catalog = await openV4('https://example.org/odata/v4/catalog', {
 *   headers: () => ({ authorization: 'Bearer …' }),
 * })
 * app.use('/v2/catalog', odataV2(catalog.model, catalog.provider, catalog.options))
 */
export async function openV4<Context = unknown>(
  url: string | URL,
  options: V4Options<Context> = {},
): Promise<OpenedService<Context>> {
  const settings = v4SettingsOf(options as V4Options)
  const client = new UpstreamClient(serviceRootOf('openV4', url), settings)
  const { sets, onNotice, languages } = settings
  return openService(client, {
    languages,
    read(text, isFirst) {
      const mapped = new V4Model(readV4Model(text, { sets, ...(isFirst && { onNotice }) }))
      return { model: mapped.model, mapped }
    },
    provider: (model) =>
      v4Provider({
        client,
        model,
        settings,
        protocol: v4Protocol,
        refused: new RefusedParts(),
        batches: new UpstreamBatches(client, v4Protocol, [jsonBatch, multipartBatch]),
      }),
  })
}
