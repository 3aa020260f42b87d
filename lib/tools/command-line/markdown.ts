/** Escapes a string for a paragraph or a table cell. */
export function escaped(text: string): string {
  return (
    text
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/[\\`*{}[\]<>#|~]|&(?=#?\w+;)/g, '\\$&')
      // At the start of a paragraph these begin a list or a thematic break.
      .replace(/^[-+](?=[ -]|$)|(?<=^\d+)[.)](?= |$)/, '\\$&')
      // Between letters an underscore is not emphasis.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
  )
}

/** Formats a name as inline code. */
export function code(name: string): string {
  return `\`${name}\``
}

/** Formats a table without its empty columns; returns no lines without rows. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return []
  const shown = headings.map((_heading, column) => rows.some((row) => (row[column] ?? '') !== ''))
  const line = (cells: readonly string[]): string =>
    `| ${cells.filter((_cell, column) => shown[column] === true).join(' | ')} |`
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)]
}

/** Returns the anchor that renderers of Markdown generate for a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}
