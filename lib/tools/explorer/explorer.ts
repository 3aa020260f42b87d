import type { EdmModel } from '../../edm/edm-model.js'
import type { ODataRequest } from '../../http/odata-request.js'
import type { ODataResponse } from '../../http/odata-response.js'
import { splitTarget } from '../../uri/split-resource-path.js'
import type { MediaRange } from '../../formats/media-range.js'
import { parseAccept } from '../../formats/media-range.js'

/** What stands below this segment belongs to the page. No entity set can have such a name. */
const segment = /^\/+(?:\$|%24)explorer\//

/**
 * The page that a browser gets at the root of a service. What it consists of is loaded when the first browser asks;
 * until then all that there is, is the question whether one does.
 */
export class Explorer {
  /** @param hasOpenApi whether the service has a document at `$openapi`, too */
  constructor(
    private readonly model: EdmModel,
    private readonly hasOpenApi: boolean,
  ) {}

  /**
   * @returns undefined for requests that are none of the page's
   */
  respond(request: ODataRequest): Promise<ODataResponse> | undefined {
    const { method, target } = request
    if (method !== 'GET' && method !== 'HEAD') return undefined
    if (segment.test(target)) return this.file(request)
    return isRoot(target) && asksForHtml(request.header('accept')) ? this.page(request) : undefined
  }

  private async page(request: ODataRequest): Promise<ODataResponse> {
    const { pageAnswer } = await import('./answers.js')
    return pageAnswer(request, this.model, this.hasOpenApi)
  }

  private async file(request: ODataRequest): Promise<ODataResponse> {
    const { fileAnswer } = await import('./answers.js')
    return fileAnswer(request, splitTarget(request.target).segments.slice(1), this.model)
  }
}

/** Whoever says something by query options means the document: `?$format=json`. */
function isRoot(target: string): boolean {
  return /^\/?(?:\?(?!.*(?:\$|%24)).*)?$/.test(target)
}

/** What the service document is offered in. */
const documents = [
  ['application', 'atomsvc+xml'],
  ['application', 'atom+xml'],
  ['application', 'xml'],
  ['text', 'xml'],
  ['application', 'json'],
] as const

/**
 * Whether a client would rather have a page than a document of the service. It has to name `text/html`, with a quality
 * that nothing of the protocol reaches; where both are named alike, it is no browser.
 *
 * @param accept the `Accept` header
 * @spec RFC 9110 12.5.1
 */
export function asksForHtml(accept: string | undefined): boolean {
  if (accept?.includes('text/html') !== true) return false
  const ranges = parseAccept(accept) ?? []
  const html = ranges.find(({ type, subtype }) => type === 'text' && subtype === 'html')
  if (html === undefined || html.quality === 0) return false
  return documents.every(([type, subtype]) => !isWantedAsMuch(html, ranges, type, subtype))
}

/** `*` stands for whatever comes, and is no wish of its own. */
function isWantedAsMuch(
  html: MediaRange,
  ranges: readonly MediaRange[],
  type: string,
  subtype: string,
): boolean {
  const named = ranges.filter((range) => range.type === type && range.subtype === subtype)
  const wide = ranges.filter((range) => range.type === type && range.subtype === '*')
  if (named.length > 0) return named.some(({ quality }) => quality >= html.quality)
  return wide.some(({ quality }) => quality > html.quality)
}
