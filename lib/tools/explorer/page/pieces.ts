import type { Child } from './dom.js'
import { el } from './dom.js'

/** The heading of a view, where the keyboard goes when it is opened. */
export function title(text: string, ...beside: readonly Child[]): HTMLElement {
  return el('div', { class: 'title' }, el('h1', { tabindex: -1 }, text), ...beside)
}

export function note(text: string): HTMLElement {
  return el('p', { class: 'note' }, text)
}

/** Links and buttons in a row. */
export function actions(...children: readonly Child[]): HTMLElement {
  return el('p', { class: 'actions' }, ...children)
}

/** What went wrong: said at once to those who cannot see it. */
export function alarm(text: string, code?: string): HTMLElement {
  const heading = code === undefined ? undefined : el('strong', {}, code)
  return el('div', { class: 'problem', role: 'alert' }, heading, el('p', {}, text))
}

/** A wide table, which the keyboard can move. */
export function scrolled(label: string, table: HTMLElement): HTMLElement {
  return el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label }, table)
}

/** @param columns headings; text is made a heading */
export function tableOf(columns: readonly (string | Node)[], body: HTMLElement, kind?: string): HTMLElement {
  const head = columns.map((one) => (typeof one === 'string' ? el('th', { scope: 'col' }, one) : one))
  return el('table', { class: kind }, el('thead', {}, el('tr', {}, ...head)), body)
}
