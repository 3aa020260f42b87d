import type { RelativeAddress } from './address.js'
import { formatAddress, resourceHash } from './address.js'
import type { App } from './app.js'
import { actions, button, lazyDetails, link } from './components.js'
import { el } from './dom.js'
import type { StructuralType } from './model.js'

/** Creates a list in which the user chooses and orders the columns of a table. They are the `$select` of its query. */
export function columnsPanel(app: App, address: RelativeAddress, type: StructuralType): HTMLElement {
  return lazyDetails('Columns', () => columnList(app, address, type))
}

function columnList(app: App, { path, options }: RelativeAddress, type: StructuralType): HTMLElement {
  const names = type.properties.map(({ name }) => name)
  const split = (option: string): readonly string[] =>
    (options.get(option) ?? '').split(',').filter((one) => one.trim() !== '')
  const selected = split('$select')
  const chosen = selected.length === 0 || selected.includes('*') ? names : selected
  // Expanded entities have to be selected, too.
  const others = selected.length === 0 ? split('$expand') : selected.filter((one) => !names.includes(one))
  const shown = chosen.filter((name) => names.includes(name))
  const list = el('ol', { class: 'choices' })
  list.append(...[...shown, ...names.filter((name) => !shown.includes(name))].map(item))

  function item(name: string): HTMLElement {
    const box = el('input', { type: 'checkbox', value: name, checked: shown.includes(name) })
    const row = el('li', {}, el('label', {}, box, name))
    const move = (text: string, direction: string, sibling: () => Element | null): HTMLElement => {
      const mover = button(text, moved, { 'aria-label': `Move ${name} ${direction}` })
      function moved(): void {
        const other = sibling()
        if (direction === 'up') other?.before(row)
        else other?.after(row)
        // Moving an element removes its focus.
        mover.focus()
        app.announce(`${name} is column ${String([...list.children].indexOf(row) + 1)}`)
      }
      return mover
    }
    row.append(
      move('↑', 'up', () => row.previousElementSibling),
      move('↓', 'down', () => row.nextElementSibling),
    )
    return row
  }

  function show(): void {
    const boxes = [...list.querySelectorAll('input')].filter(({ checked }) => checked)
    const columns = boxes.map(({ value }) => value)
    const select = columns.join() === names.join() ? '' : [...columns, ...others].join(',')
    app.navigate(resourceHash(formatAddress(path, new Map(options).set('$select', select))))
  }

  const all = new Map(options).set('$select', '')
  return el(
    'div',
    {},
    list,
    actions(
      button('Show columns', show, { class: 'primary' }),
      link(resourceHash(formatAddress(path, all)), 'All columns', { class: 'button' }),
    ),
  )
}
