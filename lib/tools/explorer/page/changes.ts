import { decode, resourceHash, setHash, splitPath } from './address.js'
import type { App } from './app.js'
import { alert, button, link } from './components.js'
import { ask } from './dialog.js'
import { el, fill } from './dom.js'
import type { Resource } from './model.js'
import { errorOf } from './payload.js'

/** Returns the methods that a resource allows, from the header `Allow` of `OPTIONS`. */
export async function allowedMethods(app: App, path: string): Promise<ReadonlySet<string>> {
  const { headers } = await app.client.send(path, { method: 'OPTIONS' })
  return new Set((headers.get('allow') ?? '').split(/,\s*/))
}

/**
 * Creates the buttons that change a resource: they appear once the service has allowed it.
 *
 * @param path of an entity or a collection
 * @param etag of the entity
 */
export function changeActions(app: App, path: string, { kind, type }: Resource, etag?: string): HTMLElement {
  const bar = el('p', { class: 'actions changes' })
  if (type?.kind !== 'EntityType' || (kind !== 'entity' && kind !== 'collection')) return bar
  void allowedMethods(app, path).then((methods) => {
    const style = { class: 'button' }
    fill(
      bar,
      kind === 'collection' && methods.has('POST') ? link(`#new/${path}`, 'Create', style) : undefined,
      kind === 'entity' && methods.has('MERGE') ? link(`#edit/${path}`, 'Edit', style) : undefined,
      kind === 'entity' && methods.has('DELETE')
        ? button('Delete', () => void remove(app, path, etag, bar), { class: 'danger' })
        : undefined,
    )
  })
  return bar
}

async function remove(app: App, path: string, etag: string | undefined, bar: HTMLElement): Promise<void> {
  const later = el('input', { type: 'checkbox', name: 'later', value: 'yes' })
  const answer = await ask(
    `Delete ${path}?`,
    'Delete',
    el('p', {}, 'This cannot be undone.'),
    el('label', { class: 'null' }, later, 'Later, with my other changes'),
  )
  if (answer === undefined) return
  const headers: Record<string, string> = etag === undefined ? {} : { 'If-Match': etag }
  if (later.checked) {
    app.changes.add({ method: 'DELETE', address: path, headers, body: '' })
    return app.navigate('#changes')
  }
  const exchange = await app.client.send(path, { method: 'DELETE', headers })
  const error = errorOf(exchange)
  if (error === undefined) return app.navigate(parentHash(path))
  const message = exchange.status === 412 ? 'Another user has changed it. Reload it first.' : error.message
  bar.after(alert(message, error.title), link(resourceHash(path), 'Reload'))
}

/** Returns the view of the collection that an entity is in. */
function parentHash(path: string): string {
  const segments = splitPath(path)
  const last = (segments.at(-1) ?? '').replace(/\(.*$/, '')
  return segments.length === 1
    ? setHash(decode(last))
    : resourceHash([...segments.slice(0, -1), last].join('/'))
}
