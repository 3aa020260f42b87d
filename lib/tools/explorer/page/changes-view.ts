import { resourceHash } from './address.js'
import type { App, View } from './app.js'
import type { BatchPart } from './batch.js'
import { sendBatch } from './batch.js'
import { actions, alert, button, link, list, note, table, title as heading } from './components.js'
import { ask } from './dialog.js'
import { el, fill } from './dom.js'
import { compareWithStored } from './entity-changes.js'
import { formatValue } from './format.js'
import { resourceOf } from './model.js'
import type { ServiceError } from './payload.js'
import { errorOf } from './payload.js'
import type { PendingChange } from './pending-changes.js'

/** Returns the changes that the user has not sent yet. They are sent as one change set. */
export function changesView(app: App): View {
  const content = el('div', { class: 'pending' })
  const outcome = el('div')

  function show(): void {
    const { all } = app.changes
    if (all.length === 0) return fill(content, note('There are no changes to send.'))
    fill(
      content,
      note('The service makes all changes, or none.'),
      list(
        { class: 'changes-list' },
        all.map((change) => changeView(app, change, discard)),
      ),
      actions(
        button('Send all', () => void send(), { class: 'primary' }),
        button('Discard all', () => void discardAll(), { class: 'danger' }),
      ),
    )
  }

  function discard(change: PendingChange): void {
    app.changes.remove(change)
    app.announce('Discarded')
    show()
    content.querySelector('button')?.focus()
  }

  async function discardAll(): Promise<void> {
    if ((await ask('Discard all changes?', 'Discard')) === undefined) return
    app.changes.clear()
    show()
  }

  async function send(): Promise<void> {
    const sent = app.changes.all
    const { error, parts: groups } = await sendBatch(
      app.client,
      sent.map(({ operation }) => operation),
    )
    const parts = groups.flat()
    const failed = parts.find(({ status }) => status >= 400)
    if (error === undefined && failed === undefined && parts.length > 0) {
      app.changes.clear()
      fill(
        outcome,
        el(
          'p',
          { role: 'status' },
          sent.length === 1 ? '1 change was made.' : `${String(sent.length)} changes were made.`,
        ),
        createdLinks(app, parts),
      )
    } else {
      const problem = failed === undefined ? error : errorOf(failed)
      const wrong = sent[Number(failed?.contentId === '' ? 0 : failed?.contentId) - 1]
      for (const change of sent) {
        change.problem = change === wrong ? problem : undefined
        change.conflicts = undefined
      }
      if (failed?.status === 412 && wrong?.operation.method === 'MERGE') await compare(app, wrong)
      const text =
        wrong === undefined ? (problem?.message ?? 'The response is invalid.') : 'One change is not possible.'
      fill(outcome, alert(text, 'No change was made.'))
    }
    show()
  }

  show()
  return { title: 'Changes', content: [heading('Changes'), outcome, content] }
}

/** Compares a change with the stored values, which it overwrites when it is sent again. */
async function compare(app: App, change: PendingChange): Promise<void> {
  const { address, headers, ...request } = change.operation
  const comparison = await compareWithStored(app, address, change.values)
  if (comparison === undefined) return
  const etag = typeof comparison.etag === 'string' ? { 'If-Match': comparison.etag } : {}
  change.operation = { ...request, address, headers: { ...headers, ...etag } }
  change.conflicts = comparison.table
}

function createdLinks(app: App, parts: readonly BatchPart[]): HTMLElement {
  const addresses = parts.map(({ headers }) => app.client.relative(headers.get('location') ?? undefined))
  const created = addresses.filter((one) => one !== undefined)
  return list(
    {},
    created.map((address) => link(resourceHash(address), address)),
  )
}

const TITLES: Readonly<Record<string, string>> = { POST: 'Create in', MERGE: 'Change', DELETE: 'Delete' }

function changeView(app: App, change: PendingChange, discard: (change: PendingChange) => void): HTMLElement {
  const { operation, values, problem, conflicts } = change
  const { method, address } = operation
  const properties = resourceOf(app.model, address).type?.properties ?? []
  const rows = Object.entries(values).map(([name, value]) => {
    const type = properties.find((one) => one.name === name)?.type ?? ''
    return [name, formatValue(value, type).text]
  })
  const title = `${TITLES[method] ?? method} ${address}`
  return el(
    'section',
    { class: 'panel', 'aria-label': title },
    el('h2', {}, `${TITLES[method] ?? method} `, link(resourceHash(address), address)),
    problem === undefined ? undefined : alert(messageOf(change, problem), problem.title),
    conflicts ??
      (rows.length === 0 ? undefined : table(`Values of ${title}`, ['Property', 'New value'], rows)),
    actions(
      method === 'MERGE' ? link(`#edit/${address}`, 'Edit', { class: 'button' }) : undefined,
      button('Discard', () => discard(change), { 'aria-label': `Discard: ${title}` }),
    ),
  )
}

function messageOf({ conflicts }: PendingChange, { title, message, details }: ServiceError): string {
  if (title.startsWith('412'))
    return conflicts === undefined
      ? 'Another user has changed this entity. Edit it again, or discard your change.'
      : 'Another user has changed this entity. Send again to overwrite the stored values, or discard your change.'
  const others = details.map(([, text]) => text).filter((text) => text !== message)
  return [message, ...others].join('\n')
}
