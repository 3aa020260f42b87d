import type { App } from './app.js'
import type { CompletedOption, Completion, Suggestion } from './completion.js'
import { complete } from './completion.js'
import { el, freshId, fill } from './dom.js'
import type { StructuralType } from './model.js'
import type { Problem } from './problem.js'
import type { QueryOptions, RelativeAddress } from './query-options.js'
import { writeAddress } from './query-options.js'
import { resourceHash } from './router.js'
import { isNumberType } from './values.js'

/** Fields for the query options of a collection or an entity; what they make is an address. */
export function queryForm(
  app: App,
  { path, options }: RelativeAddress,
  type: StructuralType,
  isCollection: boolean,
  problem: Problem | undefined,
): HTMLElement {
  const fields = new Map<string, HTMLInputElement>()
  const completed: readonly CompletedOption[] = isCollection
    ? ['$filter', '$orderby', '$expand', '$select']
    : ['$expand', '$select']
  const useful = completed.filter(
    (name) => name !== '$expand' || type.navigation.length > 0 || options.has(name),
  )
  const rows = useful.map((name) => completedField(app, type, name, options, problem, fields))
  const paging = isCollection ? pagingFields(options, fields) : []
  const form = el(
    'form',
    { class: 'query', 'aria-label': 'Query options', onsubmit: submit },
    ...rows,
    el('div', { class: 'row' }, ...paging, el('button', { type: 'submit', class: 'primary' }, 'Run')),
  )

  function submit(event: Event): void {
    event.preventDefault()
    const given = [...fields].map(([name, field]) => [name, valueOf(field)] as const)
    // What the form knows nothing of stays, but for the place at which a page started.
    const others = [...options].filter(([name]) => !fields.has(name) && name !== '$skiptoken')
    app.go(resourceHash(writeAddress(path, [...given, ...others])))
  }

  if (isCollection) return form
  const isUsed = completed.some((name) => options.has(name))
  return el('details', { class: 'folded', open: isUsed }, el('summary', {}, '$expand and $select'), form)
}

function completedField(
  app: App,
  type: StructuralType,
  name: CompletedOption,
  options: QueryOptions,
  problem: Problem | undefined,
  fields: Map<string, HTMLInputElement>,
): HTMLElement {
  const id = freshId('field')
  const { element, input } = completingInput({ id, name, placeholder: exampleOf(name, type) }, (text) =>
    complete(name, text, type, app.model),
  )
  input.value = options.get(name) ?? ''
  fields.set(name, input)
  const isWrong = problem?.option === name
  const row = el('div', { class: isWrong ? 'field wrong' : 'field' }, el('label', { for: id }, name), element)
  if (isWrong) {
    const explanation = el(
      'p',
      { class: 'explanation', id: freshId('problem') },
      ...markedPlace(input.value, problem),
    )
    input.setAttribute('aria-invalid', 'true')
    input.setAttribute('aria-describedby', explanation.id)
    row.append(explanation)
  }
  return row
}

/** Something that could be asked of these very entities. */
function exampleOf(name: CompletedOption, { keys, properties, navigation }: StructuralType): string {
  const [key = ''] = keys
  const number = properties.find(
    (one) => isNumberType(one.type) && !one.isKey && !/ID$/i.test(one.name),
  )?.name
  const text = properties.find(({ type, isKey }) => type === 'Edm.String' && !isKey)?.name ?? key
  switch (name) {
    case '$filter':
      return number === undefined ? `startswith(${text},'A')` : `${number} gt 10`
    case '$orderby':
      return `${text} desc`
    case '$expand':
      return navigation[0]?.name ?? ''
    case '$select':
      return [...new Set([key, text])].join(',')
  }
}

/** The text of the field once more, with the place marked that the service stumbled over. */
function markedPlace(value: string, { message, position }: Problem): readonly (Node | string)[] {
  const text = message.replace(/^\$\w+: /, '')
  if (position === undefined) return [text]
  const wrong = value.slice(position).match(/^(?:\S+|\s+)/)?.[0] ?? ' '
  return [
    text,
    el('code', {}, value.slice(0, position), el('mark', {}, wrong), value.slice(position + wrong.length)),
  ]
}

function pagingFields(options: QueryOptions, fields: Map<string, HTMLInputElement>): HTMLElement[] {
  const number = (name: string): HTMLElement => {
    const field = el('input', {
      type: 'number',
      min: 0,
      step: 1,
      inputmode: 'numeric',
      name,
      value: options.get(name) ?? '',
    })
    fields.set(name, field)
    return el('label', {}, el('span', {}, name), field)
  }
  const count = el('input', {
    type: 'checkbox',
    name: '$inlinecount',
    value: 'allpages',
    checked: options.get('$inlinecount') === 'allpages',
  })
  fields.set('$inlinecount', count)
  return [number('$top'), number('$skip'), el('label', {}, count, el('span', {}, '$inlinecount'))]
}

function valueOf(field: HTMLInputElement): string {
  return field.type === 'checkbox' && !field.checked ? '' : field.value.trim()
}

interface CompletingInput {
  readonly element: HTMLElement
  readonly input: HTMLInputElement
}

/**
 * A field that knows what can be written in it. The arrow keys choose, Enter and Tab take, Escape closes.
 *
 * @param complete what can stand at the end of a text
 */
function completingInput(
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
