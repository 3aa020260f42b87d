import type { RelativeAddress } from './address.js'
import type { App } from './app.js'
import { button, code } from './components.js'
import { el, fill, uniqueId } from './dom.js'
import { formatDocument } from './format.js'
import type { Exchange } from './service-client.js'
import { createSnippets } from './snippets.js'

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
    lazyDetails('Code samples', () => tabs('Language', snippets)),
  )
}

/** Titles of the details that are open, so that they are open in the next view, too. */
const openDetails = new Set<string>()

/** Creates its content when it is opened, because responses can be long. */
function lazyDetails(title: string, createContent: () => HTMLElement): HTMLElement {
  const details = el('details', { open: openDetails.has(title), ontoggle: toggle }, el('summary', {}, title))
  function toggle(): void {
    if (details.open) openDetails.add(title)
    else openDetails.delete(title)
    if (details.open && details.childElementCount === 1) details.append(createContent())
  }
  return details
}

function exchangeText(exchange: Exchange): Node {
  const { method, address, requestHeaders, status, statusText, headers, text, milliseconds } = exchange
  const head = [
    `${method} ${address === '' ? './' : address}`,
    ...headerLines(Object.entries(requestHeaders)),
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

interface Tab {
  readonly title: string
  /** Creates the content when the tab is first selected. */
  content(): Node | Promise<Node>
}

/** Tabs that the arrow keys switch. */
function tabs(label: string, entries: readonly Tab[]): HTMLElement {
  const panel = el('div', { role: 'tabpanel', id: uniqueId('panel'), tabindex: 0 })
  const contents = new Map<Tab, Node>()
  const buttons = entries.map((entry, index) =>
    button(entry.title, () => void select(index), {
      role: 'tab',
      id: uniqueId('tab'),
      'aria-controls': panel.id,
    }),
  )
  let selected = 0

  async function select(index: number): Promise<void> {
    const entry = entries[index]
    if (entry === undefined) return
    selected = index
    for (const [at, tab] of buttons.entries()) {
      tab.setAttribute('aria-selected', String(at === index))
      tab.tabIndex = at === index ? 0 : -1
    }
    panel.setAttribute('aria-labelledby', buttons[index]?.id ?? '')
    const content = contents.get(entry) ?? entry.content()
    if (content instanceof Promise) fill(panel, el('p', { class: 'loading' }, 'Loading…'))
    const node = await content
    contents.set(entry, node)
    if (selected === index) fill(panel, node)
  }

  function press(event: Event): void {
    if (!(event instanceof KeyboardEvent)) return
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (selected + step + buttons.length) % buttons.length
    void select(next)
    buttons[next]?.focus()
  }

  void select(0)
  const list = el('div', { role: 'tablist', 'aria-label': label, onkeydown: press }, ...buttons)
  return el('div', { class: 'tabs' }, list, panel)
}
