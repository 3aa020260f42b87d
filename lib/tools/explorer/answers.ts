import { create as createContentDisposition } from 'content-disposition'
import type { EdmModel } from '../../edm/edm-model.js'
import { ODataError } from '../../errors/odata-error.js'
import { isNotModified } from '../../http/conditional-requests.js'
import type { ODataRequest } from '../../http/odata-request.js'
import type { ODataResponse } from '../../http/odata-response.js'
import { documentPolicy } from '../../http/response-headers.js'
import { connectionFile } from './connection-files.js'
import { explorerPage } from './explorer-page.js'
import { pageFiles } from './page-files.js'
import { tagOf } from '../../http/tag-of.js'

/**
 * Scripts and styles come from the service alone, and there are none within the page. Nothing else may show it in a
 * frame, so that nobody is made to click in it without knowing.
 */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The page itself. It is asked for each time whether it is still the same. */
export async function pageAnswer(
  request: ODataRequest,
  model: EdmModel,
  hasOpenApi: boolean,
): Promise<ODataResponse> {
  const body = explorerPage(model, await pageFiles(), {
    prefix: prefixOf(request),
    root: request.serviceRoot,
    hasOpenApi,
  })
  return answerWith(request, body, {
    'Content-Type': 'text/html;charset=utf-8',
    'Content-Security-Policy': pagePolicy,
    'Cache-Control': 'no-cache',
    'Referrer-Policy': 'same-origin',
    Vary: 'Accept',
  })
}

/**
 * What the page consists of, and the files by which other programs connect to the service.
 *
 * @param segments what stands behind `$explorer`
 * @throws ODataError ResourceNotFound
 */
export async function fileAnswer(
  request: ODataRequest,
  segments: readonly string[],
  model: EdmModel,
): Promise<ODataResponse> {
  const [name = ''] = segments
  const files = await pageFiles()
  const file = segments.length === 1 ? files.find((one) => one.name === name) : undefined
  if (file !== undefined) {
    // The address in the page has the version in it: what it leads to never changes.
    const isVersion = request.target.endsWith(`?${file.version}`)
    return answerWith(request, file.bytes, {
      'Content-Type': file.contentType,
      'Cache-Control': isVersion ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
  }
  const connection = connectionFile(segments, model, request.serviceRoot)
  if (connection === undefined) throw new ODataError('ResourceNotFound')
  return answerWith(request, connection.text, {
    'Content-Type': connection.contentType,
    'Content-Disposition': createContentDisposition(connection.fileName),
    'Cache-Control': 'no-cache',
  })
}

function answerWith(
  request: ODataRequest,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>>,
): ODataResponse {
  const etag = tagOf(body)
  const all = {
    'Content-Security-Policy': documentPolicy,
    ...headers,
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
  }
  if (!isNotModified(request, { etag })) return { status: 200, headers: all, body }
  const {
    'Content-Type': _type,
    'Content-Disposition': _disposition,
    ...rest
  } = all as Record<string, string>
  return { status: 304, headers: rest }
}

/**
 * What stands before addresses in the page: nothing, since they are relative, which holds behind any proxy. Only where
 * the slash at the end of the root is missing would they lead to its parent. Two slashes in front would name a host.
 */
function prefixOf(request: ODataRequest): string {
  const [path = ''] = (request.address ?? '').split(/[?#]/)
  return path.endsWith('/') ? '' : new URL(request.serviceRoot).pathname.replace(/^\/\//, '/.//')
}
