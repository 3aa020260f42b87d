import type { Route } from './address.js'
import { fileHash, parseRoute, setHash } from './address.js'
import type { App, View } from './app.js'
import { batchView } from './batch-view.js'
import { changesView } from './changes-view.js'
import { alert, button, filterField, link, list, title as heading } from './components.js'
import { diagramView } from './diagram-view.js'
import { el, fill } from './dom.js'
import { editEntityView, newEntityView } from './entity-form.js'
import { filesView } from './files-view.js'
import { findFileSet } from './model.js'
import { openApiView } from './open-api-view.js'
import { PendingChanges } from './pending-changes.js'
import { readMetadata } from './read-metadata.js'
import { requestsView } from './requests-view.js'
import { resourceView } from './resource-view.js'
import { ServiceClient } from './service-client.js'
import { signIn } from './sign-in.js'
import { startView } from './start-view.js'
import { typesView, typeView } from './types-view.js'

/** Services with more entity sets get a filter field for them. */
const MAX_UNFILTERED_SETS = 12

async function createView(app: App, route: Route): Promise<View> {
  switch (route.view) {
    case 'start':
      return startView(app)
    case 'resource':
      return resourceView(app, route.address)
    case 'new':
      return newEntityView(app, route.path)
    case 'edit':
      return editEntityView(app, route.path)
    case 'types':
      return route.name === '' ? typesView(app) : typeView(app, route.name)
    case 'diagram':
      return diagramView(app)
    case 'batch':
      return batchView(app)
    case 'requests':
      return requestsView(app)
    case 'changes':
      return changesView(app)
    case 'openapi':
      return openApiView(app)
    case 'files':
      return app.files === undefined ? startView(app) : filesView(app, app.files, route.path)
  }
}

/** @param scriptUrl URL of this script, one level below the service root, wherever the service is mounted */
async function start(scriptUrl: string): Promise<void> {
  const root = new URL('../', scriptUrl).href
  const client = new ServiceClient(root, document.body.dataset.root ?? root, signIn)
  const metadata = await client.send('$metadata', { accept: 'application/xml' })
  if (metadata.status !== 200) {
    throw new Error(`The metadata could not be loaded: ${String(metadata.status)} ${metadata.statusText}`)
  }
  const model = readMetadata(new DOMParser().parseFromString(metadata.text, 'application/xml'))
  const app: App = {
    // The server writes the title of the service.
    title: document.title,
    client,
    model,
    files: findFileSet(model),
    ownRoot: new URL('./', scriptUrl).href,
    hasOpenApi: document.body.dataset.openapi !== undefined,
    canExplain: document.body.dataset.explain !== undefined,
    changes: new PendingChanges((count) => frame.showChanges(count)),
    navigate: (hash) => {
      if (hash === location.hash) void show()
      else location.hash = hash
    },
    announce: (text) => (frame.status.textContent = text),
  }
  const frame = createFrame(app)
  let navigations = 0

  async function show(): Promise<void> {
    const navigation = ++navigations
    frame.markCurrent(location.hash)
    frame.main.setAttribute('aria-busy', 'true')
    app.announce('Loading')
    const view = await createView(app, parseRoute(location.hash)).catch(errorView)
    const isOutdated = navigation !== navigations
    if (isOutdated) return
    const focusedField = document.activeElement?.getAttribute('name') ?? ''
    fill(frame.main, ...view.content)
    frame.main.removeAttribute('aria-busy')
    document.title = `${view.title} · ${app.title}`
    app.announce(`${view.title} loaded`)
    if (navigation > 1) moveFocus(frame.main, focusedField)
  }

  addEventListener('hashchange', () => void show())
  addEventListener('beforeunload', (event) => {
    if (app.changes.all.length > 0) event.preventDefault()
  })
  if (location.hash === '' && app.files !== undefined) history.replaceState(null, '', '#files')
  await show()
}

/** Focuses the field that had the focus before, or else the heading of the view. */
function moveFocus(main: HTMLElement, fieldName: string): void {
  const fields = [...main.querySelectorAll<HTMLElement>('input[name]')]
  const field = fields.find((one) => fieldName !== '' && one.getAttribute('name') === fieldName)
  if (field === undefined) scrollTo({ top: 0 })
  const target = field ?? main.querySelector<HTMLElement>('h1')
  target?.focus({ preventScroll: true })
}

function errorView(error: unknown): View {
  return { title: 'Error', content: [heading('Error'), alert(messageOf(error))] }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The parts of the page that all views share. */
interface Frame {
  readonly main: HTMLElement
  /** The live region for screen readers. */
  readonly status: HTMLElement
  /** Shows the number of changes that are not sent yet. */
  showChanges(count: number): void
  /** Marks the links to the current view. */
  markCurrent(hash: string): void
}

function createFrame({ title, model, files, hasOpenApi }: App): Frame {
  const main = el('main', { id: 'main', tabindex: -1 })
  const status = el('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' })
  const changesLink = link('#changes', 'Changes', { hidden: true })
  const viewLinks = [
    link('#', 'Overview'),
    ...(files === undefined ? [] : [link(fileHash('/'), 'Files')]),
    link('#types', 'Types'),
    link('#diagram', 'Diagram'),
    link('#batch', 'Batch'),
    link('#requests', 'Requests'),
    ...(hasOpenApi ? [link('#openapi', 'OpenAPI')] : []),
    changesLink,
  ]
  const setLinks = model.sets.map(({ path }) => link(setHash(path), path))
  const sets = list({}, setLinks)
  const filter = filterField('Filter entity sets', () => sets.querySelectorAll('li'))
  const wideScreen = matchMedia('(min-width: 56rem)')
  const sidebar = el(
    'details',
    { open: wideScreen.matches },
    el('summary', {}, 'Entity sets'),
    el(
      'nav',
      { 'aria-label': 'Entity sets' },
      setLinks.length > MAX_UNFILTERED_SETS ? filter : undefined,
      sets,
    ),
  )
  wideScreen.addEventListener('change', () => (sidebar.open = wideScreen.matches))
  fill(
    document.body,
    button('Skip to content', () => main.focus(), { class: 'skip' }),
    el(
      'header',
      {},
      link('#', title, { class: 'brand' }),
      el('nav', { 'aria-label': 'Views' }, ...viewLinks),
    ),
    el('div', { class: 'columns' }, el('div', { class: 'side' }, sidebar), main),
    status,
  )

  function markCurrent(hash: string): void {
    const current = hash === '' || hash === '#/' ? '#' : hash
    for (const one of [...viewLinks, ...setLinks]) {
      if (leadsTo(one, current)) one.setAttribute('aria-current', 'page')
      else one.removeAttribute('aria-current')
    }
    if (!wideScreen.matches) sidebar.open = false
  }

  function showChanges(count: number): void {
    changesLink.hidden = count === 0
    changesLink.textContent = `Changes (${String(count)})`
  }

  return { main, status, markCurrent, showChanges }
}

/**
 * Returns true if a link opens a view or its parent: `#types` for `#types/Product`, `#/Products` for `#/Products(1)`.
 */
function leadsTo(one: HTMLAnchorElement, hash: string): boolean {
  const [current = ''] = hash.split('?')
  const [target = ''] = (one.getAttribute('href') ?? '').split('?')
  if (target === '#') return current === '#'
  return current === target || current.startsWith(`${target}/`) || current.startsWith(`${target}(`)
}

const { currentScript } = document
if (currentScript instanceof HTMLScriptElement) {
  start(currentScript.src).catch((error: unknown) => fill(document.body, alert(messageOf(error))))
}
