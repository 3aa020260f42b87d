import type { App } from './app.js'
import { el } from './dom.js'
import type { Page } from './payload.js'
import type { RelativeAddress } from './query-options.js'
import { writeAddress } from './query-options.js'
import { resourceHash } from './router.js'

/** Where the page stands, and the ways to others: the next link of the service, or else `$skip` and `$top`. */
export function pager(app: App, { path, options }: RelativeAddress, page: Page): HTMLElement {
  const shown = page.entities.length
  const skip = Number(options.get('$skip') ?? 0)
  const top = Number(options.get('$top') ?? Number.NaN)
  const isContinued = options.has('$skiptoken')
  const next = app.client.relative(page.next)
  const moved = (to: number): string =>
    resourceHash(writeAddress(path, new Map(options).set('$skip', to === 0 ? '' : String(to))))
  const links = [
    isContinued ? el('a', { href: firstPage({ path, options }) }, 'First page') : undefined,
    !isContinued && skip > 0
      ? el('a', { href: moved(Math.max(0, skip - (top > 0 ? top : skip))) }, 'Previous page')
      : undefined,
    next !== undefined
      ? el('a', { href: resourceHash(next), rel: 'next' }, 'Next page')
      : shown === top && shown > 0 && skip + shown !== Number(page.count)
        ? el('a', { href: moved(skip + shown), rel: 'next' }, 'Next page')
        : undefined,
  ]
  const range = isContinued ? `${String(shown)} more` : `${String(skip + 1)}–${String(skip + shown)}`
  const text = page.count === undefined ? range : `${range} of ${page.count}`
  return el('nav', { class: 'pager', 'aria-label': 'Pages' }, el('span', {}, text), ...links)
}

function firstPage({ path, options }: RelativeAddress): string {
  const without = new Map(options)
  without.delete('$skiptoken')
  return resourceHash(writeAddress(path, without))
}
