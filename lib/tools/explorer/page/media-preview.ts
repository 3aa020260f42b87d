import type { App } from './app.js'
import { actions, alert, code, icon, note } from './components.js'
import { el, fill } from './dom.js'
import { downloadLink, loadInto } from './download.js'
import { formatSize } from './format.js'

const MAX_TEXT_BYTES = 65_536

const TEXT_TYPES = /^text\/|[/+](?:json|xml|javascript|yaml|toml|sql|x-sh)\b/

/** Chooses the preview of a media type. SVG is an image: browsers run no scripts in images. */
export function mediaKind(contentType: string): 'image' | 'audio' | 'video' | 'text' | 'other' {
  const [kind] = contentType.split('/')
  if (kind === 'image' || kind === 'audio' || kind === 'video') return kind
  return TEXT_TYPES.test(contentType) ? 'text' : 'other'
}

/**
 * Creates a preview of a media resource with a download link. HTML is displayed as text, so that it cannot run scripts.
 *
 * @param address relative to the service root
 */
export function mediaPreview(app: App, address: string, contentType: string, name: string): HTMLElement {
  const kind = mediaKind(contentType)
  const view = el('div', { class: `preview ${kind}` })
  if (kind === 'text') void showText(app, address, view)
  else if (kind !== 'other') {
    const player =
      kind === 'image'
        ? el('img', { alt: name, loading: 'lazy' })
        : el(kind, { controls: true, preload: kind === 'audio' ? 'none' : 'metadata' })
    loadInto(app, player, address)
    view.append(player)
  } else view.append(el('p', {}, `No preview for ${contentType === '' ? 'this type' : contentType}.`))
  const download = downloadLink(app, address, [icon('download'), 'Download'], name, { class: 'button' })
  return el('section', { class: 'media', 'aria-label': 'Content' }, view, actions(download, contentType))
}

async function showText(app: App, address: string, view: HTMLElement): Promise<void> {
  view.append(el('p', { class: 'loading' }, 'Loading…'))
  try {
    const response = await app.client.fetch(address, {
      headers: { Range: `bytes=0-${String(MAX_TEXT_BYTES - 1)}` },
      // Chromium returns only as many bytes of a changed file as its cache had before.
      cache: 'no-store',
    })
    // An empty file has no range of bytes.
    const isEmpty = response.status === 416
    if (!response.ok && !isEmpty) throw new Error(`${String(response.status)} ${response.statusText}`)
    const text = isEmpty ? '' : (await response.text()).slice(0, MAX_TEXT_BYTES)
    const total = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? 0)
    fill(
      view,
      total > MAX_TEXT_BYTES
        ? note(`The first ${formatSize(MAX_TEXT_BYTES)} of ${formatSize(total)}.`)
        : undefined,
      text === '' ? note('The file is empty.') : code(text),
    )
  } catch (error) {
    fill(view, alert(`The text could not be loaded: ${String(error)}`))
  }
}
