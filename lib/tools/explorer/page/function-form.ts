import type { QueryOptions } from './address.js'
import { formatAddress, formatLiteral, parseLiteral } from './address.js'
import { el, uniqueId } from './dom.js'
import type { FunctionImport } from './model.js'
import { shortName } from './model.js'

/** Whether a function is called when its view opens: by GET only, and if the address has all required parameters. */
export function isCallable({ method, parameters }: FunctionImport, options: QueryOptions): boolean {
  return method === 'GET' && parameters.every(({ name, isNullable }) => isNullable || options.has(name))
}

/**
 * A form for the parameters of a function.
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
  const submit = (event: Event): void => {
    event.preventDefault()
    const values = parameters.map(({ name, type }, index) => {
      const value = inputs[index]?.value ?? ''
      return [name, value === '' ? '' : formatLiteral(type, value)] as const
    })
    call(formatAddress(path, new Map([...options, ...values])))
  }
  const result = returnType === '' ? 'nothing' : shortName(returnType)
  const summary = `${method}, returns ${isCollection ? `a list of ${result}` : result}`
  return el(
    'form',
    { class: 'query', 'aria-label': 'Parameters', onsubmit: submit },
    ...fields,
    el(
      'div',
      { class: 'row' },
      el('span', { class: 'note' }, summary),
      el('button', { type: 'submit', class: 'primary' }, 'Call'),
    ),
  )
}
