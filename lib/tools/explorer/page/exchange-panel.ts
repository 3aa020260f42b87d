import type { App } from './app.js'
import { el, fill, freshId } from './dom.js'
import type { RelativeAddress } from './query-options.js'
import { readableText } from './raw-text.js'
import type { Exchange } from './service-client.js'
import { snippetsOf } from './snippets.js'

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
    `${method} ${address === '' ? './' : address}`,
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

/** A text to be taken along, with a button that does so. */
function copiedText(text: string, what: string): HTMLElement {
  const button = el('button', { type: 'button', class: 'copy', onclick: () => void copy() }, 'Copy')
  button.setAttribute('aria-label', `Copy ${what}`)
  const area = el('pre', { tabindex: 0 }, text)

  async function copy(): Promise<void> {
    // The clipboard is there for secure origins only; everywhere else the text can be marked.
    const clipboard = (navigator as { clipboard?: Clipboard }).clipboard
    const isCopied = clipboard !== undefined && (await clipboard.writeText(text).then(yes, no))
    if (!isCopied) getSelection()?.selectAllChildren(area)
    button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C'
    setTimeout(() => (button.textContent = 'Copy'), 2000)
  }

  return el('div', { class: 'copied' }, button, area)
}

const yes = (): boolean => true

const no = (): boolean => false

interface Tab {
  readonly title: string
  /** Made when it is first looked at. */
  content(): Node | Promise<Node>
}

/** Panels of which one is seen. The arrow keys go from tab to tab. */
function tabs(label: string, entries: readonly Tab[]): HTMLElement {
  const panel = el('div', { role: 'tabpanel', id: freshId('panel'), tabindex: 0 })
  const made = new Map<Tab, Node>()
  const buttons = entries.map((entry, index) =>
    el(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: freshId('tab'),
        'aria-controls': panel.id,
        onclick: () => void select(index),
      },
      entry.title,
    ),
  )
  const list = el('div', { role: 'tablist', 'aria-label': label, onkeydown: move }, ...buttons)
  let selected = 0

  async function select(index: number): Promise<void> {
    selected = index
    buttons.forEach((button, at) => {
      button.setAttribute('aria-selected', String(at === index))
      button.tabIndex = at === index ? 0 : -1
    })
    panel.setAttribute('aria-labelledby', buttons[index]?.id ?? '')
    const entry = entries[index]
    if (entry === undefined) return
    let content = made.get(entry)
    if (content === undefined) {
      const coming = entry.content()
      if (coming instanceof Promise) fill(panel, el('p', { class: 'loading' }, 'Loading…'))
      content = await coming
      made.set(entry, content)
    }
    if (selected === index) fill(panel, content)
  }

  function move(event: Event): void {
    if (!(event instanceof KeyboardEvent)) return
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (selected + step + buttons.length) % buttons.length
    void select(next)
    buttons[next]?.focus()
  }

  void select(0)
  return el('div', { class: 'tabs' }, list, panel)
}
