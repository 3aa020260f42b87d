import { readFile } from 'node:fs/promises'
import type { EdmModel } from '../../edm/edm-model.js'
import { entitySetsOf } from '../../edm/edm-model.js'
import { ODataError } from '../../errors/odata-error.js'
import { isNotModified, etagOfDocument } from '../../http/conditional-requests.js'
import { contentDisposition } from '../../http/content-disposition.js'
import type { ODataRequest } from '../../http/odata-request.js'
import type { ODataResponse } from '../../http/odata-response.js'
import { DOCUMENT_POLICY } from '../../http/response-headers.js'
import { escapeText } from '../../xml/escape-xml.js'
import type { ExplorerFeatures } from './explorer-features.js'

const FAVICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%230a6ed1'/%3E%3Cpath d='M4 5h8M4 8h8M4 11h5' stroke='%23fff' stroke-width='1.5'/%3E%3C/svg%3E"

/** Allows no inline scripts and styles, no other hosts, and no frames around the page, which prevents clickjacking. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

type Headers = Readonly<Record<string, string>>

/** Returns the HTML page. */
export async function pageResponse(
  request: ODataRequest,
  model: EdmModel,
  { openapi, explain }: ExplorerFeatures,
): Promise<ODataResponse> {
  const body = explorerPage(model, await pageFiles(), {
    prefix: linkPrefix(request),
    root: request.serviceRoot,
    title: openapi?.title ?? model.defaultContainer.name,
    hasOpenApi: openapi !== undefined,
    canExplain: explain,
  })
  const headers = {
    'Content-Security-Policy': PAGE_POLICY,
    'Cache-Control': 'no-cache',
    'Referrer-Policy': 'same-origin',
    Vary: 'Accept',
  }
  return respond(request, body, headers, { 'Content-Type': 'text/html;charset=utf-8' })
}

/**
 * Returns the script and the style sheet of the page, and the connection files.
 *
 * @param segments path segments after `$explorer`
 * @throws ODataError ResourceNotFound
 */
export async function fileResponse(
  request: ODataRequest,
  segments: readonly string[],
  model: EdmModel,
): Promise<ODataResponse> {
  const file = (await pageFiles()).find(({ name }) => name === segments.join('/'))
  if (file !== undefined) {
    const isVersioned = request.relativeUri.endsWith(`?${file.version}`)
    const cacheControl = isVersioned ? 'public, max-age=31536000, immutable' : 'no-cache'
    const contentType = { 'Content-Type': file.contentType }
    return respond(request, file.bytes, { 'Cache-Control': cacheControl }, contentType)
  }
  const connection = connectionFile(segments, model, request.serviceRoot)
  if (connection === undefined) throw new ODataError('ResourceNotFound')
  return respond(
    request,
    connection.text,
    { 'Cache-Control': 'no-cache' },
    {
      'Content-Type': connection.contentType,
      'Content-Disposition': contentDisposition(connection.fileName, 'attachment'),
    },
  )
}

/** @param contentHeaders headers that a response with status 304 omits */
function respond(
  request: ODataRequest,
  body: string | Uint8Array,
  headers: Headers,
  contentHeaders: Headers,
): ODataResponse {
  const etag = etagOfDocument(body)
  const common = {
    'Content-Security-Policy': DOCUMENT_POLICY,
    ...headers,
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
  }
  return isNotModified(request, { etag })
    ? { status: 304, headers: common }
    : { status: 200, headers: { ...common, ...contentHeaders }, body }
}

/**
 * Returns the prefix of links in the page: empty, because links are relative, unless the URL of the page has no trailing slash.
 * A prefix with two leading slashes would name a host.
 */
