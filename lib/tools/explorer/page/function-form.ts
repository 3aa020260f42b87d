import { el, freshId } from './dom.js'
import { literalOf, plainOf } from './literal.js'
import type { FunctionImport, Parameter } from './model.js'
import { shortName } from './model.js'
import type { QueryOptions } from './query-options.js'
import { writeAddress } from './query-options.js'

/**
 * Fields for the parameters of a function.
 *
 * @param call told of the address that calls it
 */
export function functionForm(
  called: FunctionImport,
  options: QueryOptions,
  call: (address: string) => void,
): HTMLElement {
  const fields = new Map<Parameter, HTMLInputElement>()
  const rows = called.parameters.map((parameter) => {
    const { name, type, isNullable } = parameter
    const id = freshId('parameter')
    const value = plainOf(type, options.get(name) ?? '')
    const input = el('input', { id, name, value, required: !isNullable, autocomplete: 'off' })
    fields.set(parameter, input)
    const label = el('label', { for: id }, name, el('small', {}, ` ${shortName(type)}`))
    return el('div', { class: 'field' }, label, input)
  })
  const submit = (event: Event): void => {
    event.preventDefault()
    const own = new Set(called.parameters.map(({ name }) => name))
    const given = [...fields].flatMap(([{ name, type }, { value }]) =>
      value === '' ? [] : [[name, literalOf(type, value)] as const],
    )
    const others = [...options].filter(([name]) => !own.has(name))
    call(writeAddress(called.path, [...given, ...others]))
  }
  const returned = called.returnType === '' ? 'nothing' : shortName(called.returnType)
  return el(
    'form',
    { class: 'query', 'aria-label': 'Parameters', onsubmit: submit },
    ...rows,
    el(
      'div',
      { class: 'row' },
      el(
        'span',
        { class: 'note' },
        `${called.method}, returns ${called.isCollection ? `a list of ${returned}` : returned}`,
      ),
      el('button', { type: 'submit', class: 'primary' }, 'Call'),
    ),
  )
}

/** Whether a function can be called as it stands in the address: nothing that it needs is missing. */
export function isCallable({ parameters }: FunctionImport, options: QueryOptions): boolean {
  return parameters.every(({ name, isNullable }) => isNullable || options.has(name))
}
