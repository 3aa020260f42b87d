import type { App, View } from './app.js'
import { diagramView } from './diagram-view.js'
import { fill, el } from './dom.js'
import { fileSetOf } from './file-set.js'
import { filesView } from './files-view.js'
import { readMetadata } from './read-metadata.js'
import { resourceView } from './resource-view.js'
import type { Route } from './router.js'
import { readRoute, fileHash } from './router.js'
import { ServiceClient } from './service-client.js'
import { startView, setHash } from './start-view.js'
import { typesView, typeView } from './types-view.js'
import { alarm, title as heading } from './pieces.js'

/** More sets than these can be searched. */
const manySets = 12

async function viewOf(app: App, route: Route): Promise<View> {
  switch (route.view) {
    case 'start':
      return startView(app)
    case 'resource':
      return resourceView(app, route.address)
    case 'types':
      return route.name === '' ? typesView(app) : typeView(app, route.name)
    case 'diagram':
      return diagramView(app)
    case 'files':
      return app.files === undefined ? startView(app) : filesView(app, app.files, route.path)
  }
}

/** The script knows where it comes from, and the service is one level up: wherever that is mounted. */
async function start(script: string): Promise<void> {
  const ownRoot = new URL('./', script).href
  const root = new URL('../', script).href
  const client = new ServiceClient(root, document.body.dataset.root ?? root)
  const metadata = await client.send('$metadata', { accept: 'application/xml' })
  if (metadata.status !== 200) {
    throw new Error(
      `The metadata of the service cannot be read: ${String(metadata.status)} ${metadata.statusText}`,
    )
  }
  const model = readMetadata(new DOMParser().parseFromString(metadata.text, 'application/xml'))
  const app: App = {
    client,
    model,
    files: fileSetOf(model),
    ownRoot,
    hasOpenApi: document.body.dataset.openapi !== undefined,
    go: (hash) => {
      if (hash === location.hash) void show()
      else location.hash = hash
    },
    announce: (text) => (shell.status.textContent = text),
  }
  const shell = frame(app)
  let shown = 0

  async function show(): Promise<void> {
    const turn = ++shown
    const route = readRoute(location.hash)
    shell.mark(location.hash)
    shell.main.setAttribute('aria-busy', 'true')
    app.announce('Loading')
    const view = await viewOf(app, route).catch(failed)
    // Somebody has gone on meanwhile.
    if (turn !== shown) return
    const field = document.activeElement?.getAttribute('name') ?? ''
    fill(shell.main, ...view.content)
    shell.main.removeAttribute('aria-busy')
    document.title = `${view.title} · ${model.title}`
    app.announce(`${view.title} is shown`)
    if (turn > 1) moveFocus(shell.main, field)
  }

  addEventListener('hashchange', () => void show())
  if (location.hash === '' && app.files !== undefined) history.replaceState(null, '', '#files')
  await show()
}

/** To the field that was used, where it is still there, or else to the heading of what has been opened. */
function moveFocus(main: HTMLElement, field: string): void {
  const fields = [...main.querySelectorAll<HTMLElement>('input[name]')]
  const again = fields.find((one) => field !== '' && one.getAttribute('name') === field)
  if (again === undefined) scrollTo({ top: 0 })
  const target = again ?? main.querySelector<HTMLElement>('h1')
  target?.focus({ preventScroll: true })
}

function failed(error: unknown): View {
  const text = error instanceof Error ? error.message : String(error)
  return { title: 'Error', content: [heading('Error'), alarm(text)] }
}

const { currentScript } = document
if (currentScript instanceof HTMLScriptElement) {
  start(currentScript.src).catch((error: unknown) => {
    document.body.replaceChildren(alarm(error instanceof Error ? error.message : String(error)))
  })
}

/** What stands around every view. */
interface Frame {
  readonly main: HTMLElement
  readonly status: HTMLElement
  /** Marks where one is. */
  mark(hash: string): void
}

function frame(app: App): Frame {
  const main = el('main', { id: 'main', tabindex: -1 })
  const status = el('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' })
  const views = [
    el('a', { href: '#' }, 'Overview'),
    ...(app.files === undefined ? [] : [el('a', { href: fileHash('/') }, 'Files')]),
    el('a', { href: '#types' }, 'Types'),
    el('a', { href: '#diagram' }, 'Diagram'),
  ]
  const sets = app.model.sets.map(({ path }) => el('a', { href: setHash(path) }, path))
  const list = el('ul', {}, ...sets.map((link) => el('li', {}, link)))
  const search = el('input', {
    type: 'search',
    placeholder: 'Find',
    'aria-label': 'Find an entity set',
    oninput: filter,
  })
  const wide = matchMedia('(min-width: 56rem)')
  const side = el(
    'details',
    { open: wide.matches },
    el('summary', {}, 'Entity sets'),
    el('nav', { 'aria-label': 'Entity sets' }, sets.length > manySets ? search : undefined, list),
  )
  wide.addEventListener('change', () => (side.open = wide.matches))

  function filter(): void {
    const wanted = search.value.toLowerCase()
    for (const link of sets) {
      if (link.parentElement !== null)
        link.parentElement.hidden = !link.textContent.toLowerCase().includes(wanted)
    }
  }

  const skip = el('button', { type: 'button', class: 'skip', onclick: () => main.focus() }, 'Skip to content')
  document.body.replaceChildren(
    skip,
    el(
      'header',
      {},
      el('a', { class: 'brand', href: '#' }, app.model.title),
      el('nav', { 'aria-label': 'Views' }, ...views),
    ),
    el('div', { class: 'columns' }, el('div', { class: 'side' }, side), main),
    status,
  )

  function mark(hash: string): void {
    const start = hash === '' || hash === '#/' ? '#' : hash
    for (const link of views) current(link, isAt(start, link))
    for (const link of sets) current(link, isAt(start.split('?')[0] ?? '', link))
    if (!wide.matches) side.open = false
  }

  return { main, status, mark }
}

/** `#types/Product` belongs to `#types`, `#/Products(1)` to `#/Products`. */
function isAt(hash: string, link: HTMLAnchorElement): boolean {
  const target = (link.getAttribute('href') ?? '').split('?')[0] ?? ''
  if (target === '#') return hash === '#'
  return hash === target || hash.startsWith(`${target}/`) || hash.startsWith(`${target}(`)
}

function current(link: HTMLElement, isCurrent: boolean): void {
  if (isCurrent) link.setAttribute('aria-current', 'page')
  else link.removeAttribute('aria-current')
}
