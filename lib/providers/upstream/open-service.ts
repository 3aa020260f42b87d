import type { LabelTexts } from '../../csdl/localized-model.js'
import { labelledElements, labelNames } from '../../csdl/localized-model.js'
import { sapAnnotation } from '../../edm/annotations.js'
import type { EdmModel } from '../../edm/edm-model.js'
import type { Provider } from '../../provider/provider.js'
import type { Metadata } from './read-metadata.js'
import { readMetadata } from './read-metadata.js'
import type { UpstreamClient } from './upstream-client.js'

/**
 * An OData service that can be served by `odataV2`.
 *
 * @typeParam Context type of the per-request context that the option `context` of the service returns
 * @example
 * const catalog: OpenedService = await openV4('https://example.org/odata/v4/catalog')
 * app.use('/v2/catalog', odataV2(catalog.model, catalog.provider, catalog.options))
 */
export interface OpenedService<Context = unknown> {
  /** The V2 model, with the annotations of the service. */
  readonly model: EdmModel
  /** Reads and changes the entities of the service. */
  readonly provider: Provider<EdmModel, Context>
  /** Options of `odataV2` that follow from the service: its labels, with the option `languages`. */
  readonly options: DerivedOptions
  /** Closes idle connections. */
  close(): void
  /**
   * Reads the metadata document again.
   *
   * @returns the changed service, to be mounted instead; undefined if the document is the same
   */
  reload(): Promise<OpenedService<Context> | undefined>
}

/**
 * Options of `odataV2` for a service that was opened.
 *
 * @example
 * const { options }: { options: DerivedOptions } = await openV4('https://example.org/odata/v4/catalog', {
 *   languages: ['en', 'de'],
 * })
 */
export interface DerivedOptions {
  /** The labels of the service in its languages. Default: none without the option `languages` of `openV4` or `openV2`. */
  readonly languages?: {
    readonly default: string
    readonly texts: Readonly<Record<string, { readonly labels: Readonly<Record<string, LabelTexts>> }>>
  }
}

/** How a version of OData becomes a model and a provider. */
interface ServiceReader<Model> {
  readonly languages: readonly string[] | undefined
  /** @param isFirst whether notices are reported */
  read(text: string, isFirst: boolean): { readonly model: EdmModel; readonly mapped: Model }
  provider(mapped: Model): Provider
}

/**
 * Opens a service: reads its metadata document once for each language.
 *
 * @throws ModelError for an invalid document, ODataError if it cannot be read
 */
export async function openService<Model>(
  client: UpstreamClient,
  reader: ServiceReader<Model>,
): Promise<OpenedService> {
  return opened(client, reader, await readAll(client, reader))
}

function readAll(
  client: UpstreamClient,
  { languages = ['en'] }: ServiceReader<unknown>,
  known: readonly Metadata[] = [],
): Promise<readonly Metadata[]> {
  return Promise.all(languages.map((language, index) => readMetadata(client, known[index], language)))
}

function opened<Model>(
  client: UpstreamClient,
  reader: ServiceReader<Model>,
  documents: readonly Metadata[],
): OpenedService {
  const [first, ...others] = documents
  const { model, mapped } = reader.read(first?.text ?? '', true)
  const { languages } = reader
  return {
    model,
    provider: reader.provider(mapped),
    options: languages === undefined ? {} : { languages: languagesOf(languages, others, model, reader) },
    close() {
      client.close()
    },
    async reload() {
      const next = await readAll(client, reader, documents)
      const isSame = next.every((one, index) => one === documents[index])
      return isSame ? undefined : opened(client, reader, next)
    },
  }
}

function languagesOf<Model>(
  [first = '', ...tags]: readonly string[],
  documents: readonly Metadata[],
  model: EdmModel,
  reader: ServiceReader<Model>,
): NonNullable<DerivedOptions['languages']> {
  const elements = labelledElements(model)
  const texts = tags.map((tag, index) => {
    const translated = labelledElements(reader.read(documents[index]?.text ?? '', false).model)
    const labels: Record<string, LabelTexts> = {}
    for (const [name, element] of translated) {
      const given = labelNames.flatMap((label) => {
        const text = sapAnnotation(element, label)
        return text === undefined ? [] : [[label, text] as const]
      })
      if (given.length > 0 && elements.has(name)) labels[name] = Object.fromEntries(given)
    }
    return [tag, { labels }] as const
  })
  return { default: first, texts: Object.fromEntries(texts) }
}
