import type { App, View } from './app.js'
import type { BatchPart, Operation } from './batch.js'
import { groupOperations, sendBatch } from './batch.js'
import { actions, alert, button, code, note, title as heading } from './components.js'
import { el, fill, uniqueId } from './dom.js'
import { formatDocument, formatSize } from './format.js'

const METHODS = ['GET', 'POST', 'MERGE', 'PUT', 'PATCH', 'DELETE'] as const

/** The composed requests, so that they are there when the user comes back. */
let composed: readonly Operation[] = []

/** Adds a request to the batch that the user composes. */
export function addToBatch(operation: Operation): void {
  composed = [...composed, operation]
}

/** Returns a form in which the user composes a batch, with its responses. */
export function batchView(app: App): View {
  const [first] = app.model.sets
  const example = first === undefined ? '$metadata' : `${encodeURIComponent(first.path)}?$top=2`
  const added: Operation = { method: 'GET', address: example, headers: {}, body: '' }
  if (composed.length === 0) addToBatch(added)
  const requests = el('div', { class: 'composed' })
  const responses = el('div')

  function show(): void {
    fill(requests, ...composed.map((operation, index) => requestFields(operation, index, remove)))
  }

  /** Reads the fields, so that nothing is lost when they are created again. */
  function keep(): void {
    composed = [...requests.children].map(readOperation)
  }

  function remove(index: number): void {
    keep()
    composed = composed.filter((_, at) => at !== index)
    show()
  }

  function add(): void {
    keep()
    addToBatch(added)
    show()
    requests.lastElementChild?.querySelector('select')?.focus()
  }

  async function send(event: Event): Promise<void> {
    event.preventDefault()
    keep()
    const { exchange, error, parts } = await sendBatch(app.client, composed)
    const size = formatSize(new Blob([exchange.text]).size)
    const summary = `${String(exchange.status)} ${exchange.statusText}, ${exchange.milliseconds.toFixed(0)} ms, ${size}`
    fill(
      responses,
      el('h2', { tabindex: -1 }, 'Responses'),
      note(summary),
      ...(error === undefined
        ? groupOperations(composed).flatMap((group, index) => responseViews(group, parts[index] ?? []))
        : [alert(error.message, error.title)]),
    )
    responses.querySelector('h2')?.focus()
  }

  show()
  const form = el(
    'form',
    { 'aria-label': 'Batch', onsubmit: (event) => void send(event) },
    requests,
    actions(button('Add request', add), el('button', { type: 'submit', class: 'primary' }, 'Send')),
  )
  form.addEventListener('change', keep)
  return {
    title: 'Batch',
    content: [
      heading('Batch'),
      note('Consecutive changes form a change set: the service makes all of them, or none.'),
      form,
      responses,
    ],
  }
}

function requestFields(
  { method, address, headers, body }: Operation,
  index: number,
  remove: (index: number) => void,
): HTMLElement {
  const ids = [uniqueId('address'), uniqueId('headers'), uniqueId('body')]
  const [addressId = '', headersId = '', bodyId = ''] = ids
  const title = `Request ${String(index + 1)}`
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const options = METHODS.map((name) => el('option', { selected: name === method }, name))
  const choice = el('select', { name: 'method', 'aria-label': 'Method', onchange: showBody }, ...options)
  const bodyField = field(bodyId, 'Body', el('textarea', { id: bodyId, name: 'body', rows: 3 }, body))

  function showBody(): void {
    bodyField.hidden = choice.value === 'GET' || choice.value === 'DELETE'
  }

  showBody()
  return el(
    'fieldset',
    {},
    el('legend', {}, title),
    el(
      'div',
      { class: 'row builder' },
      choice,
      el('input', {
        id: addressId,
        name: 'address',
        value: address,
        'aria-label': 'Address',
        required: true,
      }),
      button('Remove', () => remove(index), { 'aria-label': `Remove request ${String(index + 1)}` }),
    ),
    field(
      headersId,
      'Headers',
      el(
        'textarea',
        { id: headersId, name: 'headers', rows: 1, placeholder: 'If-Match: *' },
        lines.join('\n'),
      ),
    ),
    bodyField,
  )
}

function field(id: string, label: string, control: HTMLElement): HTMLElement {
  return el('div', { class: 'field' }, el('label', { for: id }, label), control)
}

function readOperation(fields: Element): Operation {
  const value = (name: string): string =>
    fields.querySelector<HTMLInputElement>(`[name=${name}]`)?.value.trim() ?? ''
  const method = value('method')
  const body = method === 'GET' || method === 'DELETE' ? '' : value('body')
  const entered = value('headers')
    .split('\n')
    .flatMap((line) => {
      const [, name, text] = /^([^:]+):\s*(.*)$/.exec(line.trim()) ?? []
      return name === undefined || text === undefined ? [] : [[name, text] as const]
    })
  const isTyped = entered.some(([name]) => name.toLowerCase() === 'content-type')
  const type = body === '' || isTyped ? {} : { 'Content-Type': 'application/json' }
  return { method, address: value('address'), headers: { ...type, ...Object.fromEntries(entered) }, body }
}

function responseViews(group: readonly Operation[], parts: readonly BatchPart[]): readonly HTMLElement[] {
  return parts.map((part, index) => {
    const failsAll = parts.length < group.length
    const operation = group[index]
    const title =
      failsAll || operation === undefined ? 'Change set' : `${operation.method} ${operation.address}`
    const contentType = part.headers.get('content-type') ?? ''
    return el(
      'section',
      { class: 'panel response' },
      el('h3', {}, title),
      el('p', { class: part.status >= 400 ? 'danger' : 'note' }, `${String(part.status)} ${part.statusText}`),
      part.text === '' ? undefined : code(formatDocument(part.text, contentType)),
    )
  })
}
