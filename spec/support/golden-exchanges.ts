import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { goldenNames, joined, lasting, readable } from './golden-file.js'
import type { Answer, Question } from './http-exchange.js'

/**
 * Requests that change data, and the answers that the protocol demands, as two files in the form of `GoldenFile`. One
 * file may hold several requests, which a line that starts with `###` divides: a change, and what is there after it.
 * What follows in that line is for the reader.
 *
 * A request may have a body, behind an empty line. Its line ends are LF, and CRLF in `multipart/mixed`; a first line
 * `# LF` makes them LF there as well. The last line end of a body does not belong to it; `{{crlf}}` and `{{lf}}` are
 * line ends that do, and `{{hex:0fa0}}` is bytes.
 *
 * `{{root}}` is the service root, `http://h/n/`. What differs from run to run is numbered in the order in which a file
 * shows it, so that it can be seen where the same stands twice: `{{uuid1}}` for generated keys and boundaries,
 * `{{tag1}}` for ETags of media resources, `{{token1}}` for csrf tokens. Later requests of the file can send them.
 */
export interface GoldenExchanges {
  readonly name: string
  readonly requests: readonly GoldenRequest[]
  /** As many as there are requests; undefined as long as nobody has written them. */
  readonly expected: readonly string[] | undefined
}

export interface GoldenRequest {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** The host that requests name, so that answers have the same length wherever they are made. */
export const goldenHost = 'h'

const divider = /^###.*\n/m

export function goldenExchanges(folder: string): readonly GoldenExchanges[] {
  return goldenNames(folder, 'http').map((name) => {
    const answers = join(folder, `${name}.expected`)
    return {
      name,
      requests: readFileSync(join(folder, `${name}.http`), 'utf8')
        .replace(/^###.*\n/, '')
        .split(divider)
        .map((text) => readRequest(text, name)),
      expected: existsSync(answers) ? readFileSync(answers, 'utf8').split(divider).map(joined) : undefined,
    }
  })
}

/** Writes what was answered as what is expected. Read it against the protocol before it is kept. */
export function keepAnswers(folder: string, name: string, answers: readonly string[]): void {
  writeFileSync(join(folder, `${name}.expected`), answers.map(readable).join('###\n'))
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

/** What stands for values that differ from run to run, within one file. */
export class Stand {
  private readonly names = new Map<string, string>()

  /** An answer in the form of the expected files. */
  transcript(answer: Answer, target: string): string {
    return lasting(answer, goldenHost, target)
      .replace(/(?<=^X-Csrf-Token: ).{20,}$/m, (token) => this.nameOf('token', token))
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

  private nameOf(kind: 'tag' | 'token' | 'uuid', value: string): string {
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
  const pieces = text
    .replaceAll('{{crlf}}', '\r\n')
    .replaceAll('{{lf}}', '\n')
    .split(/\{\{hex:([0-9a-f]*)\}\}/)
  return Buffer.concat(pieces.map((piece, index) => Buffer.from(piece, index % 2 === 0 ? 'utf8' : 'hex')))
}
