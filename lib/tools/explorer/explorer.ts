import type { EdmModel } from '../../edm/edm-model.js'
import type { ODataRequest } from '../../http/odata-request.js'
import type { ODataResponse } from '../../http/odata-response.js'
import { splitTarget } from '../../uri/split-resource-path.js'
import { asksForHtml } from './asks-for-html.js'

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
