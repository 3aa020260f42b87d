import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { goldenNames, joined, lasting, readable } from './golden-file.js'
import type { HttpResponse, Question } from './http-exchange.js'

/**
 * Requests that change data and the responses that the protocol demands, as two files in the format of `GoldenFile`.
 * One file may hold several requests, separated by lines that start with `###`: usually a change and the read that
 * shows its effect. The rest of such a line is a comment.
 *
 * A request may have a body after an empty line. Its line ends are LF, or CRLF in `multipart/mixed` unless the first
 * line is `# LF`. The last line end of the file is not part of the body. Placeholders add bytes to a body: `{{crlf}}`
 * and `{{lf}}` a line end, `{{hex:0fa0}}` any bytes.
 *
 * `{{root}}` is the service root, `http://h/n/`. Values that differ from run to run are numbered in the order of their
 * appearance in a file, so that equal values have equal numbers: `{{uuid1}}` for generated keys and boundaries,
 * `{{tag1}}` for ETags of media resources, `{{token1}}` and `{{nonce1}}` for CSRF tokens and their cookies. Later
 * requests of the file can refer to them.
 */
interface GoldenExchanges {
  readonly name: string
  readonly requests: readonly GoldenRequest[]
  /** One for each request; undefined until the file exists. */
  readonly expected: readonly string[] | undefined
}

interface GoldenRequest {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** The host name of all requests, so that responses have the same length on every machine. */
const goldenHost = 'h'

const divider = /^###.*\n/m

export function goldenExchanges(folder: string): readonly GoldenExchanges[] {
  return goldenNames(folder, 'http').map((name) => {
    const responses = join(folder, `${name}.expected`)
    return {
      name,
      requests: readFileSync(join(folder, `${name}.http`), 'utf8')
        .replace(/^###.*\n/, '')
        .split(divider)
        .map((text) => readRequest(text, name)),
      expected: existsSync(responses)
        ? readFileSync(responses, 'utf8').split(divider).map(joined)
        : undefined,
    }
  })
}

/** Records the responses as the expected ones. Check them against the protocol before you commit them. */
export function recordResponses(folder: string, name: string, responses: readonly string[]): void {
  writeFileSync(join(folder, `${name}.expected`), responses.map(readable).join('###\n'))
}

function readRequest(text: string, name: string): GoldenRequest {
  const isLf = text.startsWith('# LF\n')
  const [head = '', body] = text.replace(/^# LF\n/, '').split(/\n\n(.*)/s)
  const [requestLine = '', ...lines] = head.trimEnd().split('\n')
  const [, method, target] = /^([A-Z]+) (\S+) HTTP\/1\.1$/.exec(requestLine) ?? []
  if (method === undefined || target === undefined) throw new Error(`${name}.http: not a request line`)
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]))
  const sent = body?.replace(/\n$/, '')
  const isBatch = headers['Content-Type']?.startsWith('multipart/mixed') === true && !isLf
  return { method, target, headers, body: isBatch ? sent?.replaceAll('\n', '\r\n') : sent }
}

/** Replaces values that differ from run to run by placeholders, within one file. */
export class Stand {
  private readonly names = new Map<string, string>()

  /** Formats a response like the expected files. */
  transcript(response: HttpResponse, target: string): string {
    return lasting(response, goldenHost, target)
      .replace(/(?<=^X-Csrf-Token: ).{20,}$/m, (token) => this.nameOf('token', token))
      .replace(/(?<=^Set-Cookie: odata-csrf=)[\w-]{22}/m, (nonce) => this.nameOf('nonce', nonce))
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, (uuid) =>
        this.nameOf('uuid', uuid),
      )
      .replace(
        /(\\?"|&quot;)([\w-]{27})\1/g,
        (_all, quote: string, tag: string) => `${quote}${this.nameOf('tag', tag)}${quote}`,
      )
  }

  /** A request with what it stands for. */
  question({ method, target, headers, body }: GoldenRequest): Question & { readonly target: string } {
    const root = `http://${goldenHost}/${target.split('/')[1] ?? ''}/`
    const shown = (text: string): string => this.shown(text.replaceAll('{{root}}', root))
    const all = Object.entries(headers).map(([name, value]) => [name, shown(value)] as const)
    return {
      target: shown(target),
      method,
      headers: { Host: goldenHost, ...Object.fromEntries(all) },
      ...(body === undefined ? {} : { body: bytesOf(shown(body)) }),
    }
  }

  private nameOf(kind: 'nonce' | 'tag' | 'token' | 'uuid', value: string): string {
    const known = this.names.get(value)
    if (known !== undefined) return known
    const before = [...this.names.values()].filter((name) => name.startsWith(`{{${kind}`))
    const name = `{{${kind}${before.length + 1}}}`
    this.names.set(value, name)
    return name
  }

  private shown(text: string): string {
    let result = text
    for (const [value, name] of this.names) result = result.replaceAll(name, value)
    return result
  }
}

function bytesOf(text: string): Buffer {
  const chunks = text
    .replaceAll('{{crlf}}', '\r\n')
    .replaceAll('{{lf}}', '\n')
    .split(/\{\{hex:([0-9a-f]*)\}\}/)
  return Buffer.concat(chunks.map((chunk, index) => Buffer.from(chunk, index % 2 === 0 ? 'utf8' : 'hex')))
}
