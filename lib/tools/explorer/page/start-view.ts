import type { App, View } from './app.js'
import { connectionLinks } from './connection-links.js'
import { el } from './dom.js'
import type { EntitySet, FunctionImport } from './model.js'
import { aboutText, shortName } from './model.js'
import { fileHash, resourceHash, typeHash } from './router.js'
import { actions, title } from './pieces.js'

/** How many entities of a set are asked for at first. */
const firstPage = 25

export function setHash(path: string): string {
  return resourceHash(`${encodeURIComponent(path)}?$top=${String(firstPage)}`)
}

/** What the service has: entity sets and functions. */
export function startView(app: App): View {
  const { model, files } = app
  const { sets, functions } = model
  return {
    title: 'Overview',
    content: [
      title(model.title),
      ...(files === undefined
        ? []
        : [el('p', {}, el('a', { class: 'button primary', href: fileHash('/') }, 'Browse the files'))]),
      section(
        'Entity sets',
        sets.map((set) => setCard(app, set)),
      ),
      ...(functions.length === 0 ? [] : [section('Functions', functions.map(functionCard))]),
      el('h2', {}, 'Elsewhere'),
      connectionLinks(app, undefined),
      actions(
        el('a', { href: `${app.client.root}$metadata` }, '$metadata'),
        app.hasOpenApi ? el('a', { href: `${app.client.root}$openapi` }, '$openapi') : undefined,
        el('code', {}, app.client.root),
      ),
    ],
  }
}

function section(title: string, cards: readonly HTMLElement[]): HTMLElement {
  return el('section', {}, el('h2', {}, title), el('ul', { class: 'cards' }, ...cards))
}

function setCard(app: App, set: EntitySet): HTMLElement {
  const type = app.model.types.get(set.type)
  const about = aboutText(
    set.name,
    set.label,
    set.documentation === '' ? type?.documentation : set.documentation,
  )
  const count = el('span', { class: 'count' })
  const button = el(
    'button',
    {
      type: 'button',
      class: 'plain',
      'aria-label': `Count ${set.path}`,
      onclick: () => void countEntities(),
    },
    'Count',
  )

  async function countEntities(): Promise<void> {
    const { status, text } = await app.client.send(`${encodeURIComponent(set.path)}/$count`, {
      accept: 'text/plain, */*',
    })
    count.textContent = status === 200 ? `${text} entities` : `${String(status)}`
    button.remove()
    app.announce(`${set.path}: ${count.textContent}`)
  }

  return el(
    'li',
    {},
    el('a', { class: 'name', href: setHash(set.path) }, set.path),
    el('span', { class: 'meta' }, el('a', { href: typeHash(set.type) }, shortName(set.type)), count, button),
    about === '' ? undefined : el('span', { class: 'about' }, about),
  )
}

function functionCard(called: FunctionImport): HTMLElement {
  const { name, path, method, label, documentation, parameters, returnType, isCollection } = called
  const returned = returnType === '' ? '' : ` → ${shortName(returnType)}${isCollection ? ' *' : ''}`
  const about = aboutText(name, label, documentation)
  return el(
    'li',
    {},
    el('a', { class: 'name', href: resourceHash(encodeURIComponent(path)) }, name),
    el('span', { class: 'meta' }, `${method} (${parameters.map((one) => one.name).join(', ')})${returned}`),
    about === '' ? undefined : el('span', { class: 'about' }, about),
  )
}
