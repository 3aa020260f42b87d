import { annotationDocument } from '../../csdl/annotations/annotation-document.js'
import type { AnnotationSettings } from '../../csdl/annotations/annotation-options.js'
import { servedElements } from '../../csdl/annotations/served-elements.js'
import type { EdmModel } from '../../edm/edm-model.js'
import { ODataError } from '../../errors/odata-error.js'
import { etagOf, isNotModified } from '../../http/conditional-requests.js'
import type { Language } from '../../http/language.js'
import { withLanguage } from '../../http/language.js'
import { methodOf, optionsResponse, routeMethod } from '../../http/methods.js'
import type { ODataRequest } from '../../http/odata-request.js'
import type { ODataResponse } from '../../http/odata-response.js'
import { DOCUMENT_POLICY, httpDate } from '../../http/response-headers.js'
import type { Settings } from '../../options.js'
import { escapeAttribute } from '../../xml/escape-xml.js'

const PATH = /^\/*(?:\$|%24)annotations\/?(?:\?(.*))?$/

interface AnnotationDocument {
  readonly parts: readonly [before: string, after: string]
  /** Does not depend on the URL of the service: caches store documents by their URLs. */
  readonly etag: string
}

/** Serves annotations as a document at `$annotations`, which is serialized once for each language. */
export class ServedAnnotations {
  private readonly loaded = new Date()
  private readonly documents = new Map<Language | undefined, AnnotationDocument>()

  constructor(
    private readonly model: EdmModel,
    private readonly annotations: AnnotationSettings,
    private readonly settings: Pick<Settings, 'languages' | 'search'>,
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
    const chosen = this.settings.languages?.of(request)
    const response = this.read(request, chosen?.language)
    return chosen === undefined ? response : withLanguage(response, chosen.language.tag, chosen)
  }

  private read(request: ODataRequest, language: Language | undefined): ODataResponse {
    const { parts, etag } = this.document(language)
    const headers = {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': DOCUMENT_POLICY,
      ETag: etag,
      'Last-Modified': httpDate(this.loaded),
      Vary: 'Accept',
      'X-Content-Type-Options': 'nosniff',
    }
    if (isNotModified(request, { etag, lastModified: this.loaded })) return { status: 304, headers }
    const body = parts.join(escapeAttribute(request.serviceRoot))
    return { status: 200, headers: { ...headers, 'Content-Type': 'application/xml;charset=utf-8' }, body }
  }

  private document(language: Language | undefined): AnnotationDocument {
    let document = this.documents.get(language)
    if (document === undefined) {
      const elements = servedElements(this.annotations, this.model, this.settings.search, language)
      const parts = annotationDocument(this.model, elements)
      document = { parts, etag: etagOf(Buffer.from(parts.join(''))) }
      this.documents.set(language, document)
    }
    return document
  }
}
