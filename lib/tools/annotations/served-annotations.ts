import type { AnnotationSettings } from '../../csdl/annotations/annotation-options.js'
import { servedElements } from '../../csdl/annotations/served-elements.js'
import type { EdmModel } from '../../edm/edm-model.js'
import { vocabularies } from '../../edm/vocabularies/vocabularies.js'
import { ODataError } from '../../errors/odata-error.js'
import { etagOfDocument, isNotModified } from '../../http/conditional-requests.js'
import type { ChosenLanguage, Language } from '../../http/language.js'
import { methodOf, optionsResponse, routeMethod } from '../../http/methods.js'
import type { ODataRequest } from '../../http/odata-request.js'
import type { ODataResponse } from '../../http/odata-response.js'
import { DOCUMENT_POLICY, httpDate } from '../../http/response-headers.js'
import type { Settings } from '../../options.js'
import { escapeAttribute } from '../../xml/escape-xml.js'
import { csdl4Namespace, edmx4Namespace } from '../../xml/namespaces.js'
import type { WritableElement } from '../../xml/write-xml.js'
import { writeXml } from '../../xml/write-xml.js'
import type { XmlElement } from '../../xml/xml-element.js'

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
    private readonly settings: Pick<Settings, 'search'>,
  ) {}

  /**
   * Responds to a request for the document.
   *
   * @param chooseLanguage chooses the language of the document
   * @returns undefined for a request to another path
   * @throws ODataError MethodNotAllowed, QueryOptionNotAllowed
   */
  respond(
    request: ODataRequest,
    chooseLanguage: () => ChosenLanguage | undefined,
  ): ODataResponse | undefined {
    const match = PATH.exec(request.relativeUri)
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
    return this.read(request, chooseLanguage()?.language)
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
      document = { parts, etag: etagOfDocument(Buffer.from(parts.join(''))) }
      this.documents.set(language, document)
    }
    return document
  }
}

/**
 * Serializes annotations as a document of their own, which refers to the metadata document of the service.
 *
 * @returns the document before and after the URL of the service, which ends with a slash
 * @spec OData V4 CSDL 3.1 to 3.4
 */
function annotationDocument(
  model: EdmModel,
  annotations: readonly XmlElement[],
): readonly [before: string, after: string] {
  const namespaces = model.schemas.map(({ namespace }) => namespace)
  const references = [
    reference(
      '$metadata',
      namespaces.map((Namespace) => ({ Namespace })),
    ),
    ...vocabularies.map(({ alias, namespace, uri }) =>
      reference(uri, [{ Namespace: namespace, Alias: alias }]),
    ),
  ]
  const schema: WritableElement = {
    name: 'Schema',
    attributes: { xmlns: csdl4Namespace, Namespace: `${model.defaultContainer.namespace}.annotations` },
    children: annotations.map(writable),
  }
  const document = writeXml({
    name: 'edmx:Edmx',
    attributes: { Version: '4.0', 'xmlns:edmx': edmx4Namespace },
    children: [...references, { name: 'edmx:DataServices', children: [schema] }],
  })
  // The first reference is that to the service.
  const root = document.indexOf('$metadata')
  return [document.slice(0, root), document.slice(root)]
}

function reference(uri: string, includes: readonly Readonly<Record<string, string>>[]): WritableElement {
  return {
    name: 'edmx:Reference',
    attributes: { Uri: uri },
    children: includes.map((attributes) => ({ name: 'edmx:Include', attributes })),
  }
}

/** Converts an element of annotations, without attributes of other namespaces, which annotations do not have. */
function writable({ name, attributes, children }: XmlElement): WritableElement {
  return {
    name,
    attributes: Object.fromEntries(
      attributes.filter(({ namespace }) => namespace === '').map((one) => [one.name, one.value]),
    ),
    children: children.map((child) => (typeof child === 'string' ? child : writable(child))),
  }
}
