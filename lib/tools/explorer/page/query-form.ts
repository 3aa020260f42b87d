import type { QueryOptions, RelativeAddress } from './address.js'
import { formatAddress, resourceHash } from './address.js'
import type { App } from './app.js'
import { combobox } from './combobox.js'
import type { CompletedOption } from './completion.js'
import { complete } from './completion.js'
import type { Child } from './dom.js'
import { el, uniqueId } from './dom.js'
import { isNumberType } from './format.js'
import type { StructuralType } from './model.js'
import type { ServiceError } from './payload.js'

/** A form for the query options of a collection or an entity. */
export function queryForm(
  app: App,
  { path, options }: RelativeAddress,
  type: StructuralType,
  isCollection: boolean,
  error: ServiceError | undefined,
): HTMLElement {
  const names: readonly CompletedOption[] = isCollection
    ? ['$filter', '$orderby', '$expand', '$select']
    : ['$expand', '$select']
  const fields = names
    .filter((name) => name !== '$expand' || type.navigation.length > 0 || options.has(name))
    .map((name) => completedField(app, type, name, options.get(name) ?? '', error))
  const paging = isCollection ? pagingFields(options) : []
  const submitButton = el('button', { type: 'submit', class: 'primary' }, 'Run')
  const form = el(
    'form',
    { class: 'query', 'aria-label': 'Query options', onsubmit: submit },
    ...fields,
    el('div', { class: 'row' }, ...paging, submitButton),
  )

  function submit(event: Event): void {
    event.preventDefault()
    const inputs = [...form.querySelectorAll('input')]
    const values = inputs.map((input) => [input.name, valueOf(input)] as const)
    const shown = new Set(inputs.map(({ name }) => name))
    // Keeps options without a field, except the start of the current page.
    const others = [...options].filter(([name]) => !shown.has(name) && name !== '$skiptoken')
    app.navigate(resourceHash(formatAddress(path, [...values, ...others])))
  }

  if (isCollection) return form
  const isUsed = names.some((name) => options.has(name))
  return el('details', { class: 'folded', open: isUsed }, el('summary', {}, '$expand and $select'), form)
}

function valueOf(input: HTMLInputElement): string {
  return input.type === 'checkbox' && !input.checked ? '' : input.value.trim()
}

function completedField(
  app: App,
  type: StructuralType,
  name: CompletedOption,
  value: string,
  error: ServiceError | undefined,
): HTMLElement {
  const id = uniqueId('field')
  const errorId = uniqueId('error')
  const isInvalid = error?.option === name
  const { element } = combobox(
    {
      id,
      name,
      value,
      placeholder: exampleOf(name, type),
      'aria-invalid': isInvalid ? 'true' : undefined,
      'aria-describedby': isInvalid ? errorId : undefined,
    },
    (text) => complete(name, text, type, app.model),
  )
  return el(
    'div',
    { class: isInvalid ? 'field wrong' : 'field' },
    el('label', { for: id }, name),
    element,
    isInvalid ? el('p', { class: 'explanation', id: errorId }, ...errorExplanation(value, error)) : undefined,
  )
}

/** An example with the properties of the type. */
function exampleOf(name: CompletedOption, { keys, properties, navigation }: StructuralType): string {
  const [key = ''] = keys
  const number = properties.find((one) => isNumberType(one.type) && !one.isKey && !/ID$/i.test(one.name))
  const text = properties.find(({ type, isKey }) => type === 'Edm.String' && !isKey)?.name ?? key
  switch (name) {
    case '$filter':
      return number === undefined ? `startswith(${text},'A')` : `${number.name} gt 10`
    case '$orderby':
      return `${text} desc`
    case '$expand':
      return navigation[0]?.name ?? ''
    case '$select':
      return [...new Set([key, text])].join(',')
  }
}

/** The error message, and the value with a mark at the position of the error. */
function errorExplanation(value: string, { message, position }: ServiceError): readonly Child[] {
  const text = message.replace(/^\$\w+: /, '')
  if (position === undefined) return [text]
  const marked = value.slice(position).match(/^(?:\S+|\s+)/)?.[0] ?? ' '
  const rest = value.slice(position + marked.length)
  return [text, el('code', {}, value.slice(0, position), el('mark', {}, marked), rest)]
}

function pagingFields(options: QueryOptions): readonly HTMLElement[] {
  const numbers = ['$top', '$skip'].map((name) => {
    const value = options.get(name) ?? ''
    const attributes = { type: 'number', min: 0, step: 1, inputmode: 'numeric', name, value }
    return el('label', {}, el('span', {}, name), el('input', attributes))
  })
  const name = '$inlinecount'
  const checked = options.get(name) === 'allpages'
  const count = el('input', { type: 'checkbox', name, value: 'allpages', checked })
  return [...numbers, el('label', {}, count, el('span', {}, name))]
}
