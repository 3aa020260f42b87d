import { escapeAttribute } from '../../xml/escape-xml.js'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** Returns the name of the file of a sheet within `xl/`, from 1. */
export function sheetFile(number: number): string {
  return `worksheets/sheet${number}.xml`
}

/** Returns the media types of the files of a workbook: `[Content_Types].xml`. @spec ECMA-376 part 2 */
export function contentTypesPart(sheetCount: number): string {
  const override = (file: string, type: string): string =>
    `<Override PartName="/xl/${file}" ContentType="${CONTENT}.${type}+xml"/>`
  return (
    `${declaration}<Types xmlns="${PACKAGE}/content-types">` +
    `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `<Default Extension="xml" ContentType="application/xml"/>` +
    override('workbook.xml', 'sheet.main') +
    override('styles.xml', 'styles') +
    numbers(sheetCount, (number) => override(sheetFile(number), 'worksheet')) +
    '</Types>'
  )
}

/** Returns the XML of `_rels/.rels`. */
export function packageRelationships(): string {
  return relationships([['officeDocument', 'xl/workbook.xml']])
}

/** Returns the XML of `xl/_rels/workbook.xml.rels`. */
export function workbookRelationships(sheetCount: number): string {
  const sheets = Array.from(
    { length: sheetCount },
    (_, index) => ['worksheet', sheetFile(index + 1)] as const,
  )
  return relationships([...sheets, ['styles', 'styles.xml']])
}

function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const elements = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${RELATIONSHIPS}/${type}" Target="${target}"/>`,
  )
  return `${declaration}<Relationships xmlns="${PACKAGE}/relationships">${elements.join('')}</Relationships>`
}

/** Returns the XML of `xl/workbook.xml`. */
export function workbook(title: string, sheetCount: number): string {
  const sheet = (number: number): string =>
    `<sheet name="${escapeAttribute(sheetName(title, number))}" sheetId="${number}" r:id="rId${number}"/>`
  return (
    `${declaration}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}">` +
    `<sheets>${numbers(sheetCount, sheet)}</sheets></workbook>`
  )
}

const MAX_NAME_LENGTH = 31

/** Returns the name of a sheet. Excel reserves `History`. */
function sheetName(title: string, number: number): string {
  const suffix = number > 1 ? ` (${number})` : title.toLowerCase() === 'history' ? '_' : ''
  return title.slice(0, MAX_NAME_LENGTH - suffix.length) + suffix
}

function numbers(count: number, element: (number: number) => string): string {
  return Array.from({ length: count }, (_, index) => element(index + 1)).join('')
}

/**
 * Returns everything before the rows of a sheet, whose first row is frozen. @param widths of the columns in characters
 */
export function sheetStart(widths: readonly number[], isFirst: boolean): string {
  const columns = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  )
  return (
    `${declaration}<worksheet xmlns="${MAIN}"><sheetViews>` +
    `<sheetView${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${columns.join('')}</cols><sheetData>`
  )
}

/** Everything after the rows of a sheet. */
export const sheetEnd = '</sheetData></worksheet>'

/** Index of the style of the header row. */
export const HEADER_STYLE = 1
const FIRST_CELL_STYLE = 2
/** Smaller numbers are formats that every spreadsheet has. */
const FIRST_CUSTOM_FORMAT = 164

/** The styles of a workbook: the number formats that its cells use. */
export class Styles {
  private readonly formats: string[] = []

  /** Returns the index of the style with a number format such as `0.00`. */
  indexOf(format: string): number {
    const known = this.formats.indexOf(format)
    return FIRST_CELL_STYLE + (known >= 0 ? known : this.formats.push(format) - 1)
  }

  /** Returns the XML of `xl/styles.xml`. */
  toXml(): string {
    const { formats } = this
    const numberFormats = formats.map(
      (code, index) => `<numFmt numFmtId="${FIRST_CUSTOM_FORMAT + index}" formatCode="${code}"/>`,
    )
    const cellStyle = (format: number, font = 0): string =>
      `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0"` +
      `${font > 0 ? ' applyFont="1"' : ''}${format > 0 ? ' applyNumberFormat="1"' : ''}/>`
    const cellStyles = [
      cellStyle(0),
      cellStyle(0, 1),
      ...formats.map((_, index) => cellStyle(FIRST_CUSTOM_FORMAT + index)),
    ]
    const font = (bold: string): string => `<font>${bold}<sz val="11"/><name val="Calibri"/></font>`
    return (
      `${declaration}<styleSheet xmlns="${MAIN}">` +
      (formats.length === 0 ? '' : listOf('numFmts', numberFormats)) +
      listOf('fonts', [font(''), font('<b/>')]) +
      listOf(
        'fills',
        ['none', 'gray125'].map((type) => `<fill><patternFill patternType="${type}"/></fill>`),
      ) +
      listOf('borders', ['<border><left/><right/><top/><bottom/><diagonal/></border>']) +
      listOf('cellStyleXfs', ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']) +
      listOf('cellXfs', cellStyles) +
      listOf('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']) +
      '</styleSheet>'
    )
  }
}

function listOf(name: string, elements: readonly string[]): string {
  return `<${name} count="${elements.length}">${elements.join('')}</${name}>`
}
