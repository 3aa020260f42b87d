import { readV4Model } from '../../csdl/v4/read-v4-csdl.js'
import type { AnalyticsOptions } from '../../edm/analytics-options.js'
import type { EdmModel } from '../../edm/edm-model.js'
import type { Provider } from '../../provider/provider.js'
import { RefusedParts } from '../upstream/refused-parts.js'
import { jsonBatch } from '../upstream/json-batch.js'
import { multipartBatch } from '../upstream/multipart-batch.js'
import { UpstreamBatches } from '../upstream/upstream-batches.js'
import { UpstreamClient } from '../upstream/upstream-client.js'
import type { Metadata } from '../upstream/read-metadata.js'
import { readMetadata } from '../upstream/read-metadata.js'
import { serviceRootOf } from '../upstream/upstream-options.js'
import { V4Model } from './v4-model.js'
import type { V4Options } from './v4-options.js'
import { v4SettingsOf } from './v4-options.js'
import { v4Protocol } from './v4-service.js'
import { v4Provider } from './v4-provider.js'

/**
 * A V4 service that can be served as V2.
 *
 * @typeParam Context type of the per-request context that the option `context` of the service returns
 * @example
 * const catalog: OpenedV4 = await openV4('https://example.org/odata/v4/catalog')
 * app.use('/v2/catalog', odataV2(catalog.model, catalog.provider, catalog.options))
 */
export interface OpenedV4<Context = unknown> {
  /** The V2 model. */
  readonly model: EdmModel
  /** Reads and changes the entities of the V4 service. */
  readonly provider: Provider<EdmModel, Context>
  /** Options of `odataV2` that follow from annotations of the V4 service. */
  readonly options: V4ServiceOptions
  /** Closes idle connections. */
  close(): void
  /**
   * Reads the metadata document again.
   *
   * @returns the changed service, to be mounted instead; undefined if the document is the same
   */
  reload(): Promise<OpenedV4<Context> | undefined>
}

/**
 * Options of `odataV2` for a V4 service.
 *
 * @example const { options }: { options: V4ServiceOptions } = await openV4('https://example.org/odata/v4/catalog')
 */
export interface V4ServiceOptions {
  /** The analytical entity sets. Default: those that annotations of the V4 service describe. */
  readonly analytics?: AnalyticsOptions
}

/**
 * Opens a V4 service to serve it as V2. Its metadata document is read once.
 *
 * @typeParam Context type of the per-request context that the option `context` of the service returns
 * @param url the root of the V4 service
 * @param options headers, transport, entity sets, dialect and limits
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
): Promise<OpenedV4<Context>> {
  const settings = v4SettingsOf(options as V4Options)
  const client = new UpstreamClient(serviceRootOf('openV4', url), settings)
  const first = await readMetadata(client)
  return opened<Context>(client, options, first)
}

function opened<Context>(
  client: UpstreamClient,
  options: V4Options<Context>,
  { text, etag }: Metadata,
): OpenedV4<Context> {
  const settings = v4SettingsOf(options as V4Options)
  const { sets, onNotice } = options
  const model = new V4Model(readV4Model(text, { sets, onNotice }))
  return {
    model: model.model,
    provider: v4Provider({
      client,
      model,
      settings,
      protocol: v4Protocol,
      refused: new RefusedParts(),
      batches: new UpstreamBatches(client, v4Protocol, [jsonBatch, multipartBatch]),
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
