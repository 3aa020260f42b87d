import type { RelativeAddress } from './address.js'
import { formatAddress } from './address.js'
import type { App } from './app.js'
import { actions, button, link } from './components.js'
import type { Attributes, Child } from './dom.js'
import { el, fill } from './dom.js'
import { formatSize } from './format.js'

/**
 * Creates a link that saves a resource. The browser saves it by itself, unless only the page knows how to sign in.
 *
 * @param address relative to the service root
 * @param name proposed name of the file; the service proposes one if it is empty
 */
export function downloadLink(
  app: App,
  address: string,
  content: Child | readonly Child[],
  name = '',
  attributes: Attributes = {},
): HTMLAnchorElement {
  const download = name === '' ? true : name
  const anchor = link(app.client.root + address, content, { ...attributes, download, onclick: save })
  return anchor

  function save(event: Event): void {
    if (!app.client.isSignedIn) return
    event.preventDefault()
    const abort = new AbortController()
    const state = el('span', { class: 'note', role: 'status' }, 'Loading')
    const cancel = button('Cancel', () => abort.abort(), { 'aria-label': `Cancel ${anchor.textContent}` })
    anchor.after(state, cancel)
    void saveAs(app, address, name, { signal: abort.signal, show: (text) => fill(state, text) })
      .catch((error: unknown) =>
        fill(state, abort.signal.aborted ? 'Cancelled' : `Not saved: ${String(error)}`),
      )
      .finally(() => cancel.remove())
  }
}

interface Progress {
  readonly signal: AbortSignal
  readonly show: (text: string) => void
}

async function saveAs(app: App, address: string, name: string, progress: Progress): Promise<void> {
  const response = await app.client.fetch(address, { signal: progress.signal })
  if (!response.ok) throw new Error(`${String(response.status)} ${response.statusText}`)
  const proposed = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  const blob = await readWithProgress(response, progress)
  const saved = name === '' ? (proposed ?? 'download') : name
  saveFile(blob, saved)
  progress.show(`${saved}: ${formatSize(blob.size)} saved`)
}

/** Lets the browser save a file that the page has created. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  // Set without `el`, which allows no other schemes than those of the service.
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = name
  anchor.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

async function readWithProgress(response: Response, { show }: Progress): Promise<Blob> {
  const chunks: BlobPart[] = []
  let size = 0
  const reader = response.body?.getReader()
  for (;;) {
    const chunk = await reader?.read()
    if (chunk?.value === undefined) break
    chunks.push(chunk.value)
    size += chunk.value.length
    show(`${formatSize(size)} loaded`)
  }
  return new Blob(chunks, { type: response.headers.get('content-type') ?? '' })
}

/**
 * Sets the source of an image, audio or video, which the page loads itself if only it knows how to sign in.
 *
 * @param address relative to the service root
 */
export function loadInto(app: App, element: HTMLImageElement | HTMLMediaElement, address: string): void {
  const load = async (): Promise<string> => {
    if (!app.client.isSignedIn) return app.client.root + address
    return URL.createObjectURL(await (await app.client.fetch(address)).blob())
  }
  void load().then((source) => (element.src = source))
}

const EXPORTS = [
  ['csv', 'CSV'],
  ['xlsx', 'Excel'],
] as const

/** Options that limit a file to a page, or that it does not have. */
const PAGE_OPTIONS = ['$top', '$skip', '$skiptoken', '$inlinecount', '$format']

/** Creates links to all entities of a collection as files; undefined if the service does not offer any. */
export function downloadLinks(app: App, { path, options }: RelativeAddress): HTMLElement | undefined {
  const offered = EXPORTS.filter(([format]) => app.model.formats.includes(format))
  if (offered.length === 0) return undefined
  const others = [...options].filter(([name]) => !PAGE_OPTIONS.includes(name))
  const links = offered.map(([format, text]) => {
    const address = formatAddress(path, [...others, ['$format', format]])
    return downloadLink(app, address, text, '', { class: 'button' })
  })
  return actions('Download all as ', ...links)
}
