import type { App } from './app.js'
import { actions, alert, code, icon, link, note } from './components.js'
import { el, fill } from './dom.js'
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
  const src = app.client.root + address
  const kind = mediaKind(contentType)
  const view = el('div', { class: `preview ${kind}` })
  if (kind === 'image') view.append(el('img', { src, alt: name, loading: 'lazy' }))
  else if (kind === 'audio') view.append(el('audio', { src, controls: true, preload: 'none' }))
  else if (kind === 'video') view.append(el('video', { src, controls: true, preload: 'metadata' }))
  else if (kind === 'text') void showText(src, view)
  else view.append(el('p', {}, `No preview for ${contentType === '' ? 'this type' : contentType}.`))
  const download = link(src, [icon('download'), 'Download'], { class: 'button', download: name })
  return el('section', { class: 'media', 'aria-label': 'Content' }, view, actions(download, contentType))
}

async function showText(source: string, view: HTMLElement): Promise<void> {
  view.append(el('p', { class: 'loading' }, 'Loading…'))
  try {
    const response = await fetch(source, { headers: { Range: `bytes=0-${String(MAX_TEXT_BYTES - 1)}` } })
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
