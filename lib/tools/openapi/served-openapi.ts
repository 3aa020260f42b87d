import { createHash } from 'node:crypto'
import { localizedModel } from '../../csdl/localized-model.js'
import { readEdmx } from '../../csdl/read-edmx.js'
import { writeEdmx } from '../../csdl/write-edmx.js'
import type { EdmModel } from '../../edm/edm-model.js'
import { ODataError } from '../../errors/odata-error.js'
import { parseAccept } from '../../formats/media-range.js'
import { isNotModified } from '../../http/conditional-requests.js'
import type { ChosenLanguage, Language } from '../../http/language.js'
import { DOCUMENT_POLICY } from '../../http/response-headers.js'
import { methodOf, optionsResponse, routeMethod } from '../../http/methods.js'
import type { ODataRequest } from '../../http/odata-request.js'
import type { ODataResponse } from '../../http/odata-response.js'
import type { Settings } from '../../options.js'
import type { Provider } from '../../provider/provider.js'
import { describeService, serverUrl } from './openapi-document.js'
import { getOrCreate } from '../../util/get-or-create.js'

const OPENAPI_MEDIA_TYPE = 'application/vnd.oai.openapi+json'
const PATH = /^\/*(?:\$|%24)openapi\/?(?:\?|$)/

/** The JSON of the document before and after the server URL, which depends on the request. */
interface DocumentJson {
  readonly before: string
  readonly after: string
  readonly hash: string
}

/**
 * Serves the OpenAPI document of a service at `$openapi`. The document is created at the first request, and cached for each language.
 *
 * @example new ServedOpenApi(model, settings, provider).respond(request, () => undefined)?.status // 200
 */
export class ServedOpenApi {
  private readonly documents = new Map<Language | undefined, DocumentJson>()

  constructor(
    private readonly model: EdmModel,
    private readonly settings: Settings,
    private readonly provider: Provider,
  ) {}

  /**
   * Responds to a request for the document.
   *
   * @param chooseLanguage chooses the language of the document
   * @returns undefined for a request to another path
   * @throws ODataError MethodNotAllowed, NotAcceptable
   */
  respond(
    request: ODataRequest,
    chooseLanguage: () => ChosenLanguage | undefined,
  ): ODataResponse | undefined {
    if (!PATH.test(request.relativeUri)) return undefined
    const method = methodOf(request)
    if (method === 'OPTIONS') return optionsResponse({ GET: true }, '2.0')
    routeMethod(method, { GET: true })
    const contentType = contentTypeOf(request.header('accept'))
    const { before, after, hash } = this.document(chooseLanguage()?.language)
    const server = JSON.stringify(serverUrl(request.serviceRoot))
    const etag = `"${hash}-${hashOf(server)}"`
    const headers = {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': DOCUMENT_POLICY,
      ETag: etag,
      Vary: 'Accept',
      'X-Content-Type-Options': 'nosniff',
    }
    return isNotModified(request, { etag })
      ? { status: 304, headers }
      : {
          status: 200,
          headers: { ...headers, 'Content-Type': contentType },
          body: before + server + after,
        }
  }

  private document(language: Language | undefined): DocumentJson {
    return getOrCreate(this.documents, language, () => {
      if (language === undefined) return this.createJson(this.model)
      // A copy with labels only is not complete: its navigation properties lead to types of the original.
      const localized = localizedModel(this.model, language.tag, language.namedLabels)
      return this.createJson(readEdmx(writeEdmx(localized)))
    })
  }

  private createJson(model: EdmModel): DocumentJson {
    const { settings, provider } = this
    const { openapi, info, servers: _, ...others } = describeService(model, settings, provider)
    const before = `{"openapi":"${openapi}","info":${JSON.stringify(info)},"servers":[{"url":`
    const after = `}],${JSON.stringify(others).slice(1)}`
    return { before, after, hash: hashOf(before + after) }
  }
}

function contentTypeOf(accept: string | undefined): string {
  const ranges = parseAccept(accept) ?? []
  const accepted = ranges.filter(({ quality }) => quality > 0)
  if (accepted.some(({ type, subtype }) => `${type}/${subtype}` === OPENAPI_MEDIA_TYPE))
    return `${OPENAPI_MEDIA_TYPE};charset=utf-8`
  const acceptsJson = accepted.some(
    ({ type, subtype }) =>
      (type === '*' || type === 'application') && (subtype === '*' || subtype === 'json'),
  )
  // Browsers display JSON as text.
  const acceptsHtml = accepted.some(({ subtype }) => subtype === 'html')
  if (ranges.length === 0 || acceptsJson || acceptsHtml) return 'application/json;charset=utf-8'
  throw new ODataError('NotAcceptable', {
    message: `The OpenAPI document is available as application/json and ${OPENAPI_MEDIA_TYPE}; Accept allows neither.`,
  })
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}
