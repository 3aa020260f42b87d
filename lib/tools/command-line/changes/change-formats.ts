import type { ModelChange } from '../../model-diff/model-change.js'
import { code, escaped, table } from '../documentation/markdown.js'
import type { TextStyle } from '../text-style.js'

/** How changes are written. */
export const changeFormats = ['text', 'json', 'markdown'] as const

const signs = { added: '+', removed: '-', changed: '~' } as const

const headings = { true: 'Breaking changes', false: 'Compatible changes' } as const

/** Changes in one of the formats, with a line break at its end. */
export function printChanges(
  changes: readonly ModelChange[],
  format: (typeof changeFormats)[number],
  style: TextStyle,
): string {
  if (format === 'json') return json(changes)
  if (format === 'markdown') return markdown(changes)
  return text(changes, style)
}

function breakingFirst(
  changes: readonly ModelChange[],
): readonly (readonly [boolean, readonly ModelChange[]])[] {
  return [true, false]
    .map((breaking) => [breaking, changes.filter((one) => one.breaking === breaking)] as const)
    .filter(([, some]) => some.length > 0)
}

function text(changes: readonly ModelChange[], style: TextStyle): string {
  const sections = breakingFirst(changes).map(([breaking, some]) => {
    const paint = breaking ? style.red : style.green
    const lines = some.map(
      ({ kind, element, path, message, reason }) =>
        `  ${paint(signs[kind])} ${style.bold(`${element} ${path}`)}: ${message}. ${style.dim(reason)}`,
    )
    return `${paint(`${headings[`${breaking}`]} (${String(some.length)})`)}\n${lines.join('\n')}\n`
  })
  return [...sections, `${summaryOf(changes)}\n`].join('\n')
}

function summaryOf(changes: readonly ModelChange[]): string {
  const count = changes.length
  const breaking = changes.filter((one) => one.breaking).length
  if (count === 0) return 'There is no difference for clients.'
  return `${String(count)} change${count === 1 ? '' : 's'}, ${breaking === 0 ? 'none' : String(breaking)} of them breaking.`
}

function json(changes: readonly ModelChange[]): string {
  const breaking = changes.filter((one) => one.breaking).length
  return `${JSON.stringify({ breaking, compatible: changes.length - breaking, changes }, undefined, 2)}\n`
}

function markdown(changes: readonly ModelChange[]): string {
  const sections = breakingFirst(changes).flatMap(([breaking, some]) => [
    `## ${headings[`${breaking}`]}`,
    '',
    ...table(
      ['', 'What', 'Change', 'For clients'],
      some.map(({ kind, element, path, message, reason }) => [
        code(signs[kind]),
        `${element} ${code(path)}`,
        escaped(message),
        escaped(reason),
      ]),
    ),
    '',
  ])
  return [...sections, summaryOf(changes), ''].join('\n')
}
