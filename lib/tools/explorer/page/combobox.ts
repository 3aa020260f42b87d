import type { Completion, Suggestion } from './completion.js'
import type { Attributes } from './dom.js'
import { el, fill, uniqueId } from './dom.js'

export interface Combobox {
  readonly element: HTMLElement
  readonly input: HTMLInputElement
}

/**
 * Creates a text field with suggestions. The arrow keys select one, Enter and Tab accept it, Escape closes the list.
 *
 * @param complete returns the suggestions for the text before the caret
 */
export function combobox(attributes: Attributes, complete: (text: string) => Completion): Combobox {
  const listId = uniqueId('list')
  const list = el('ul', {
    role: 'listbox',
    id: listId,
    class: 'suggestions',
    hidden: true,
    'aria-label': 'Suggestions',
  })
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
    onblur: () => show(false),
  })
  let current: Completion = { from: 0, suggestions: [] }
  let selected = -1

  function open(): void {
    current = complete(input.value.slice(0, caret()))
    fill(list, ...current.suggestions.map(option))
    show(current.suggestions.length > 0)
  }

  function option({ text, detail }: Suggestion, index: number): HTMLElement {
    const onmousedown = (event: Event): void => {
      // Keeps the focus in the field.
      event.preventDefault()
      accept(index)
    }
    return el(
      'li',
      { role: 'option', id: `${listId}-${String(index)}`, 'aria-selected': 'false', onmousedown },
      el('span', {}, text),
      el('small', {}, detail),
    )
  }

  function caret(): number {
    return input.selectionStart ?? input.value.length
  }

  function show(isOpen: boolean): void {
    list.hidden = !isOpen
    input.setAttribute('aria-expanded', String(isOpen))
    select(-1)
  }

  function select(index: number): void {
    selected = index
    for (const [at, item] of [...list.children].entries()) {
      item.setAttribute('aria-selected', String(at === index))
      if (at === index) item.scrollIntoView({ block: 'nearest' })
    }
    if (index < 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `${listId}-${String(index)}`)
  }

  function accept(index: number): void {
    const suggestion = current.suggestions[index]
    if (suggestion === undefined) return
    const start = input.value.slice(0, current.from) + suggestion.text
    const position = start.length - (suggestion.back ?? 0)
    input.value = start + input.value.slice(caret())
    input.setSelectionRange(position, position)
    open()
  }

  function press(event: Event): void {
    if (!(event instanceof KeyboardEvent)) return
    const { key } = event
    const count = current.suggestions.length
    const isAccepted = (key === 'Enter' || key === 'Tab') && !list.hidden && selected >= 0
    const isClosed = key === 'Escape' && !list.hidden
    const isArrow = key === 'ArrowDown' || key === 'ArrowUp'
    if (isArrow || isAccepted || isClosed) event.preventDefault()
    if (isAccepted) accept(selected)
    else if (isClosed || key === 'Enter') show(false)
    else if (isArrow && list.hidden) open()
    else if (isArrow)
      select(key === 'ArrowDown' ? (selected + 1) % count : (selected <= 0 ? count : selected) - 1)
  }

  return { element: el('div', { class: 'completing' }, input, list), input }
}
