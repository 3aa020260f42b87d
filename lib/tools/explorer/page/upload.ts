import type { App } from './app.js'
import { alert, button } from './components.js'
import { el, fill, uniqueId } from './dom.js'
import { formatSize } from './format.js'
import { errorOf } from './payload.js'
import type { Exchange } from './service-client.js'

/**
 * Creates a form that sends the bytes of a file, with its progress.
 *
 * @param method POST for a new media link entry, PUT for the content of an existing one
 * @param address relative to the service root
 */
export function uploadForm(
  app: App,
  method: 'POST' | 'PUT',
  address: string,
  done: (exchange: Exchange) => void,
): HTMLElement {
  const id = uniqueId('file')
  const file = el('input', { id, type: 'file', required: true })
  const submit = el('button', { type: 'submit' }, 'Upload')
  const progress = el('progress', { max: 1, value: 0, hidden: true, 'aria-label': 'Progress' })
  const state = el('span', { class: 'note' })
  let abort = new AbortController()
  const cancel = button('Cancel', () => abort.abort(), { hidden: true })
  const label = el('label', { for: id }, method === 'POST' ? 'File' : 'Replace the content')
  const row = el('p', { class: 'actions' }, label, file, submit, progress, cancel, state)
  const problem = el('div')

  async function send(event: Event): Promise<void> {
    event.preventDefault()
    const chosen = file.files?.[0]
    if (chosen === undefined) return
    submit.disabled = true
    progress.hidden = false
    cancel.hidden = false
    abort = new AbortController()
    const type = chosen.type === '' ? 'application/octet-stream' : chosen.type
    const slug = method === 'POST' ? { Slug: encodeURIComponent(chosen.name) } : { 'If-Match': '*' }
    const headers = { 'Content-Type': type, ...slug }
    const onProgress = (sent: number): void => {
      progress.value = sent / Math.max(1, chosen.size)
      state.textContent = `${formatSize(sent)} of ${formatSize(chosen.size)}`
    }
    try {
      const exchange = await app.client.upload(method, address, headers, chosen, onProgress, abort.signal)
      const error = errorOf(exchange)
      fill(problem, error === undefined ? undefined : alert(error.message, error.title))
      if (error === undefined) done(exchange)
    } catch (error) {
      state.textContent = ''
      fill(problem, alert(error instanceof Error ? error.message : String(error)))
    } finally {
      submit.disabled = false
      progress.hidden = true
      cancel.hidden = true
    }
  }

  return el('form', { class: 'upload', onsubmit: (event) => void send(event) }, row, problem)
}
