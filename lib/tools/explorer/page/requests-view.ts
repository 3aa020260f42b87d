import { decode, resourceHash } from './address.js'
import type { App, View } from './app.js'
import { addToBatch } from './batch-view.js'
import { button, link, note, table, title as heading } from './components.js'
import { el, fill } from './dom.js'
import { exchangeText } from './exchange-panel.js'
import { formatSize } from './format.js'
import type { RecentRequest } from './service-client.js'

/** Returns the requests that the page has sent, the last one first. */
export function requestsView(app: App): View {
  const { recent } = app.client
  const columns = ['Request', 'Actions', 'Status', 'Duration', 'Size', 'Sent at']
  const rows = [...recent].reverse().flatMap((request) => rowsOf(app, request, columns.length))
  return {
    title: 'Requests',
    content: [
      heading('Requests'),
      note(`The last requests of this page, which forgets them when it is closed.`),
      table('Requests', columns, rows, { class: 'requests' }),
    ],
  }
}

function rowsOf(
  app: App,
  { exchange, body, size, sentAt }: RecentRequest,
  width: number,
): HTMLTableRowElement[] {
  const { method, address, status, statusText, milliseconds, requestHeaders } = exchange
  const place = el('td', { colspan: width })
  const details = el('tr', { class: 'expanded', hidden: true }, place)
  const title = `${method} ${address === '' ? './' : decode(address)}`
  const show = el('button', { type: 'button', 'aria-expanded': 'false', onclick: toggle }, 'Show')
  show.setAttribute('aria-label', `Show ${title}`)

  function toggle(): void {
    details.hidden = !details.hidden
    show.setAttribute('aria-expanded', String(!details.hidden))
    if (place.childElementCount === 0) fill(place, exchangeText(exchange, body))
  }

  function compose(): void {
    const { Accept: _, ...headers } = requestHeaders
    addToBatch({ method, address, headers, body })
    app.navigate('#batch')
  }

  const isComposable = /^(?:GET|POST|PUT|PATCH|MERGE|DELETE)$/.test(method) && address !== '$batch'
  const cells = [
    el('th', { scope: 'row' }, method === 'GET' ? link(resourceHash(address), title) : title),
    el(
      'td',
      { class: 'short links' },
      show,
      isComposable ? button('Compose', compose, { 'aria-label': `Compose ${title}` }) : undefined,
    ),
    el('td', { class: status >= 400 ? 'short danger' : 'short' }, `${String(status)} ${statusText}`),
    el('td', { class: 'number' }, `${milliseconds.toFixed(0)} ms`),
    el('td', { class: 'number' }, formatSize(size)),
    el('td', { class: 'date' }, sentAt.toLocaleTimeString('en-GB')),
  ]
  return [el('tr', {}, ...cells), details]
}
