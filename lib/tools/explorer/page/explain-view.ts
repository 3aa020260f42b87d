import { formatAddress, parseAddress } from './address.js'
import type { App } from './app.js'
import { alert, code, list, note } from './components.js'
import type { Child } from './dom.js'
import { el } from './dom.js'
import { formatSize } from './format.js'
import { errorOf, parseDocument } from './payload.js'

/** The document of a request with `explain=true`. */
interface ExplainedRequest {
  readonly bytes: number
  readonly milliseconds: number
  readonly reads: readonly {
    readonly entitySet: string
    readonly provider: readonly string[]
    readonly service: readonly string[]
  }[]
  readonly statements: readonly {
    readonly text: string
    readonly milliseconds: number
    readonly plan: readonly string[]
    readonly advice: readonly string[]
  }[]
}

/** Repeats a read, and shows which parts the provider evaluates, its statements, their plans, and indexes that help. */
export async function explainView(app: App, address: string): Promise<HTMLElement> {
  const { path, options } = parseAddress(address)
  const explained = formatAddress(path, new Map(options).set('explain', 'true'))
  const exchange = await app.client.send(explained)
  const error = errorOf(exchange)
  if (error !== undefined) return alert(error.message, error.title)
  if (exchange.headers.get('content-type')?.includes('json') !== true)
    return note('This resource has no evaluation.')
  const { bytes, milliseconds, reads, statements } = parseDocument(exchange.text) as ExplainedRequest
  return el(
    'div',
    { class: 'explained' },
    note(`${formatSize(bytes)} in ${time(milliseconds)}`),
    ...reads.flatMap(({ entitySet, provider, service }) => [
      el('h3', {}, `Read ${entitySet}`),
      ...part('By the provider', provider),
      ...part('By the service', service),
    ]),
    ...statements.flatMap(({ text, milliseconds: spent, plan, advice }) => [
      el('h3', {}, `Statement, ${time(spent)}`),
      code(text),
      plan.length === 0 ? undefined : code(plan.join('\n')),
      ...part('Faster with', advice),
    ]),
  )
}

function part(title: string, lines: readonly string[]): readonly Child[] {
  if (lines.length === 0) return []
  const items = lines.map((line) => el('code', {}, line))
  return [el('h4', {}, title), list({}, items)]
}

function time(milliseconds: number): string {
  return `${milliseconds.toFixed(milliseconds < 10 ? 2 : 0)} ms`
}
