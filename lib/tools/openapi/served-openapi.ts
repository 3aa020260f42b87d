import { createHash } from 'node:crypto'
import type { EdmModel } from '../../edm/edm-model.js'
import { ODataError } from '../../errors/odata-error.js'
import { parseAccept } from '../../formats/media-range.js'
import { isNotModified } from '../../http/conditional-requests.js'
import { documentPolicy } from '../../http/response-headers.js'
import { routeMethod } from '../../http/method-router.js'
import type { ODataRequest } from '../../http/odata-request.js'
import type { ODataResponse } from '../../http/odata-response.js'
import type { Settings } from '../../options.js'
import type { Provider } from '../../provider/provider.js'
import { describe, serverAddress } from './openapi-document.js'

const own = 'application/vnd.oai.openapi+json'
const address = /^\/*(?:\$|%24)openapi\/?(?:\?|$)/

/** The document but for the address of the service, which differs with the request: it stands between the halves. */
interface DocumentText {
  readonly before: string
  readonly after: string
  readonly tag: string
}

/**
 * The OpenAPI document of a service at `$openapi` below its root. It is made when it is first asked for, and kept.
 *
 * @example new ServedOpenApi(model, settings, provider).respond(request)?.status // 200
 */
export class ServedOpenApi {
  private text: DocumentText | undefined

  constructor(
    private readonly model: EdmModel,
    private readonly settings: Settings,
    private readonly provider: Provider,
  ) {}

  /**
   * Responds to a request for the document.
   *
   * @returns undefined for a request for anything else
   * @throws ODataError MethodNotAllowed, NotAcceptable
   */
  respond(request: ODataRequest): ODataResponse | undefined {
    if (!address.test(request.target)) return undefined
    const routed = routeMethod(request.method, { GET: true }, '2.0')
    if ('response' in routed) return routed.response
    const contentType = contentTypeOf(request.header('accept'))
    const { before, after, tag } = (this.text ??= this.documentText())
    const server = JSON.stringify(serverAddress(request.serviceRoot))
    const etag = `"${tag}-${hashOf(server)}"`
    const headers = {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': documentPolicy,
      ETag: etag,
      Vary: 'Accept',
      'X-Content-Type-Options': 'nosniff',
    }
    if (isNotModified(request, { etag })) return { status: 304, headers }
    const body = before + server + after
    return { status: 200, headers: { ...headers, 'Content-Type': contentType }, body }
  }

  private documentText(): DocumentText {
    const { model, settings, provider } = this
    const { openapi, info, servers: _, ...others } = describe(model, settings, provider)
    const before = `{"openapi":"${openapi}","info":${JSON.stringify(info)},"servers":[{"url":`
    const after = `}],${JSON.stringify(others).slice(1)}`
    return { before, after, tag: hashOf(before + after) }
  }
}

function contentTypeOf(accept: string | undefined): string {
  const ranges = parseAccept(accept) ?? []
  const wanted = ranges.filter(({ quality }) => quality > 0)
  if (wanted.some(({ type, subtype }) => `${type}/${subtype}` === own)) return `${own};charset=utf-8`
  const isTaken = wanted.some(
    ({ type, subtype }) =>
      (type === '*' || type === 'application') && (subtype === '*' || subtype === 'json'),
  )
  // A browser that wants to see a page is shown the text.
  const isPage = wanted.some(({ subtype }) => subtype === 'html')
  if (ranges.length === 0 || isTaken || isPage) return 'application/json;charset=utf-8'
  throw new ODataError('NotAcceptable', {
    message: `This document is ${own} and application/json; Accept asks for neither.`,
  })
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}
