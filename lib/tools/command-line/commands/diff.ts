import { compareModels } from '../../model-diff/compare-models.js'
import type { Command } from '../command.js'
import { UsageError } from '../errors.js'
import { parseChoice, parseArgs } from '../parse-args.js'
import { readModel, sourceHelp, sourceOptions, sourceSettings } from '../read-model.js'
import { outputOption, styleOfResult, writeResult } from '../command.js'
import type { ModelChange } from '../../model-diff/comparison.js'
import { code, escaped, table } from '../markdown.js'
import type { TextStyle } from '../terminal.js'

/** Formats of the report. */
const changeFormats = ['text', 'json', 'markdown'] as const

const signs = { added: '+', removed: '-', changed: '~' } as const

const headings = { true: 'Breaking changes', false: 'Compatible changes' } as const

const options = {
  format: { type: 'string', value: '<format>', text: 'text (default), json or markdown' },
  output: outputOption,
  ...sourceOptions,
} as const

export const diffCommand: Command = {
  synopsis: '<old> <new> [options]',
  description: `Compares two models and reports which changes break clients of the old one.

${sourceHelp}`,
  options,
  notes: `  express-odata-v2 diff released.edmx model.edmx
  express-odata-v2 diff https://host/service/ model.edmx --format markdown --output changes.md

Exit code: 1 if a change is breaking, else 0.`,
  async run(words, io) {
    const { values, positionals } = parseArgs(words, options)
    const [before, after] = twoSources(positionals)
    const format = parseChoice('--format', values.format, changeFormats)
    const settings = sourceSettings(values)
    const changes = compareModels(await readModel(before, settings, io), await readModel(after, settings, io))
    await writeResult(printChanges(changes, format, styleOfResult(values.output, io)), values.output, io)
    return changes.some(({ breaking }) => breaking) ? 1 : 0
  },
}

function twoSources([before, after, ...others]: readonly string[]): readonly [string, string] {
  if (before === undefined || after === undefined)
    throw new UsageError('Which models do you want to compare? Name the old and the new one.')
  if (others.length > 0)
    throw new UsageError(`Only two models can be compared, not also '${others.join("', '")}'.`)
  if (before === '-' && after === '-')
    throw new UsageError('Only one of the models can be on standard input.')
  return [before, after]
}

/** Formats changes, with a line break at the end. */
function printChanges(
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
  if (count === 0) return 'No differences that clients can see.'
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
