import type { RelativeAddress } from './address.js'
import type { App } from './app.js'
import { alert, button, code, lazyDetails } from './components.js'
import { el, fill } from './dom.js'
import { explainView } from './explain-view.js'
import { formatDocument } from './format.js'
import type { Exchange } from './service-client.js'
import { createSnippets } from './snippets.js'
import { tabs } from './tabs.js'

/** Returns the request of a view, its response in JSON and Atom, and code samples that send the same request. */
export function exchangePanel(app: App, exchange: Exchange, address: RelativeAddress): HTMLElement {
  const method = exchange.method === 'POST' ? 'POST' : 'GET'
  const atom = async (): Promise<Node> => {
    // POST can change data, so it is not repeated for display.
    if (method === 'POST') return el('p', {}, 'Not available, because POST requests are not repeated.')
    const accept = 'application/atom+xml, application/xml;q=0.9'
    return exchangeText(await app.client.send(exchange.address, { accept }))
  }
  const formats = [
    { title: 'JSON', content: () => exchangeText(exchange) },
    { title: 'Atom', content: atom },
  ]
  const snippets = createSnippets(app.client.root, address, method).map(({ title, text }) => ({
    title,
    content: () => copyableText(text, title),
  }))
  return el(
    'div',
    { class: 'exchange' },
    lazyDetails('Request and response', () => tabs('Response format', formats)),
    app.canExplain && method === 'GET' && exchange.status < 400
      ? lazyDetails('Evaluation', () => loaded(explainView(app, exchange.address)))
      : undefined,
    lazyDetails('Code samples', () => tabs('Language', snippets)),
  )
}

/** Shows that the content is loading until it is there. */
function loaded(content: Promise<Node>): HTMLElement {
  const element = el('div', {}, el('p', { class: 'loading' }, 'Loading…'))
  const failed = (error: unknown): Node => alert(error instanceof Error ? error.message : String(error))
  void content.catch(failed).then((node) => fill(element, node))
  return element
}

/** Creates the text of a request, with its body, and of its response. */
export function exchangeText(exchange: Exchange, body = ''): Node {
  const { method, address, requestHeaders, status, statusText, headers, text, milliseconds } = exchange
  const head = [
    `${method} ${address === '' ? './' : address}`,
    ...headerLines(Object.entries(requestHeaders)),
    ...(body === '' ? [] : ['', body]),
    '',
    `${String(status)} ${statusText} (${milliseconds.toFixed(0)} ms)`,
    ...headerLines(headers),
  ]
  return el(
    'div',
    { class: 'raw' },
    el('pre', { class: 'head', tabindex: 0 }, head.join('\n')),
    copyableText(formatDocument(text, headers.get('content-type') ?? ''), 'the response'),
  )
}

function headerLines(headers: Iterable<readonly [string, string]>): string[] {
  return [...headers].map(([name, value]) => `${name}: ${value}`)
}

function copyableText(text: string, label: string): HTMLElement {
  const copyButton = button('Copy', () => void copy(), { class: 'copy', 'aria-label': `Copy ${label}` })
  const pre = code(text)

  async function copy(): Promise<void> {
    // Insecure origins have no clipboard: select the text instead.
    const clipboard = (navigator as { clipboard?: Clipboard }).clipboard
    const copying = clipboard?.writeText(text) ?? Promise.reject(new Error('The clipboard is not available.'))
    const isCopied = await copying.then(
      () => true,
      () => false,
    )
    if (!isCopied) getSelection()?.selectAllChildren(pre)
    copyButton.textContent = isCopied ? 'Copied' : 'Press Ctrl+C'
    setTimeout(() => (copyButton.textContent = 'Copy'), 2000)
  }

  return el('div', { class: 'copied' }, copyButton, pre)
}
