import { XmlError, parseXml } from '../../xml/parse-xml.js'
import type { XmlElement } from '../../xml/xml-element.js'

/** A request of the audit. */
export interface AuditRequest {
  readonly method: string
  /** Absolute and percent-encoded; sent unchanged. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** Status, headers and body of a response, independent of the HTTP client that received it. */
export interface RawResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Uint8Array
}

/** A media type with its parameters: `application/atom+xml;type=feed`. */
interface MediaType {
  /** Lower case, without parameters: `application/atom+xml`. */
  readonly essence: string
  readonly parameters: ReadonlyMap<string, string>
}

/** A response and its request. The methods that parse the body fail the check if it is malformed. */
export class AuditResponse {
  private decoded: string | undefined

  constructor(
    readonly request: AuditRequest,
    private readonly raw: RawResponse,
  ) {}

  get status(): number {
    return this.raw.status
  }

  get body(): Uint8Array {
    return this.raw.body
  }

  get text(): string {
    return (this.decoded ??= new TextDecoder().decode(this.raw.body))
  }

  header(name: string): string | undefined {
    return this.raw.headers.get(name.toLowerCase())
  }

  get mediaType(): MediaType {
    return parseMediaType(this.header('content-type') ?? '')
  }

  json(): unknown {
    try {
      return JSON.parse(this.text) as unknown
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new CheckFailure(`The body is not valid JSON: ${reason}`, this)
    }
  }

  /** Returns the root element. */
  xml(): XmlElement {
    try {
      return parseXml(this.text)
    } catch (error) {
      if (error instanceof XmlError) throw new CheckFailure(error.message, this)
      throw error
    }
  }
}

/** A violation of the specification. The message has the expected and the actual value. */
export class CheckFailure extends Error {
  override readonly name = 'CheckFailure'

  /** @param response the response to show in the report; by default the last one of the check */
  constructor(
    message: string,
    readonly response?: AuditResponse,
  ) {
    super(message)
  }
}

/** @spec RFC 9110 8.3.1 */
export function parseMediaType(text: string): MediaType {
  const [essence = '', ...rest] = text.split(';')
  const parameters = new Map<string, string>()
  for (const part of rest) {
    const [, name, value = ''] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/s.exec(part) ?? []
    if (name !== undefined) parameters.set(name.toLowerCase(), value.replace(/^"(.*)"$/, '$1'))
  }
  return { essence: essence.trim().toLowerCase(), parameters }
}
