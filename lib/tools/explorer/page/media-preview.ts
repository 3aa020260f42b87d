import type { App } from './app.js'
import { el } from './dom.js'
import { icon } from './icons.js'
import { showSize } from './values.js'
import { actions, note as said } from './pieces.js'

/** Of a text so much is shown. */
const longestText = 65_536

const textTypes = /^text\/|[/+](?:json|xml|javascript|yaml|toml|sql|x-sh)\b/

/** What a media resource is for this page. A drawing is a picture: as such it runs no script. */
export function mediaKind(contentType: string): 'image' | 'audio' | 'video' | 'text' | 'other' {
  const [kind] = contentType.split('/')
  if (kind === 'image' || kind === 'audio' || kind === 'video') return kind
  return textTypes.test(contentType) ? 'text' : 'other'
}

/**
 * A media resource to look at, and to take along. Text is fetched and shown as text: a page that somebody has put among
 * the data is never opened as one.
 *
 * @param address below the service root
 */
export function mediaPreview(app: App, address: string, contentType: string, name: string): HTMLElement {
  const source = app.client.root + address
  const kind = mediaKind(contentType)
  const download = el('a', { class: 'button', href: source, download: name }, icon('download'), 'Download')
  const view = el('div', { class: `preview ${kind}` })
  if (kind === 'image') view.append(el('img', { src: source, alt: name, loading: 'lazy' }))
  else if (kind === 'audio') view.append(el('audio', { src: source, controls: true, preload: 'none' }))
  else if (kind === 'video') view.append(el('video', { src: source, controls: true, preload: 'metadata' }))
  else if (kind === 'text') void showText(source, view)
  else view.append(el('p', {}, `There is no preview of ${contentType === '' ? 'this type' : contentType}.`))
  return el('section', { class: 'media', 'aria-label': 'Content' }, view, actions(download, contentType))
}

async function showText(source: string, view: HTMLElement): Promise<void> {
  view.append(el('p', { class: 'loading' }, 'Loading…'))
  try {
    const response = await fetch(source, { headers: { Range: `bytes=0-${String(longestText - 1)}` } })
    const whole = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? 0)
    const isEmpty = response.status === 416
    if (!response.ok && !isEmpty) throw new Error(`${String(response.status)} ${response.statusText}`)
    const text = isEmpty ? '' : (await response.text()).slice(0, longestText)
    const note = whole > longestText ? `The first ${showSize(longestText)} of ${showSize(whole)}.` : undefined
    view.replaceChildren(
      ...(note === undefined ? [] : [said(note)]),
      text === '' ? said('It is empty.') : el('pre', { tabindex: 0 }, text),
    )
  } catch (error) {
    view.replaceChildren(el('p', { role: 'alert' }, `The text could not be read: ${String(error)}`))
  }
}
