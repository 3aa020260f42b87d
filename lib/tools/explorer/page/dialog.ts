import { button } from './components.js'
import type { Child } from './dom.js'
import { el, uniqueId } from './dom.js'

/**
 * Asks the user in a dialog, which is removed when it closes.
 *
 * @param submitText text of the button that accepts
 * @returns the values of the named fields; undefined if the user cancels
 */
export function ask(
  title: string,
  submitText: string,
  ...content: readonly Child[]
): Promise<ReadonlyMap<string, string> | undefined> {
  const id = uniqueId('dialog')
  return new Promise((resolve) => {
    const form = el(
      'form',
      { method: 'dialog' },
      el('h2', { id }, title),
      ...content,
      el(
        'p',
        { class: 'actions' },
        el('button', { type: 'submit', class: 'primary', value: 'accepted' }, submitText),
        button('Cancel', () => dialog.close()),
      ),
    )
    const dialog = el('dialog', { 'aria-labelledby': id, onclose: finish }, form)

    function finish(): void {
      const fields = [...form.querySelectorAll('input')].map(({ name, value }) => [name, value] as const)
      const isAccepted = dialog.returnValue === 'accepted'
      dialog.remove()
      resolve(isAccepted ? new Map(fields) : undefined)
    }

    document.body.append(dialog)
    dialog.showModal()
  })
}

/** Creates a labelled text field of a dialog. */
export function dialogField(
  name: string,
  label: string,
  type: 'text' | 'password' = 'text',
  autocomplete = 'off',
): HTMLElement {
  const id = uniqueId('field')
  const input = el('input', { id, name, type, autocomplete, required: true })
  return el('div', { class: 'field' }, el('label', { for: id }, label), input)
}
