import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HttpResponse } from './http-exchange.js'
import { unzip } from './read-xlsx.js'

/**
 * A request and the response that the protocol demands, as two files: `<name>.http` with the request line and its
 * headers, and `<name>.expected` with the status line, headers, an empty line and the body.
 *
 * In the expected body a line end and the spaces after it are ignored, so that a document without white space between
 * its elements stays readable. A line end that is part of the document is `{{lf}}` or `{{crlf}}`.
 * `{{root}}` is the service root, `{{now}}` the time of the response, `{{tag}}` the ETag of a media resource.
 * The body of an Excel file is the text of its parts, each after its name.
 */
interface GoldenFile {
  readonly name: string
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  /** Undefined until the file exists. */
  readonly expected: string | undefined
}

/** The files of single requests; those of `writes` hold several, see `goldenExchanges`. */
export function goldenFiles(folder: string): readonly GoldenFile[] {
  return goldenNames(folder, 'http')
    .filter((name) => !name.startsWith('writes/'))
    .map((name) => readGolden(folder, name))
}

/** Names of files in a folder and all below it, without `.http` or `.expected`. */
export function goldenNames(folder: string, kind: 'expected' | 'http'): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(`.${kind}`))
    .map((path) => path.slice(0, -kind.length - 1).replaceAll('\\', '/'))
    .sort()
}

function readGolden(folder: string, name: string): GoldenFile {
  const [requestLine = '', ...lines] = readFileSync(join(folder, `${name}.http`), 'utf8')
    .trimEnd()
    .split('\n')
  const [, method, target] = /^([A-Z]+) (\S+) HTTP\/1\.1$/.exec(requestLine) ?? []
  if (method === undefined || target === undefined) throw new Error(`${name}.http: not a request line`)
  const headers = lines.map((line) => line.split(/: (.*)/s, 2) as [string, string])
  const response = join(folder, `${name}.expected`)
  const expected = existsSync(response) ? joined(readFileSync(response, 'utf8')) : undefined
  return { name, method, target, headers: Object.fromEntries(headers), expected }
}

/** Converts a response from its readable form to the exact form. */
export function joined(text: string): string {
  const [head = '', body = ''] = text.split(/\n\n(.*)/s)
  const lines = body.replace(/\n */g, '').replaceAll('{{crlf}}', '\r\n').replaceAll('{{lf}}', '\n')
  return `${head.trimEnd()}\n\n${lines}`
}

/** Headers that are not part of the protocol, or that are checked once for all responses of the run. */
const unremarkable: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
])

/** Default headers of responses, except those with a single representation and media resources. */
const usual: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

/** Returns true if browsers run no script of the response, and caches revalidate it. */
export function isSafeInBrowsers({ headers }: Pick<HttpResponse, 'headers'>): boolean {
  const policy = String(headers['content-security-policy'])
  const caching = String(headers['cache-control'])
  return /(?:^|; )sandbox$|script-src 'none'/.test(policy) && /\bno-(?:store|cache)\b/.test(caching)
}

/**
 * Returns the expected `Vary` header. Metadata documents are sent compressed to clients that accept it. It has no language if the URI names one of the service. Responses in version 1 also depend on the version headers, as only requests that
 * name the version get them.
 */
export function varyOf({ headers }: Pick<HttpResponse, 'headers'>, target = ''): string {
  const isNegotiated =
    headers['content-language'] !== undefined && !/[?&]sap-(?:language|locale)=(?:de|en|1q)/i.test(target)
  const version = headers.dataserviceversion === '1.0' ? ', DataServiceVersion, MaxDataServiceVersion' : ''
  const isEncoded = /(?:\$|%24)metadata\b/i.test(target) && headers.etag !== undefined
  const encoding = isEncoded ? ', Accept-Encoding' : ''
  return `Accept${version}${encoding}${isNegotiated ? ', Accept-Language' : ''}`
}

/** Formats a response like the expected files. */
export function transcript(response: HttpResponse, host: string, target: string): string {
  return lasting(response, host, target).replace(
    /(\\?"|&quot;)[\w-]{27}\1/g,
    (_tag, quote: string) => `${quote}{{tag}}${quote}`,
  )
}

/** Formats a response without values that depend on the host or the time. */
export function lasting(
  { status, reason, headers, text, bytes }: HttpResponse,
  host: string,
  target: string,
): string {
  const body = isWorkbook(headers['content-type']) && bytes.length > 0 ? partsOf(bytes) : text
  const [, mount = ''] = target.split('/')
  const shown = Object.entries(headers)
    .filter(([name, value]) => !unremarkable.has(name) && usual[name] !== value)
    .map(([name, value]) => `${canonical(name)}: ${String(value)}`)
    .sort()
  return [`HTTP/1.1 ${status} ${reason}`, ...shown, '', body]
    .join('\n')
    .replaceAll(`http://${host}/${mount}/`, '{{root}}')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, (time) => (isNow(time) ? '{{now}}' : time))
    .replace(/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT/g, (time) =>
      isNow(time) ? '{{now}}' : time,
    )
}

function isWorkbook(contentType = ''): boolean {
  return contentType === 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
}

function partsOf(workbook: Buffer): string {
  return [...unzip(workbook)].map(([name, content]) => `${name}\n${content.toString('utf8')}\n`).join('')
}

/**
 * Returns true if a time, in whole seconds, is not before the start of this process. Times in test data are earlier.
 */
function isNow(time: string): boolean {
  return Date.parse(time) > performance.timeOrigin - 1_000 && Date.parse(time) <= Date.now()
}

/** `dataserviceversion` as documents about the protocol write it. */
function canonical(name: string): string {
  const known = ['DataServiceId', 'DataServiceVersion', 'ETag', 'WWW-Authenticate']
  const found = known.find((one) => one.toLowerCase() === name)
  return found ?? name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

/** Records a response as the expected one. Check it against the protocol before you commit it. */
export function keep(folder: string, name: string, actual: string): void {
  writeFileSync(join(folder, `${name}.expected`), readable(actual))
}

/** The inverse of {@link joined}. */
export function readable(actual: string): string {
  const [head = '', body = ''] = actual.split(/\n\n(.*)/s)
  const lines = body
    .replaceAll('\r\n', '{{crlf}}')
    .replaceAll('\n', '{{lf}}')
    .replaceAll('{{crlf}}', '{{crlf}}\n')
    .replace(/>(?=<(?!\/(?:d:|m:properties|title|updated|id|name)))/g, '>\n')
    .replace(/,(?=\{"__metadata|"__next|"results)/g, ',\n')
  return `${head}\n\n${lines.replace(/\n$/, '')}\n`
}
