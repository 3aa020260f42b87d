import type { Completion, Suggestion } from './completion.js'
import { el, fill, freshId } from './dom.js'

export interface CompletingInput {
  readonly element: HTMLElement
  readonly input: HTMLInputElement
}

/**
 * A field that knows what can be written in it. The arrow keys choose, Enter and Tab take, Escape closes.
 *
 * @param complete what can stand at the end of a text
 */
export function completingInput(
  attributes: Readonly<Record<string, string>>,
  complete: (textToCaret: string) => Completion,
): CompletingInput {
  const listId = freshId('list')
  const list = el('ul', { role: 'listbox', id: listId, class: 'suggestions', hidden: true })
  list.setAttribute('aria-label', 'Suggestions')
  const input = el('input', {
    ...attributes,
    type: 'text',
    role: 'combobox',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': listId,
    oninput: open,
    onclick: open,
    onkeydown: press,
    onblur: close,
  })
  let current: Completion = { from: 0, suggestions: [] }
  let chosen = -1

  function open(): void {
    const caret = input.selectionStart ?? input.value.length
    current = complete(input.value.slice(0, caret))
    fill(list, ...current.suggestions.map(option))
    show(current.suggestions.length > 0)
    choose(-1)
  }

  function option({ text, detail }: Suggestion, index: number): HTMLElement {
    const take = (event: Event): void => {
      // The field keeps the focus.
      event.preventDefault()
      accept(index)
    }
    return el(
      'li',
      { role: 'option', id: `${listId}-${String(index)}`, 'aria-selected': 'false', onmousedown: take },
      el('span', {}, text),
      el('small', {}, detail),
    )
  }

  function show(isOpen: boolean): void {
    list.hidden = !isOpen
    input.setAttribute('aria-expanded', String(isOpen))
  }

  function close(): void {
    show(false)
    choose(-1)
  }

  function choose(index: number): void {
    chosen = index
    for (const [at, one] of [...list.children].entries()) {
      one.setAttribute('aria-selected', String(at === index))
      if (at === index) one.scrollIntoView({ block: 'nearest' })
    }
    if (index < 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `${listId}-${String(index)}`)
  }

  function accept(index: number): void {
    const suggestion = current.suggestions[index]
    if (suggestion === undefined) return
    const caret = input.selectionStart ?? input.value.length
    const start = input.value.slice(0, current.from) + suggestion.text
    const at = start.length - (suggestion.back ?? 0)
    input.value = start + input.value.slice(caret)
    input.setSelectionRange(at, at)
    open()
  }

  function press(event: Event): void {
    if (!(event instanceof KeyboardEvent)) return
    const count = current.suggestions.length
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (list.hidden) open()
      else choose(event.key === 'ArrowDown' ? (chosen + 1) % count : (chosen <= 0 ? count : chosen) - 1)
    } else if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault()
      close()
    } else if ((event.key === 'Enter' || event.key === 'Tab') && !list.hidden && chosen >= 0) {
      event.preventDefault()
      accept(chosen)
    } else if (event.key === 'Enter') close()
  }

  return { element: el('div', { class: 'completing' }, input, list), input }
}