function linkPrefix(request: ODataRequest): string {
  const [path = ''] = (request.address ?? '').split(/[?#]/)
  return path.endsWith('/') ? '' : new URL(request.serviceRoot).pathname.replace(/^\/\//, '/.//')
}

/** A file that connects another program to the service. */
interface ConnectionFile {
  readonly fileName: string
  readonly contentType: string
  readonly text: string
}

/**
 * Creates `service.odc`, `service.pbids`, or a file for one entity set such as `sets/Products.odc`.
 *
 * @param segments path segments after `$explorer`
 * @param root public URL of the service
 * @returns undefined for other paths and unknown sets
 */
export function connectionFile(
  segments: readonly string[],
  model: EdmModel,
  root: string,
): ConnectionFile | undefined {
  const match = /^(?:service|sets\/([^/]+))\.(odc|pbids)$/.exec(segments.join('/'))
  if (match === null) return undefined
  const [, path, kind] = match
  const sets = setPaths(model)
  if (path !== undefined && !sets.includes(path)) return undefined
  const name = path ?? model.defaultContainer.name
  if (kind === 'odc') {
    const text = officeDataConnection(name, root, path === undefined ? sets : [path])
    return { fileName: `${name}.odc`, contentType: 'text/x-ms-odc;charset=utf-8', text }
  }
  const url = path === undefined ? root : `${root}${encodeURIComponent(path)}`
  return { fileName: `${name}.pbids`, contentType: 'application/json', text: powerBiSource(url) }
}

/**
 * Returns a data connection of Excel to a data feed with the given sets.
 *
 * @spec MS-ODCFF 2.2.1 (CT_Connection), 2.1.2 (TableCollection)
 */
function officeDataConnection(name: string, root: string, sets: readonly string[]): string {
  const connection = [
    `Data Source=${quoteValue(root)}`,
    'Namespaces to Include=*',
    'Max Received Message Size=4398046511104',
    'Keep Alive=true',
    'Persist Security Info=false',
    `Service Document Url=${quoteValue(root)}`,
  ].join(';')
  const tables = sets.map((set) => `"${set}"`).join(',')
  return `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns="http://www.w3.org/TR/REC-html40">
<head>
<meta http-equiv=Content-Type content="text/x-ms-odc; charset=utf-8">
<meta name=ProgId content=ODC.TableCollection>
<meta name=SourceType content=DATAFEED>
<title>${escapeText(name)}</title>
<xml id=docprops><o:DocumentProperties xmlns:o="urn:schemas-microsoft-com:office:office" xmlns="http://www.w3.org/TR/REC-html40">
<o:Name>${escapeText(name)}</o:Name>
</o:DocumentProperties></xml>
<xml id=msodc><odc:OfficeDataConnection xmlns:odc="urn:schemas-microsoft-com:office:odc" xmlns="http://www.w3.org/TR/REC-html40">
<odc:Connection odc:Type="DATAFEED">
<odc:ConnectionString>${escapeText(connection)}</odc:ConnectionString>
<odc:CommandType>TableCollection</odc:CommandType>
<odc:CommandText>${escapeText(tables)}</odc:CommandText>
</odc:Connection>
</odc:OfficeDataConnection></xml>
</head>
</html>
`
}

/** Quotes a value with characters that would end it, such as a semicolon. */
function quoteValue(text: string): string {
  return /[;='"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Returns a data source file of Power BI Desktop. */
function powerBiSource(url: string): string {
  const connections = [{ details: { protocol: 'odata', address: { url } } }]
  return `${JSON.stringify({ version: '0.1', connections }, undefined, 2)}\n`
}

interface PageOptions {
  /** Prefix of links, which are relative to the service root. */
  readonly prefix: string
  /** URL of the service in its responses, by which the script recognizes them. */
  readonly root: string
  readonly title: string
  readonly hasOpenApi: boolean
  readonly canExplain: boolean
}

/** Returns the HTML of the page, with links to the entity sets for browsers without JavaScript. */
export function explorerPage(
  model: EdmModel,
  files: readonly PageFile[],
  { prefix, root, title: text, hasOpenApi, canExplain }: PageOptions,
): string {
  const url = (name: PageFile['name']): string => {
    const version = files.find((file) => file.name === name)?.version ?? ''
    return escapeHtml(`${prefix}$explorer/${name}?${version}`)
  }
  const link = (path: string, text: string): string =>
    `<li><a href="${escapeHtml(prefix + path)}">${escapeHtml(text)}</a></li>`
  const title = escapeHtml(text)
  const links = setPaths(model).map((path) => link(encodeURIComponent(path), path))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${FAVICON}">
<link rel="stylesheet" href="${url('explorer.css')}">
<script src="${url('explorer.js')}" defer></script>
</head>
<body data-root="${escapeHtml(root)}"${hasOpenApi ? ' data-openapi' : ''}${canExplain ? ' data-explain' : ''}>
<noscript>
<h1>${title}</h1>
<p>The explorer needs JavaScript. Without it, open the resources of the service:</p>
<ul>${link('$metadata', '$metadata')}${links.join('')}</ul>
</noscript>
</body>
</html>
`
}

function setPaths(model: EdmModel): readonly string[] {
  return entitySetsOf(model).map(({ path }) => path)
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** A bundled script or style sheet of the page. */
interface PageFile {
  readonly name: 'explorer.js' | 'explorer.css'
  readonly contentType: string
  readonly bytes: Uint8Array
  /** A hash of the content, for URLs. */
  readonly version: string
}

let cachedFiles: Promise<readonly PageFile[]> | undefined

/** Reads the files of the page, once. */
export function pageFiles(): Promise<readonly PageFile[]> {
  cachedFiles ??= Promise.all([
    readPageFile('explorer.js', 'text/javascript;charset=utf-8'),
    readPageFile('explorer.css', 'text/css;charset=utf-8'),
  ]).catch((error: unknown) => {
    cachedFiles = undefined
    throw error
  })
  return cachedFiles
}

/** Folders of the files, relative to this module in the ES modules, in the CommonJS modules, and in the sources. */
const FOLDERS = ['./', '../../../esm/tools/explorer/', '../../../dist/esm/tools/explorer/']

async function readPageFile(name: PageFile['name'], contentType: string): Promise<PageFile> {
  for (const folder of FOLDERS) {
    const bytes = await readFile(new URL(folder + name, import.meta.url)).catch(() => undefined)
    if (bytes !== undefined) return { name, contentType, bytes, version: etagOfDocument(bytes).slice(1, -1) }
  }
  throw new Error(`The file ${name} of the explorer is missing. Run \`npm run build\` to create it.`)
}
