import { typeHash } from './address.js'
import type { App } from './app.js'
import type { Attributes, Child } from './dom.js'
import { el, svg, fill, uniqueId } from './dom.js'
import { shortName } from './model.js'
import type { Completion, Suggestion } from './completion.js'

export function link(
  href: string,
  content: Child | readonly Child[],
  attributes: Attributes = {},
): HTMLAnchorElement {
  return el('a', { href, ...attributes }, ...[content].flat())
}

export function typeLink(qualifiedName: string): HTMLAnchorElement {
  return link(typeHash(qualifiedName), shortName(qualifiedName))
}

export function button(text: string, onclick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return el('button', { type: 'button', onclick, ...attributes }, text)
}

/** Returns the heading of a view, which gets the focus when the view opens. */
export function title(text: string, ...badges: readonly Child[]): HTMLElement {
  return el('div', { class: 'title' }, el('h1', { tabindex: -1 }, text), ...badges)
}

export function note(text: string): HTMLElement {
  return el('p', { class: 'note' }, text)
}

/** Creates a description of an element of the model; undefined when it is empty. */
export function about(text: string, tag: 'p' | 'span' = 'p'): HTMLElement | undefined {
  return text === '' ? undefined : el(tag, { class: 'about' }, text)
}

/** Links and buttons in a row. */
export function actions(...children: readonly Child[]): HTMLElement {
  return el('p', { class: 'actions' }, ...children)
}

/** Creates an error message, which screen readers announce. */
export function alert(text: string, heading?: string): HTMLElement {
  const strong = heading === undefined ? undefined : el('strong', {}, heading)
  return el('div', { class: 'problem', role: 'alert' }, strong, el('p', {}, text))
}

/** Creates preformatted text, focusable so that it can be scrolled by keyboard. */
export function code(text: string): HTMLElement {
  return el('pre', { tabindex: 0 }, text)
}

export function list(attributes: Attributes, items: readonly Child[]): HTMLElement {
  return el('ul', attributes, ...items.map((item) => el('li', {}, item)))
}

/** Titles of the details that are open, so that they are open in the next view, too. */
const openDetails = new Set<string>()

/** Creates its content when it is opened, because responses can be long. */
export function lazyDetails(title: string, createContent: () => HTMLElement): HTMLElement {
  const attributes = { class: 'panel', open: openDetails.has(title), ontoggle: toggle }
  const details = el('details', attributes, el('summary', {}, title))
  function toggle(): void {
    if (details.open) openDetails.add(title)
    else openDetails.delete(title)
    if (details.open && details.childElementCount === 1) details.append(createContent())
  }
  return details
}

/**
 * Creates a table that scrolls horizontally.
 *
 * @param columns headings: text, or `th` and `td` elements
 * @param rows `tr` elements, or the contents of cells: the first one becomes the heading of its row
 */
export function table(
  label: string,
  columns: readonly (string | HTMLElement)[],
  rows: readonly (HTMLTableRowElement | readonly Child[])[],
  attributes: Attributes = {},
): HTMLElement {
  const head = columns.map((column) =>
    typeof column === 'string' ? el('th', { scope: 'col' }, column) : column,
  )
  const body = rows.map((row) => (row instanceof HTMLTableRowElement ? row : tableRow(row)))
  return el(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label },
    el('table', attributes, el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...body)),
  )
}

function tableRow([heading, ...cells]: readonly Child[]): HTMLTableRowElement {
  return el('tr', {}, el('th', { scope: 'row' }, heading), ...cells.map((cell) => el('td', {}, cell)))
}

/**
 * Creates a search field that hides the elements whose text does not contain the input.
 *
 * @param textOf the lower-case text of an element
 */
export function filterField(
  label: string,
  elements: () => Iterable<HTMLElement>,
  textOf = (element: HTMLElement): string => element.textContent.toLowerCase(),
): HTMLInputElement {
  const field = el('input', { type: 'search', placeholder: label, 'aria-label': label, oninput: filter })
  function filter(): void {
    const wanted = field.value.toLowerCase()
    for (const element of elements()) element.hidden = !textOf(element).includes(wanted)
  }
  return field
}

/** Creates links to connection files for Excel and Power BI, for one entity set or for all. */
export function connectionLinks(app: App, setPath?: string): HTMLElement {
  const file = app.ownRoot + (setPath === undefined ? 'service' : `sets/${encodeURIComponent(setPath)}`)
  return actions(
    'Open in ',
    link(`${file}.odc`, 'Excel (.odc)', { class: 'button', download: true }),
    link(`${file}.pbids`, 'Power BI (.pbids)', { class: 'button', download: true }),
  )
}

const ICONS = {
  folder: 'M1.5 4.5v8h13v-7h-6.5l-1.5-1.5h-5z',
  file: 'M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3',
  image: 'M1.5 2.5h13v11h-13zM2 11.5l4-4 3 3 2-2 3.5 3.5M11 5.5h.01',
  text: 'M3.5 1.5h9v13h-9zM5.5 5h5M5.5 8h5M5.5 11h3',
  download: 'M8 2v8M4.5 7L8 10.5 11.5 7M2.500 13.5h11',
} as const

/** Creates a decorative icon, hidden from screen readers. */
export function icon(name: keyof typeof ICONS): SVGElement {
  const attributes = { class: `icon ${name}`, viewBox: '0 0 16 16', width: 16, height: 16 }
  return svg('svg', { ...attributes, 'aria-hidden': 'true' }, svg('path', { d: ICONS[name] }))
}

export interface Combobox {
  readonly element: HTMLElement
  readonly input: HTMLInputElement
}

/**
 * Creates a text field with suggestions. The arrow keys select one, Enter and Tab accept it, Escape closes the list.
 *
 * @param complete returns the suggestions for the text before the caret
 */
export function combobox(
  attributes: Attributes,
  complete: (text: string) => Completion | Promise<Completion>,
): Combobox {
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
    oninput: () => void open(),
    onclick: () => void open(),
    onkeydown: press,
    onblur: close,
  })
  let current: Completion = { from: 0, suggestions: [] }
  let selected = -1
  let requests = 0

  async function open(): Promise<void> {
    const request = ++requests
    const completion = complete(input.value.slice(0, caret()))
    const completed = completion instanceof Promise ? await completion : completion
    if (request !== requests) return
    current = completed
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

  /** Closes the list, and does not open it for suggestions that are still loading. */
  function close(): void {
    requests++
    show(false)
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
    if (suggestion.isWhole === true) {
      input.value = suggestion.text
      suggestion.onAccept?.()
      input.dispatchEvent(new Event('change', { bubbles: true }))
      close()
      return
    }
    const start = input.value.slice(0, current.from) + suggestion.text
    const position = start.length - (suggestion.back ?? 0)
    input.value = start + input.value.slice(caret())
    input.setSelectionRange(position, position)
    void open()
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
    else if (isClosed || key === 'Enter') close()
    else if (isArrow && list.hidden) void open()
    else if (isArrow)
      select(key === 'ArrowDown' ? (selected + 1) % count : (selected <= 0 ? count : selected) - 1)
  }

  return { element: el('div', { class: 'completing' }, input, list), input }
}
