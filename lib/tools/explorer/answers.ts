import { create as createContentDisposition } from 'content-disposition'
import type { EdmModel } from '../../edm/edm-model.js'
import { ODataError } from '../../errors/odata-error.js'
import { isNotModified, tagOf } from '../../http/conditional-requests.js'
import type { ODataRequest } from '../../http/odata-request.js'
import type { ODataResponse } from '../../http/odata-response.js'
import { documentPolicy } from '../../http/response-headers.js'
import { escapeText } from '../../xml/escape-xml.js'
import { readFile } from 'node:fs/promises'

/** A sheet with three rows: what the page shows. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%230a6ed1'/%3E%3Cpath d='M4 5h8M4 8h8M4 11h5' stroke='%23fff' stroke-width='1.5'/%3E%3C/svg%3E"

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

/** A file by which another program connects to the service. */
interface ConnectionFile {
  readonly fileName: string
  readonly contentType: string
  readonly text: string
}

/**
 * The file that an address names: `service.odc`, `service.pbids`, `sets/Products.odc`, `sets/Products.pbids`.
 *
 * @param segments what stands behind `$explorer`
 * @param root address of the service as other programs know it
 * @returns undefined when there is no such file
 */
export function connectionFile(
  segments: readonly string[],
  model: EdmModel,
  root: string,
): ConnectionFile | undefined {
  const match = /^(?:service|sets\/([^/]+))\.(odc|pbids)$/.exec(segments.join('/'))
  if (match === null) return undefined
  const [, path, kind] = match
  const sets = model.entityContainers.flatMap(({ entitySets }) => entitySets.map((set) => set.path))
  if (path !== undefined && !sets.includes(path)) return undefined
  const name = path ?? model.entityContainers.find(({ isDefault }) => isDefault)?.name ?? 'service'
  if (kind === 'odc') {
    const text = officeDataConnection(name, root, path === undefined ? sets : [path])
    return { fileName: `${name}.odc`, contentType: 'text/x-ms-odc;charset=utf-8', text }
  }
  const address = path === undefined ? root : `${root}${encodeURIComponent(path)}`
  return { fileName: `${name}.pbids`, contentType: 'application/json', text: powerBiSource(address) }
}

/**
 * A connection of Excel: a data feed, of which the named sets are read.
 *
 * @spec MS-ODCFF 2.2.1 (CT_Connection), 2.1.2 (TableCollection)
 */
function officeDataConnection(name: string, root: string, sets: readonly string[]): string {
  const connection = [
    `Data Source=${connectionValue(root)}`,
    'Namespaces to Include=*',
    'Max Received Message Size=4398046511104',
    'Keep Alive=true',
    'Persist Security Info=false',
    `Service Document Url=${connectionValue(root)}`,
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

/** A semicolon would end the value. */
function connectionValue(text: string): string {
  return /[;='"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A data source of Power BI Desktop. */
function powerBiSource(url: string): string {
  const connections = [{ details: { protocol: 'odata', address: { url } } }]
  return `${JSON.stringify({ version: '0.1', connections }, undefined, 2)}\n`
}

/** Where the page stands, and what is beside it. */
interface PagePlace {
  /** What stands before addresses below the service root. */
  readonly prefix: string
  /** The address that answers of the service start with, by which the script knows them. */
  readonly root: string
  readonly hasOpenApi: boolean
}

/** The page before its script runs. Whoever has no scripts still sees what the service has. */
export function explorerPage(
  model: EdmModel,
  files: readonly PageFile[],
  { prefix, root, hasOpenApi }: PagePlace,
): string {
  const version = (name: PageFile['name']): string => files.find((file) => file.name === name)?.version ?? ''
  const address = (name: PageFile['name']): string => escaped(`${prefix}$explorer/${name}?${version(name)}`)
  const title = escaped(titleOf(model))
  const sets = model.entityContainers.flatMap(({ entitySets }) => entitySets)
  const links = sets.map(({ path }) => link(`${prefix}${encodeURIComponent(path)}`, path))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${address('explorer.css')}">
<script src="${address('explorer.js')}" defer></script>
</head>
<body data-root="${escaped(root)}"${hasOpenApi ? ' data-openapi' : ''}>
<noscript>
<h1>${title}</h1>
<p>This page needs JavaScript. The service answers without it:</p>
<ul>${link(`${prefix}$metadata`, '$metadata')}${links.join('')}</ul>
</noscript>
</body>
</html>
`
}

/** The name of the container that is meant when none is named. */
function titleOf({ entityContainers }: EdmModel): string {
  const container = entityContainers.find(({ isDefault }) => isDefault) ?? entityContainers[0]
  return container?.name ?? 'OData service'
}

function link(address: string, text: string): string {
  return `<li><a href="${escaped(address)}">${escaped(text)}</a></li>`
}

/** Also within quotes. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** A script or a style sheet of the page, as the build has made it. */
interface PageFile {
  readonly name: 'explorer.js' | 'explorer.css'
  readonly contentType: string
  readonly bytes: Uint8Array
  /** Another one for other bytes, safe in an address. */
  readonly version: string
}

let files: Promise<readonly PageFile[]> | undefined

/** The files of the page; they are read once. */
export function pageFiles(): Promise<readonly PageFile[]> {
  files ??= Promise.all([
    pageFile('explorer.js', 'text/javascript;charset=utf-8'),
    pageFile('explorer.css', 'text/css;charset=utf-8'),
  ]).catch((error: unknown) => {
    files = undefined
    throw error
  })
  return files
}

async function pageFile(name: PageFile['name'], contentType: string): Promise<PageFile> {
  const bytes = await readBuilt(name)
  return { name, contentType, bytes, version: tagOf(bytes).slice(1, -1) }
}

/** Where they stand from here: beside this module, in the other half of the package, and for specs where they were built. */
const places = ['./', '../../../esm/tools/explorer/', '../../../dist/esm/tools/explorer/']

async function readBuilt(name: string): Promise<Uint8Array> {
  for (const place of places) {
    const bytes = await readFile(new URL(place + name, import.meta.url)).catch(() => undefined)
    if (bytes !== undefined) return bytes
  }
  throw new Error(`${name} of the explorer is missing: \`npm run build\` makes it.`)
}
