import type { RelativeAddress } from './address.js'
import { formatAddress } from './address.js'
import type { App } from './app.js'
import { actions, link } from './components.js'
import type { Attributes, Child } from './dom.js'
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
  return link(app.client.root + address, content, { ...attributes, download, onclick: save })

  function save(event: Event): void {
    if (!app.client.isSignedIn) return
    event.preventDefault()
    void saveAs(app, address, name).catch((error: unknown) => app.announce(`Not saved: ${String(error)}`))
  }
}

async function saveAs(app: App, address: string, name: string): Promise<void> {
  const response = await app.client.fetch(address)
  if (!response.ok) throw new Error(`${String(response.status)} ${response.statusText}`)
  const proposed = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  const blob = await readWithProgress(app, response)
  const saved = name === '' ? (proposed ?? 'download') : name
  saveFile(blob, saved)
  app.announce(`${saved}: ${formatSize(blob.size)} saved`)
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

async function readWithProgress(app: App, response: Response): Promise<Blob> {
  const chunks: BlobPart[] = []
  let size = 0
  const reader = response.body?.getReader()
  for (;;) {
    const chunk = await reader?.read()
    if (chunk?.value === undefined) break
    chunks.push(chunk.value)
    size += chunk.value.length
    app.announce(`${formatSize(size)} loaded`)
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
