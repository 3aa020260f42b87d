import type { App } from './app.js'
import { copiedText } from './copied-text.js'
import { el } from './dom.js'
import type { RelativeAddress } from './query-options.js'
import { readableText } from './raw-text.js'
import type { Exchange } from './service-client.js'
import { snippetsOf } from './snippets.js'
import { tabs } from './tabs.js'

/** The request that a view has made, its answer in both formats, and the same request in other words. */
export function exchangePanel(app: App, exchange: Exchange, address: RelativeAddress): HTMLElement {
  const method = exchange.method === 'POST' ? 'POST' : 'GET'
  const answers = [
    { title: 'JSON', content: () => answerText(exchange) },
    {
      title: 'Atom',
      // A function that changes something must not be called again only to be looked at.
      content: async () =>
        method === 'POST'
          ? el('p', {}, 'Functions with POST are not called again for this.')
          : answerText(
              await app.client.send(exchange.address, {
                accept: 'application/atom+xml, application/xml;q=0.9',
              }),
            ),
    },
  ]
  const snippets = snippetsOf(app.client.root, address, method).map(({ title, text }) => ({
    title,
    content: () => copiedText(text, title),
  }))
  return el(
    'div',
    { class: 'exchange' },
    folded('Request and answer', () => tabs('Format of the answer', answers)),
    folded('Use this request', () => tabs('Language', snippets)),
  )
}

/** What somebody has opened stays open in the views that follow. */
const opened = new Set<string>()

/** Made when it is opened: answers can be long. */
function folded(title: string, make: () => HTMLElement): HTMLElement {
  const details = el('details', { open: opened.has(title), ontoggle: toggle }, el('summary', {}, title))
  function toggle(): void {
    if (details.open) opened.add(title)
    else opened.delete(title)
    if (details.open && details.childElementCount === 1) details.append(make())
  }
  return details
}

function answerText(exchange: Exchange): Node {
  const { method, address, requestHeaders, status, statusText, headers, text, milliseconds } = exchange
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? ''
  const request = [
    `${method} ${address === '' ? './/' : address}`,
    ...headerLines(Object.entries(requestHeaders)),
  ]
  const answer = [`${String(status)} ${statusText} (${milliseconds.toFixed(0)} ms)`, ...headerLines(headers)]
  return el(
    'div',
    { class: 'raw' },
    el('pre', { class: 'head', tabindex: 0 }, `${request.join('\n')}\n\n${answer.join('\n')}`),
    copiedText(readableText(text, type), 'the answer'),
  )
}

function headerLines(headers: readonly (readonly [string, string])[]): string[] {
  return headers.map(([name, value]) => `${name}: ${value}`)
}
