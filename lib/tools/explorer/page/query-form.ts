import type { App } from './app.js'
import type { CompletedOption } from './completion.js'
import { complete } from './completion.js'
import { completingInput } from './completing-input.js'
import { el, freshId } from './dom.js'
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
