import { crc32, inflateRawSync } from 'node:zlib'

/** A cell as a spreadsheet shows it. */
export interface SheetCell {
  readonly type: 'number' | 'text' | 'boolean'
  readonly value: string
  /** The number format; undefined for cells without one. */
  readonly format: string | undefined
}

export interface Sheet {
  readonly name: string
  /** Cells by address: `A1`. */
  readonly cells: ReadonlyMap<string, SheetCell>
  readonly xml: string
}

/** Reads the files of a ZIP archive by its directory, and checks their sizes and checksums. */
export function unzip(archive: Buffer): ReadonlyMap<string, Buffer> {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  const files = new Map<string, Buffer>()
  let at = archive.readUInt32LE(end + 16)
  expect(at + archive.readUInt32LE(end + 12)).toBe(end)
  for (let count = archive.readUInt16LE(end + 10); count > 0; count--) {
    const [crc, compressedSize, size] = [16, 20, 24].map((offset) => archive.readUInt32LE(at + offset))
    const nameLength = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    const local = archive.readUInt32LE(at + 42)
    expect(archive.readUInt32LE(local)).toBe(0x04034b50)
    expect(archive.toString('utf8', local + 30, local + 30 + nameLength)).toBe(name)
    const start = local + 30 + nameLength + archive.readUInt16LE(local + 28)
    const after = start + (compressedSize ?? 0)
    const content = inflateRawSync(archive.subarray(start, after))
    const descriptor = [0, 4, 8, 12].map((offset) => archive.readUInt32LE(after + offset))
    expect([name, content.length, crc32(content)]).toEqual([name, size, crc])
    expect(descriptor).toEqual([0x08074b50, crc, compressedSize, size])
    files.set(name, content)
    at += 46 + nameLength
  }
  return files
}

/** Reads a workbook, independently of the code that writes it. */
export function readXlsx(archive: Buffer): readonly Sheet[] {
  const files = unzip(archive)
  const text = (name: string): string => files.get(name)?.toString('utf8') ?? ''
  const formats = formatsOf(text('xl/styles.xml'))
  const targets = new Map(
    all(text('xl/_rels/workbook.xml.rels'), /<Relationship Id="(\w+)" Type="[^"]*" Target="([^"]*)"/g) as [
      string,
      string,
    ][],
  )
  return all(text('xl/workbook.xml'), /<sheet name="([^"]*)" sheetId="\d+" r:id="(\w+)"/g).map(
    ([name = '', id = '']) => {
      const xml = text(`xl/${targets.get(id) ?? ''}`)
      return { name: unescapeXml(name), cells: cellsOf(xml, formats), xml }
    },
  )
}

/** Returns the values of a sheet as rows of text. */
export function rowsOf({ cells }: Sheet): readonly (readonly (string | undefined)[])[] {
  const rows: (string | undefined)[][] = []
  for (const [address, { value }] of cells) {
    const [, letters = '', digits = ''] = /^([A-Z]+)(\d+)$/.exec(address) ?? []
    const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
    const row = (rows[Number(digits) - 1] ??= [])
    row[column] = value
  }
  return rows.map((row) => Array.from(row))
}

function cellsOf(xml: string, formats: readonly (string | undefined)[]): ReadonlyMap<string, SheetCell> {
  const cells = new Map<string, SheetCell>()
  for (const [address = '', style, type, value, content] of all(
    xml,
    /<c r="([A-Z]+\d+)"(?: s="(\d+)")?(?: t="(\w+)")?>(?:<v>([^<]*)<\/v>|<is><t(?: xml:space="preserve")?>([^<]*)<\/t><\/is>)<\/c>/g,
  )) {
    const format = formats[Number(style ?? 0)]
    if (type === 'inlineStr') cells.set(address, { type: 'text', value: stringOf(content ?? ''), format })
    else cells.set(address, { type: type === 'b' ? 'boolean' : 'number', value: value ?? '', format })
  }
  // No element is missed by the pattern above.
  expect(cells.size).toBe(all(xml, /<c[ >]/g).length)
  return cells
}

/** ST_Xstring: `_xHHHH_` is a character. */
function stringOf(text: string): string {
  const read = unescapeXml(text.replaceAll('\r\n', '\n').replaceAll('\r', '\n'))
  return read.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
}

function formatsOf(styles: string): readonly (string | undefined)[] {
  const codes = new Map(
    all(styles, /<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g).map(([id, code]) => [id, code]),
  )
  const [, cellStyles = ''] = /<cellXfs[^>]*>(.*)<\/cellXfs>/.exec(styles) ?? []
  return all(cellStyles, /<xf numFmtId="(\d+)"/g).map(([id]) => codes.get(id))
}

function all(text: string, pattern: RegExp): (string | undefined)[][] {
  return [...text.matchAll(pattern)].map((match) => match.slice(1))
}

const references: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#13': '\r' }

function unescapeXml(text: string): string {
  return text.replace(/&([^;]+);/g, (_, name: string) => references[name] ?? '?')
}
