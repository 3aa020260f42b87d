import type { App } from './app.js'
import { el } from './dom.js'
import { actions } from './pieces.js'

/**
 * Files by which Excel and Power BI connect to the service, or to one entity set.
 *
 * @param set path of the entity set; undefined for all of them
 */
export function connectionLinks(app: App, set: string | undefined): HTMLElement {
  const start = app.ownRoot + (set === undefined ? 'service' : `sets/${encodeURIComponent(set)}`)
  return actions(
    'Open in ',
    el('a', { class: 'button', href: `${start}.odc`, download: true }, 'Excel (.odc)'),
    el('a', { class: 'button', href: `${start}.pbids`, download: true }, 'Power BI (.pbids)'),
  )
}
