import type { EdmModel } from '../../edm/edm-model.js'
import type { MediaRange } from '../../formats/media-range.js'
import { parseAccept } from '../../formats/media-range.js'
import type { ODataRequest } from '../../http/odata-request.js'
import type { ODataResponse } from '../../http/odata-response.js'
import { splitRelativeUri } from '../../uri/split-resource-path.js'
import type { ExplorerFeatures } from './explorer-features.js'

/** Paths of the files of the explorer, which no entity set can have. */
const FILE_PATH = /^\/+(?:\$|%24)explorer\//

/** The service root, without system query options: `?$format=json` requests the service document. */
const ROOT_PATH = /^\/?(?:\?(?!.*(?:\$|%24)).*)?$/

/** Serves the explorer to browsers at the service root. Its files are loaded at the first request from a browser. */
export class Explorer {
  constructor(
    private readonly model: EdmModel,
    private readonly features: ExplorerFeatures,
  ) {}

  /** @returns undefined for requests that do not address the explorer */
  respond(request: ODataRequest): Promise<ODataResponse> | undefined {
    const { method, relativeUri } = request
    if (method !== 'GET' && method !== 'HEAD') return undefined
    if (FILE_PATH.test(relativeUri)) return this.respondWithFile(request)
    return ROOT_PATH.test(relativeUri) && prefersHtml(request.header('accept'))
      ? this.respondWithPage(request)
      : undefined
  }

  private async respondWithPage(request: ODataRequest): Promise<ODataResponse> {
    const { pageResponse } = await import('./explorer-responses.js')
    return pageResponse(request, this.model, this.features)
  }

  private async respondWithFile(request: ODataRequest): Promise<ODataResponse> {
    const { fileResponse } = await import('./explorer-responses.js')
    return fileResponse(request, splitRelativeUri(request.relativeUri).segments.slice(1), this.model)
  }
}

/** The media types of the service document. */
const SERVICE_DOCUMENT_TYPES = [
  ['application', 'atomsvc+xml'],
  ['application', 'atom+xml'],
  ['application', 'xml'],
  ['text', 'xml'],
  ['application', 'json'],
] as const

/**
 * Returns true if a client prefers HTML to the service document: `Accept` names `text/html` with a higher quality than
 * all media types of the service document, as browsers do. `*` ranges do not state a preference.
 *
 * @param accept the `Accept` header
 * @spec RFC 9110 12.5.1
 */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept?.includes('text/html') !== true) return false
  const ranges = parseAccept(accept) ?? []
  const html = ranges.find(({ type, subtype }) => type === 'text' && subtype === 'html')
  if (html === undefined || html.quality === 0) return false
  return SERVICE_DOCUMENT_TYPES.every(([type, subtype]) => {
    const named = qualityOf(type, subtype, ranges)
    if (named !== undefined) return named < html.quality
    return (qualityOf(type, '*', ranges) ?? 0) <= html.quality
  })
}

function qualityOf(type: string, subtype: string, ranges: readonly MediaRange[]): number | undefined {
  const matching = ranges.filter((range) => range.type === type && range.subtype === subtype)
  return matching.length === 0 ? undefined : Math.max(...matching.map(({ quality }) => quality))
}
