import { parseMediaType } from '../batch/multipart-type.js'
import { ODataError } from '../errors/odata-error.js'

/** The file that an HTML form uploads. */
interface FormFile {
  /** The `Content-Type` of the part; undefined when it has none. */
  readonly contentType: string | undefined
  /** The name of the file, without directories. */
  readonly fileName: string
  /** The content as it arrives. Throws if the form has other parts than the file. */
  readonly bytes: AsyncIterable<Uint8Array>
}

const MAX_HEADER_BYTES = 16_384
const LINE_END = '\r\n'

export function isFormData(contentType: string | undefined): boolean {
  return contentType !== undefined && /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType)
}

/**
 * Reads a form up to the content of its only file, which must be the only part.
 *
 * @param body is read once
 * @throws ODataError UnsupportedMediaType
 * @spec RFC 7578
 */
export async function readFormFile(contentType: string, body: AsyncIterable<Uint8Array>): Promise<FormFile> {
  const { boundary } = parseMediaType(contentType)
  if (boundary === undefined) throw unsupported('its Content-Type must name a boundary')
  const reader = new FormReader(body, `${LINE_END}--${boundary}`)
  const headers = parseHeaders(await reader.headers())
  const fileName = fileNameOf(headers.get('content-disposition') ?? '')
  if (fileName === undefined) throw unsupported('its only part must be a file with a name')
  if (!/^(?:binary|[78]bit)?$/i.test(headers.get('content-transfer-encoding') ?? ''))
    throw unsupported('its file must not have a Content-Transfer-Encoding')
  return { contentType: headers.get('content-type'), fileName, bytes: reader.content() }
}

class FormReader {
  private readonly source: AsyncIterator<Uint8Array>
  private readonly delimiter: Buffer
  /** The first delimiter has no line before it. */
  private pending: Buffer = Buffer.from(LINE_END)

  constructor(body: AsyncIterable<Uint8Array>, delimiter: string) {
    this.source = body[Symbol.asyncIterator]()
    this.delimiter = Buffer.from(delimiter, 'latin1')
  }

  /** Returns the header lines of the first part. */
  async headers(): Promise<string> {
    await this.upTo(this.delimiter)
    // Includes the end of the line of the delimiter.
    return (await this.upTo(Buffer.from(LINE_END + LINE_END))).toString('utf8')
  }

  async *content(): AsyncGenerator<Uint8Array> {
    try {
      const { delimiter } = this
      let index: number
      while ((index = this.pending.indexOf(delimiter)) < 0) {
        // The last bytes may be the beginning of the delimiter.
        const length = this.pending.length - delimiter.length + 1
        if (length > 0) {
          yield this.pending.subarray(0, length)
          this.pending = this.pending.subarray(length)
        }
        await this.more()
      }
      if (index > 0) yield this.pending.subarray(0, index)
      this.pending = this.pending.subarray(index + delimiter.length)
      while (this.pending.length < 2) await this.more()
      if (this.pending.toString('latin1', 0, 2) !== '--') throw unsupported('it must not have other parts')
      while ((await this.source.next()).done !== true);
    } finally {
      await this.source.return?.()
    }
  }

  /** Returns the bytes before a mark, and skips the mark. */
  private async upTo(mark: Buffer): Promise<Buffer> {
    let index: number
    while ((index = this.pending.indexOf(mark)) < 0) {
      if (this.pending.length > MAX_HEADER_BYTES) throw unsupported('the headers of its part are too long')
      await this.more()
    }
    const before = this.pending.subarray(0, index)
    this.pending = this.pending.subarray(index + mark.length)
    return before
  }

  private async more(): Promise<void> {
    const next = await this.source.next()
    if (next.done === true) throw unsupported('it must end with its boundary')
    this.pending = Buffer.concat([this.pending, next.value])
  }
}

function parseHeaders(text: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const line of text.split(LINE_END)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  return headers
}

/**
 * Returns the file name of a form field. Browsers escape quotes and line ends as `%22`, `%0D` and `%0A`, curl escapes
 * quotes by backslashes.
 */
function fileNameOf(disposition: string): string | undefined {
  const [, quoted] = /^form-data\b.*;\s*filename="((?:\\.|[^"\\])*)"/i.exec(disposition) ?? []
  const text = quoted
    ?.replace(/\\(["\\])/g, '$1')
    .replace(/%22/g, '"')
    .replace(/%0[AD]/gi, '')
  const name = text?.split(/[/\\]/).at(-1)
  return name === '' ? undefined : name
}

function unsupported(reason: string): ODataError {
  return new ODataError('UnsupportedMediaType', {
    message: `A form (multipart/form-data) must contain exactly one file: ${reason}.`,
  })
}
