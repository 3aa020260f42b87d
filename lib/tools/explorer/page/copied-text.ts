import { el } from './dom.js'

/** A text to be taken along, with a button that does so. */
export function copiedText(text: string, what: string): HTMLElement {
  const button = el('button', { type: 'button', class: 'copy', onclick: () => void copy() }, 'Copy')
  button.setAttribute('aria-label', `Copy ${what}`)
  const area = el('pre', { tabindex: 0 }, text)

  async function copy(): Promise<void> {
    // The clipboard is there for secure origins only; everywhere else the text can be marked.
    const clipboard = (navigator as { clipboard?: Clipboard }).clipboard
    const isCopied = clipboard !== undefined && (await clipboard.writeText(text).then(yes, no))
    if (!isCopied) getSelection()?.selectAllChildren(area)
    button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C'
    setTimeout(() => (button.textContent = 'Copy'), 2000)
  }

  return el('div', { class: 'copied' }, button, area)
}

const yes = (): boolean => true
const no = (): boolean => false
