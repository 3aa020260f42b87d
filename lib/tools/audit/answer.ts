import { XmlError, parseXml } from '../../xml/parse-xml.js'
import type { XmlElement } from '../../xml/xml-element.js'
import { CheckFailure } from './check-outcome.js'

/** A request as it is sent. */
export interface AuditRequest {
  readonly method: string
  /** Absolute, encoded already; it is sent byte by byte. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

/** What of an answer every way of sending requests gives. */
export interface ReceivedAnswer {
  readonly status: number
  /** By their names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Uint8Array
}

/** A media type: `application/atom+xml;type=feed`. */
export interface MediaType {
  /** In lower case: `application/atom+xml`. */
  readonly essence: string
  readonly parameters: ReadonlyMap<string, string>
}

/** What a service has answered, and ways to read it: each fails the check that reads when it cannot be read. */
export class Answer {
  private decoded: string | undefined

  constructor(
    readonly request: AuditRequest,
    private readonly received: ReceivedAnswer,
  ) {}

  get status(): number {
    return this.received.status
  }

  get body(): Uint8Array {
    return this.received.body
  }

  header(name: string): string | undefined {
    return this.received.headers.get(name.toLowerCase())
  }

  get text(): string {
    return (this.decoded ??= new TextDecoder().decode(this.received.body))
  }

  get mediaType(): MediaType | undefined {
    const text = this.header('content-type')
    return text === undefined ? undefined : readMediaType(text)
  }

  /** The whole document. */
  json(): unknown {
    try {
      return JSON.parse(this.text) as unknown
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new CheckFailure(`The answer is not JSON: ${reason}`, this)
    }
  }

  /** The root element. */
  xml(): XmlElement {
    try {
      return parseXml(this.text)
    } catch (error) {
      if (error instanceof XmlError) throw new CheckFailure(error.message, this)
      throw error
    }
  }
}

/** @spec RFC 9110 8.3.1 */
export function readMediaType(text: string): MediaType {
  const [essence = '', ...rest] = text.split(';')
  const parameters = new Map<string, string>()
  for (const part of rest) {
    const at = part.indexOf('=')
    if (at < 0) continue
    const value = part
      .slice(at + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1')
    parameters.set(part.slice(0, at).trim().toLowerCase(), value)
  }
  return { essence: essence.trim().toLowerCase(), parameters }
}
