import type { Command } from './command.js'
import type { CommandRow } from './command-table.js'
import type { OptionTable } from './option-table.js'

export const program = 'express-odata-v2'

const helpRow = { help: { type: 'boolean', short: 'h', text: 'print this' } } as const satisfies OptionTable

/** What `express-odata-v2 --help` prints. */
export function programHelp(table: Readonly<Record<string, CommandRow>>): string {
  const rows = Object.entries(table).map(([name, { summary }]) => [name, summary] as const)
  return [
    `Usage: ${program} <command> ...`,
    `       ${program} <source> [options]     the same as ${program} serve <source> [options]`,
    '',
    'OData V2 services of what is there, and tools for those who make and use them.',
    '',
    ...columns(rows),
    '',
    `${program} <command> --help explains a command, ${program} --version prints the version.`,
    `What is called like a command is written with its directory: ${program} ./import`,
  ].join('\n')
}

/** What `express-odata-v2 <command> --help` prints. */
export function commandHelp(name: string, command: Command): string {
  const { description, options, notes } = command
  const all: OptionTable = { ...options, ...helpRow }
  const rows = Object.entries(all).map(([long, { short, value, text }]) => {
    const written = `${short === undefined ? '' : `-${short}, `}--${long}${value === undefined ? '' : ` ${value}`}`
    return [written, text] as const
  })
  return [
    usageLine(name, command),
    '',
    description,
    '',
    ...columns(rows),
    ...(notes === undefined ? [] : ['', notes]),
  ].join('\n')
}

/** The line that follows on a mistake in a command line. */
export function usageLine(name: string, { synopsis }: Command): string {
  return `Usage: ${program} ${name} ${synopsis}`
}

/** What a row says wraps where a line would be longer than this. */
const lineLength = 110

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.flatMap(([name, text]) => {
    const [first = '', ...others] = wrapped(text, lineLength - width - 4)
    return [`  ${name.padEnd(width)}  ${first}`, ...others.map((line) => ' '.repeat(width + 4) + line)]
  })
}

function wrapped(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
