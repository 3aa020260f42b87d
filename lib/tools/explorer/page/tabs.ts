import { button } from './components.js'
import { el, fill, uniqueId } from './dom.js'

export interface Tab {
  readonly title: string
  /** Creates the content when the tab is first selected. */
  content(): Node | Promise<Node>
}

/** Tabs that the arrow keys switch. */
export function tabs(label: string, entries: readonly Tab[]): HTMLElement {
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
