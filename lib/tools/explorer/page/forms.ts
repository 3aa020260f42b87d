import type { QueryOptions, RelativeAddress } from './address.js'
import { formatAddress, formatLiteral, parseLiteral, resourceHash } from './address.js'
import type { App } from './app.js'
import { combobox } from './components.js'
import type { CompletedOption } from './completion.js'
import { complete } from './completion.js'
import { withCondition } from './conditions.js'
import type { Child } from './dom.js'
import { el, uniqueId } from './dom.js'
import { facets } from './facets.js'
import { filterBuilder } from './filter-builder.js'
import { isNumberType } from './format.js'
import type { FunctionImport, StructuralType } from './model.js'
import { shortName } from './model.js'
import type { ServiceError } from './payload.js'

/** Creates a form for the query options of a collection or an entity. */
export function queryForm(
  app: App,
  { path, options }: RelativeAddress,
  type: StructuralType,
  isCollection: boolean,
  error: ServiceError | undefined,
  isSearchable: boolean,
): HTMLElement {
  const names: readonly CompletedOption[] = isCollection
    ? ['$filter', '$orderby', '$expand', '$select']
    : ['$expand', '$select']
  const fields = names
    .filter((name) => name !== '$expand' || type.navigation.length > 0 || options.has(name))
    .map((name) => completedField(app, type, name, options.get(name) ?? '', error))
  const paging = isCollection ? pagingFields(options) : []
  const search = isCollection && isSearchable ? [searchField(options)] : []
  const suggest = facets(app, { path, options }, type)
  const builder = isCollection ? filterBuilder(type, suggest, addCondition) : undefined
  const above = builder === undefined ? fields : [fields[0], builder, ...fields.slice(1)]
  const form = createForm('Query options', [...search, ...above], paging, 'Run', run)

  /** Adds a condition to the filter, and shows its entities. */
  function addCondition(condition: string): void {
    const filter = form.querySelector<HTMLInputElement>('input[name="$filter"]')
    if (filter === null) return
    filter.value = withCondition(filter.value.trim(), condition)
    run()
  }

  function run(): void {
    const inputs = [...form.querySelectorAll<HTMLInputElement>('input[name]')]
    const values = inputs.map((input) => [input.name, valueOf(input)] as const)
    const names = new Set(inputs.map(({ name }) => name))
    // Keeps options without a field, except the start of the current page.
    const others = [...options].filter(([name]) => !names.has(name) && name !== '$skiptoken')
    app.navigate(resourceHash(formatAddress(path, [...values, ...others])))
  }

  // On phones, the entities come first.
  if (isCollection && matchMedia('(min-width: 40rem)').matches) return form
  const open = isCollection ? error !== undefined : names.some((name) => options.has(name))
  const summary = isCollection ? 'Query' : '$expand and $select'
  return el('details', { class: 'folded', open }, el('summary', {}, summary), form)
}

function createForm(
  label: string,
  fields: readonly Child[],
  footer: readonly HTMLElement[],
  submitText: string,
  submit: () => void,
): HTMLFormElement {
  const onsubmit = (event: Event): void => {
    event.preventDefault()
    submit()
  }
  const submitButton = el('button', { type: 'submit', class: 'primary' }, submitText)
  return el(
    'form',
    { class: 'query', 'aria-label': label, onsubmit },
    ...fields,
    el('div', { class: 'row' }, ...footer, submitButton),
  )
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
  const ownError = error?.option === name ? error : undefined
  const placeholder = exampleOf(name, type)
  const attributes = { id, name, value, placeholder, 'aria-invalid': ownError && 'true' }
  const { element, input } = combobox(attributes, (text) => complete(name, text, type, app.model))
  const field = el('div', { class: 'field' }, el('label', { for: id }, name), element)
  if (ownError !== undefined) {
    const errorId = uniqueId('error')
    field.classList.add('wrong')
    field.append(el('p', { class: 'explanation', id: errorId }, ...errorExplanation(value, ownError)))
    input.setAttribute('aria-describedby', errorId)
  }
  return field
}

/** Creates an example with the properties of the type. */
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

/** Returns the error message, and the value with a mark at the position of the error. */
function errorExplanation(value: string, { message, position }: ServiceError): readonly Child[] {
  const text = message.replace(/^\$\w+: /, '')
  if (position === undefined) return [text]
  const marked = value.slice(position).match(/^(?:\S+|\s+)/)?.[0] ?? ' '
  const rest = value.slice(position + marked.length)
  return [text, el('code', {}, value.slice(0, position), el('mark', {}, marked), rest)]
}

function searchField(options: QueryOptions): HTMLElement {
  const id = uniqueId('field')
  const attributes = { id, type: 'search', name: 'search', value: options.get('search') ?? '' }
  return el('div', { class: 'field' }, el('label', { for: id }, 'search'), el('input', attributes))
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

/**
 * Returns true if a function is called when its view opens: by GET only, and if the address has all required
 * parameters.
 */
export function isCallable({ method, parameters }: FunctionImport, options: QueryOptions): boolean {
  return method === 'GET' && parameters.every(({ name, isNullable }) => isNullable || options.has(name))
}

/**
 * Creates a form for the parameters of a function.
 *
 * @param call called with the address of the function and its parameters
 */
export function functionForm(
  { path, method, parameters, returnType, isCollection }: FunctionImport,
  options: QueryOptions,
  call: (address: string) => void,
): HTMLElement {
  const inputs = parameters.map(({ name, type, isNullable }) => {
    const value = parseLiteral(type, options.get(name) ?? '')
    const id = uniqueId('parameter')
    return el('input', { id, name, value, required: !isNullable, autocomplete: 'off' })
  })
  const fields = parameters.map(({ name, type }, index) => {
    const input = inputs[index]
    const label = el('label', { for: input?.id }, name, el('small', {}, ` ${shortName(type)}`))
    return el('div', { class: 'field' }, label, input)
  })
  const result = returnType === '' ? 'nothing' : shortName(returnType)
  const signature = `${method}, returns ${isCollection ? `a list of ${result}` : result}`
  const footer = [el('span', { class: 'note' }, signature)]
  return createForm('Parameters', fields, footer, 'Call', () => {
    const values = parameters.map(({ name, type }, index) => {
      const value = inputs[index]?.value ?? ''
      return [name, value === '' ? '' : formatLiteral(type, value)] as const
    })
    call(formatAddress(path, new Map([...options, ...values])))
  })
}
