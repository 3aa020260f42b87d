import type { App } from './app.js'
import { el } from './dom.js'
import { fileHash } from './router.js'
import { setHash } from './start-view.js'

/** What stands around every view. */
export interface Frame {
  readonly main: HTMLElement
  readonly status: HTMLElement
  /** Marks where one is. */
  mark(hash: string): void
}

/** More sets than these can be searched. */
const manySets = 12

export function frame(app: App): Frame {
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
