import { fileHash, resourceHash, setHash } from './address.js'
import type { App, View } from './app.js'
import { about, actions, button, connectionLinks, link, title, typeLink } from './components.js'
import { el } from './dom.js'
import type { EntitySet, FunctionImport } from './model.js'
import { describe, shortName } from './model.js'

/** Returns the entity sets and functions of the service. */
export function startView(app: App): View {
  const { client, model, files, hasOpenApi } = app
  const { sets, functions } = model
  return {
    title: 'Overview',
    content: [
      title(app.title),
      files === undefined
        ? undefined
        : el('p', {}, link(fileHash('/'), 'Browse files', { class: 'button primary' })),
      section(
        'Entity sets',
        sets.map((set) => setCard(app, set)),
      ),
      functions.length === 0 ? undefined : section('Functions', functions.map(functionCard)),
      el('h2', {}, 'Connect to this service'),
      connectionLinks(app),
      actions(
        link(`${client.root}$metadata`, '$metadata'),
        hasOpenApi ? link('#openapi', 'OpenAPI') : undefined,
        el('code', {}, client.root),
      ),
    ],
  }
}

function section(title: string, cards: readonly HTMLElement[]): HTMLElement {
  return el('section', {}, el('h2', {}, title), el('ul', { class: 'cards' }, ...cards))
}

function setCard(app: App, set: EntitySet): HTMLElement {
  const count = el('span', { class: 'count' })
  const countButton = button('Count', () => void countEntities(), {
    class: 'plain',
    'aria-label': `Count ${set.path}`,
  })

  async function countEntities(): Promise<void> {
    const address = `${encodeURIComponent(set.path)}/$count`
    const { status, text } = await app.client.send(address, { accept: 'text/plain, */*' })
    count.textContent = status === 200 ? `${text} entities` : `Error ${String(status)}`
    countButton.remove()
    app.announce(`${set.path}: ${count.textContent}`)
  }

  return card(
    link(setHash(set.path), set.path, { class: 'name' }),
    el('span', { class: 'meta' }, typeLink(set.type), count, countButton),
    describe(set, app.model.types.get(set.type)?.documentation),
  )
}

function functionCard(called: FunctionImport): HTMLElement {
  const { name, path, method, parameters, returnType, isCollection } = called
  const result = returnType === '' ? '' : ` → ${shortName(returnType)}${isCollection ? ' *' : ''}`
  const signature = `${method} (${parameters.map((one) => one.name).join(', ')})${result}`
  return card(
    link(resourceHash(encodeURIComponent(path)), name, { class: 'name' }),
    el('span', { class: 'meta' }, signature),
    describe(called),
  )
}

function card(name: HTMLElement, meta: HTMLElement, description: string): HTMLElement {
  return el('li', {}, name, meta, about(description, 'span'))
}
