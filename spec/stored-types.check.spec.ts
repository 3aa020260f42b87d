import { readFileSync, writeFileSync } from 'node:fs'
import type { DatabaseKind } from './support/sql/model-tables.js'
import { storedTypes } from './support/sql/stored-values.js'

const guide = 'docs/database-types.md'
const headings: Readonly<Record<DatabaseKind, string>> = {
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
  mysql: 'MySQL and MariaDB',
}

/** The table of a database, padded as Prettier does. */
function tableOf(kind: DatabaseKind): string {
  const cells = storedTypes[kind].map(([column, edmType, literals]) => [
    column === '' ? 'none' : `\`${column}\``,
    `Edm.${edmType}`,
    literals.map((literal) => `\`${literal}\``).join(', '),
  ])
  const rows = [['Column type', 'Property', 'Tested values'], ...cells]
  const widths = [0, 1, 2].map((index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)))
  const lines = rows.map(
    (row) => `| ${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`,
  )
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}

describe(guide, () => {
  it.each(Object.entries(headings))('MUST have the tested column types of %s', (kind, heading) => {
    const text = readFileSync(guide, 'utf8')
    const table = tableOf(kind as DatabaseKind)
    const section = new RegExp(`(?<=^## ${heading}\n\n)(?:\\|.*\n)*`, 'm')
    if (process.env.UPDATE_DOCS === '1')
      writeFileSync(
        guide,
        text.replace(section, () => `${table}\n`),
      )
    else expect(section.exec(text)?.[0]).toBe(`${table}\n`)
  })
})
