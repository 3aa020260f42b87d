/** A field of a CSV document. */
interface CsvField {
  readonly value: string
  readonly isQuoted: boolean
}

/** Reads a CSV document in which every line ends with CRLF. Independent of the code that writes it. @spec RFC 4180 */
export function readCsv(document: string): readonly (readonly CsvField[])[] {
  const text = document.replace(/^\uFEFF/, '')
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  const lines: CsvField[][] = []
  let line: CsvField[] = []
  while (field.lastIndex < text.length) {
    const at = field.lastIndex
    const match = field.exec(text)
    if (match === null)
      throw new Error(`Not a CSV field at ${at}: ${JSON.stringify(text.slice(at, at + 80))}`)
    const [, quoted, plain = '', end] = match
    const isQuoted = quoted !== undefined
    line.push({ value: isQuoted ? quoted.replaceAll('""', '"') : plain, isQuoted })
    if (end === ',') continue
    lines.push(line)
    line = []
  }
  return lines
}
