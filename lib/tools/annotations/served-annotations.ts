import { annotationDocument } from '../../csdl/annotations/annotation-document.js'
import type { EdmModel } from '../../edm/edm-model.js'
import { ODataError } from '../../errors/odata-error.js'
import { isNotModified } from '../../http/conditional-requests.js'
import { methodOf, optionsResponse, routeMethod } from '../../http/methods.js'
import type { ODataRequest } from '../../http/odata-request.js'
import type { ODataResponse } from '../../http/odata-response.js'
import { DOCUMENT_POLICY, httpDate } from '../../http/response-headers.js'
import type { XmlElement } from '../../xml/xml-element.js'

const PATH = /^\/*(?:\$|%24)annotations\/?(?:\?(.*))?$/

/** Serves annotations as a document at `$annotations`. */
export class ServedAnnotations {
  private readonly loaded = new Date()

  constructor(
    private readonly model: EdmModel,
    private readonly annotations: readonly XmlElement[],
  ) {}

  /**
   * Responds to a request for the document.
   *
   * @returns undefined for a request to another path
   * @throws ODataError MethodNotAllowed, QueryOptionNotAllowed
   */
  respond(request: ODataRequest): ODataResponse | undefined {
    const match = PATH.exec(request.target)
    if (match === null) return undefined
    const method = methodOf(request)
    if (method === 'OPTIONS') return optionsResponse({ GET: true }, '2.0')
    routeMethod(method, { GET: true })
    const system = [...new URLSearchParams(match[1]).keys()].find((name) => name.startsWith('$'))
    if (system !== undefined) {
      throw new ODataError('QueryOptionNotAllowed', {
        message: `The query option ${system} is not allowed for $annotations.`,
      })
    }
    const headers = {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': DOCUMENT_POLICY,
      'Last-Modified': httpDate(this.loaded),
      'X-Content-Type-Options': 'nosniff',
    }
    if (isNotModified(request, { lastModified: this.loaded })) return { status: 304, headers }
    const body = annotationDocument(this.model, this.annotations, request.serviceRoot)
    return { status: 200, headers: { ...headers, 'Content-Type': 'application/xml;charset=utf-8' }, body }
  }
}
