import { el, fill, freshId } from './dom.js'

export interface Tab {
  readonly title: string
  /** Made when it is first looked at. */
  content(): Node | Promise<Node>
}

/** Panels of which one is seen. The arrow keys go from tab to tab. */
export function tabs(label: string, entries: readonly Tab[]): HTMLElement {
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
