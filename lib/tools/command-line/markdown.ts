/** Text as it is, whatever is in it, in a paragraph or in a cell of a table. */
export function escaped(text: string): string {
  return (
    text
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/[\\`*{}[\]<>#|~]|&(?=#?\w+;)/g, '\\$&')
      // At the start of a paragraph it would begin a list, or be a line across the page.
      .replace(/^[-+](?=[ -]|$)|(?<=^\d+)[.)](?= |$)/, '\\$&')
      // Between letters it is one of them.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
  )
}

/** A name as it is written in requests. */
export function code(name: string): string {
  return `\`${name}\``
}

/** A table; nothing when it has no rows. Columns in which nothing stands are left out. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return []
  const shown = headings.map((_heading, column) => rows.some((row) => (row[column] ?? '') !== ''))
  const line = (cells: readonly string[]): string =>
    `| ${cells.filter((_cell, column) => shown[column] === true).join(' | ')} |`
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)]
}

/** The anchor that readers of Markdown make of a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}
