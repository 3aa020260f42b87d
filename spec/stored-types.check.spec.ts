import { readFileSync, writeFileSync } from 'node:fs'
import type { DatabaseKind } from './support/sql/model-tables.js'
import type { ColumnTypeRow, StoredLiteral } from './support/sql/type-table/column-type-row.js'
import { columnTypesOf } from './support/sql/type-table/column-types-of.js'

const guide = 'docs/database-types.md'
const headings: Readonly<Record<DatabaseKind, string>> = {
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
  mysql: 'MySQL and MariaDB',
}

type Cells = readonly string[]

/** Long and multi-line values are shortened. */
function code(text: string): string {
  const line = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll('|', '\\|')
  return `\`${line.length > 50 ? `${line.slice(0, 24).replace(/\w*$/, '')}…` : line}\``
}

const literalOf = (value: StoredLiteral): string => (typeof value === 'string' ? value : value[0])
const nameOf = ({ column }: ColumnTypeRow): string => (column === '' ? 'none' : code(column))

/** The main table of a database. */
function typesOf(rows: readonly ColumnTypeRow[]): readonly Cells[] {
  return [
    [
      'Column type',
      'Property',
      'Key',
      '`$filter`',
      '`$orderby`',
      'Write',
      'Tested values',
      'Rejected with 400',
    ],
    ...rows.map((row) => [
      nameOf(row),
      `Edm.${row.edm}`,
      row.key === false ? 'no' : 'yes',
      row.filter ?? 'database',
      row.order ?? 'database',
      'yes',
      row.values
        .slice(0, 3)
        .map((value) => code(literalOf(value)))
        .join(', '),
      Object.keys(row.refused ?? {})
        .map(code)
        .join(', '),
    ]),
  ]
}

/** The table of stored values that are invalid for their property. */
function invalidOf(rows: readonly ColumnTypeRow[]): readonly Cells[] {
  const invalid = rows.filter((row) => row.invalid !== undefined)
  return [
    ['Column type', 'Invalid values'],
    ...invalid.map((row) => [nameOf(row), (row.invalid ?? []).map(([value]) => code(value)).join(', ')]),
  ]
}

/** A table as Prettier pads it. */
function markdown(rows: readonly Cells[]): string {
  const [head = []] = rows
  const widths = head.map((_, index) => Math.max(3, ...rows.map((row) => row[index]?.length ?? 0)))
  const lines = rows.map(
    (row) => `| ${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`,
  )
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return `${[lines[0], rule, ...lines.slice(1)].join('\n')}\n`
}

describe(guide, () => {
  it.each(Object.entries(headings))('MUST have the tested column types of %s', (kind, heading) => {
    const rows = columnTypesOf[kind as DatabaseKind]
    for (const [title, table] of [
      [heading, typesOf(rows)],
      [`Invalid values of ${heading}`, invalidOf(rows)],
    ] as const) {
      const text = readFileSync(guide, 'utf8')
      const section = new RegExp(`(?<=^##+ ${title}\n\n)(?:\\|.*\n)*`, 'm')
      if (process.env.UPDATE_DOCS === '1')
        writeFileSync(
          guide,
          text.replace(section, () => markdown(table)),
        )
      else expect(section.exec(text)?.[0]).toBe(markdown(table))
    }
  })
})
