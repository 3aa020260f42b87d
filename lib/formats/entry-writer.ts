import type { EntityType } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import type { RowLayout, ValueColumn } from '../evaluation/value-row.js'
import { layoutOf, plainRow } from '../evaluation/value-row.js'
import type { ExpandedRows, RowBatch } from '../data/row-batch.js'
import type { Projection } from '../query/projection.js'
import { keyWriter, pathPrefix } from './entity-address.js'
import type { EntryLayout } from './entry-layout.js'
import { entryLayoutOf, ObjectLayout } from './entry-layout.js'
import type {
  ComputedPart,
  DocumentPart,
  EntryPart,
  InlineEntryPart,
  InlineFeedPart,
  ValuePart,
} from './entry-template.js'
import type { WriteContext } from './format.js'
import { literalFormatter } from './literal-text.js'
import type { ByForm, Form, TextBefore, ValueForms } from './static-text.js'
import { OF_EXCEPTION, OF_NULL, OF_VALUE, StaticTextBuilder } from './static-text.js'
import createDebug from 'debug'

/**
 * Serializes one row of a batch as an entry.
 *
 * @param declarations namespace declarations of the root element, for Atom
 */
export type WriteEntry = (
  batch: RowBatch,
  index: number,
  context: WriteContext,
  declarations?: string,
) => string

/** Formats the cells of a simple property that are not null. */
export interface CellFormatter {
  /** Absent: cells are their text. */
  readonly format?: ((cell: unknown) => string) | undefined
  /** Called before {@link format}, which formats the cells for which it returns undefined. */
  readonly plainText?: ValueColumn['plainText']
  /** The second argument of {@link plainText}. */
  readonly precision?: number | undefined
  /** Returns true if a cell is an exception, which is serialized with `ofException`. Default: no exceptions. */
  readonly isException?: ((cell: unknown, context: WriteContext) => boolean) | undefined
  /** Formats a cell that is an exception. Absent: like all others. */
  readonly formatException?: ((cell: unknown) => string) | undefined
}

/** How a format serializes simple properties. */
export interface ValueFormat {
  readonly forms: (part: ValuePart) => ValueForms
  /** @param column describes the cells; undefined for values */
  readonly formatter: (part: ValuePart, column: ValueColumn | undefined) => CellFormatter
}

/** Creates the entry writers of a format. */
interface EntryFormat {
  readonly value: ValueFormat
  /** The parts of the entries of one entity type. */
  readonly partsOf: (projection: Projection, type: EntityType) => readonly EntryPart[]
  readonly entry: (projection: Projection) => WriteEntry
}

/**
 * Returns a function that returns the entry writer of a projection. A writer is compiled once for each projection, and
 * specialized for each entity type and each layout of rows that occurs.
 *
 * @param partsOf returns the parts of the entries of one entity type
 * @param value serializes simple properties
 */
export function entryWriters(
  partsOf: EntryFormat['partsOf'],
  value: ValueFormat,
): (projection: Projection) => WriteEntry {
  const writers = new WeakMap<Projection, WriteEntry>()
  const entry = (projection: Projection): WriteEntry => {
    let write = writers.get(projection)
    if (write === undefined) {
      write = writerOfAllTypes(projection, { value, partsOf, entry })
      writers.set(projection, write)
    }
    return write
  }
  return entry
}

function writerOfAllTypes(projection: Projection, format: EntryFormat): WriteEntry {
  const { entityType } = projection
  const base = writerOfAllLayouts(projection, entityType, format)
  if (entityType.derivedTypes.length === 0) return base
  const byType = new Map<EntityType, WriteEntry>([[entityType, base]])
  return (batch, index, context, declarations) => {
    const type = typeOfRow(batch.rows[index] as Row, entityType)
    let write = byType.get(type)
    if (write === undefined) {
      write = writerOfAllLayouts(projection, type, format)
      byType.set(type, write)
    }
    return write(batch, index, context, declarations)
  }
}

function writerOfAllLayouts(projection: Projection, type: EntityType, format: EntryFormat): WriteEntry {
  const parts = format.partsOf(projection, type)
  const ofObjects = compileEntry(parts, projection, format, new ObjectLayout())
  const byLayout = new WeakMap<RowLayout, WriteEntry>()
  let lastLayout: RowLayout | undefined
  let ofLast = ofObjects
  return (batch, index, context, declarations) => {
    const layout = layoutOf(batch.rows[index])
    if (layout === undefined) return ofObjects(batch, index, context, declarations)
    if (layout !== lastLayout) {
      ofLast = byLayout.get(layout) ?? compileEntry(parts, projection, format, entryLayoutOf(layout))
      byLayout.set(layout, ofLast)
      lastLayout = layout
    }
    return ofLast(batch, index, context, declarations)
  }
}

/** Serializes a part that is not a cell. @param path of the entity, relative to the service root */
type WritePart = (
  row: Row,
  path: string,
  context: WriteContext,
  batch: RowBatch,
  index: number,
  declarations: string,
) => string

const KEY = -1
const ROOT = -2
const OTHER = -3

/** Serializes one part of an entry, with the static text before it. A class: V8 reads members of one class faster. */
class Step {
  readonly ofValue: ByForm
  readonly ofException: ByForm
  readonly ofNull: ByForm

  readonly format: CellFormatter['format']
  readonly plainText: CellFormatter['plainText']
  readonly precision: number | undefined
  readonly isException: CellFormatter['isException']
  readonly formatException: CellFormatter['formatException']

  /** @param index of the cell; `KEY`, `ROOT` or `OTHER` for parts that are not a cell */
  constructor(
    readonly index: number,
    before: TextBefore,
    { format, plainText, precision, isException, formatException = format }: CellFormatter = {},
    readonly warnOnNull?: (path: string) => void,
    readonly write?: WritePart,
  ) {
    this.format = format
    this.plainText = plainText
    this.precision = precision
    this.isException = isException
    this.formatException = formatException
    this.ofValue = before.value
    this.ofException = before.exception
    this.ofNull = before.null
  }
}

/** Compiles the parts of an entry for rows of a layout into a list of steps. */
function compileEntry(
  parts: readonly EntryPart[],
  projection: Projection,
  entryFormat: EntryFormat,
  layout: EntryLayout,
): WriteEntry {
  const writeKey = keyWriter(projection.entityType, layout)
  const prefix = `${pathPrefix(projection.set)}(`
  const { steps, end } = compileSteps(parts, prefix, projection, entryFormat, layout)
  return (batch, index, context, declarations = '') => {
    const row = batch.rows[index] as Row
    const cells = layout.cells(row)
    const key = writeKey(cells, row)
    let entry = ''
    let form: Form = OF_VALUE
    for (const step of steps) {
      const { index: cellIndex } = step
      if (cellIndex >= 0) {
        const cell = cells[cellIndex]
        if (cell === null || cell === undefined) {
          step.warnOnNull?.(`${prefix}${key})`)
          entry += step.ofNull[form]
          form = OF_NULL
        } else if (step.isException !== undefined && step.isException(cell, context)) {
          entry += step.ofException[form] + format(step.formatException, cell)
          form = OF_EXCEPTION
        } else {
          const { plainText } = step
          const text = plainText === undefined ? undefined : plainText(cell, step.precision)
          entry += step.ofValue[form] + (text ?? format(step.format, cell))
          form = OF_VALUE
        }
      } else {
        entry += step.ofValue[form]
        form = OF_VALUE
        if (cellIndex === KEY) entry += key
        else if (cellIndex === ROOT) entry += context.root
        else entry += step.write?.(row, `${prefix}${key})`, context, batch, index, declarations) ?? ''
      }
    }
    return entry + end[form]
  }
}

function compileSteps(
  parts: readonly EntryPart[],
  prefix: string,
  projection: Projection,
  format: EntryFormat,
  layout: EntryLayout,
): { readonly steps: readonly Step[]; readonly end: ByForm } {
  const texts = new StaticTextBuilder()
  const steps: Step[] = []
  for (const part of parts) {
    switch (part.kind) {
      case 'Text':
        texts.add(part.text)
        break
      case 'Root':
        steps.push(new Step(ROOT, texts.addValue(bare)))
        break
      case 'Path':
        texts.add(prefix)
        steps.push(new Step(KEY, texts.addValue(bare)))
        texts.add(')')
        break
      case 'Value': {
        const index = layout.indexOf(part.path)
        const before = texts.addValue(format.value.forms(part))
        const formatter = format.value.formatter(part, layout.column(index))
        steps.push(new Step(index, before, formatter, warnOnMissingValue(part)))
        break
      }
      case 'Literal': {
        const index = layout.indexOf([part.property])
        const formatLiteral = literalFormatter(part.property, layout.column(index))
        steps.push(new Step(index, texts.addValue(literal), { format: formatLiteral }))
        break
      }
      default: {
        const write = partWriter(part, projection, format)
        const before = texts.addValue(bare)
        steps.push(new Step(OTHER, before, {}, undefined, write))
      }
    }
  }
  return { steps, end: texts.end() }
}

const bare: ValueForms = { ofValue: { opening: '', closing: '' }, whenNull: '' }
const literal: ValueForms = { ...bare, whenNull: 'null' }

/** @param formatCell absent for cells that are their text */
function format(formatCell: CellFormatter['format'], cell: unknown): string {
  return formatCell === undefined ? (cell as string) : formatCell(cell)
}

type OtherPart = DocumentPart | InlineEntryPart | InlineFeedPart | ComputedPart

function partWriter(part: OtherPart, projection: Projection, format: EntryFormat): WritePart {
  switch (part.kind) {
    case 'Updated':
      return (_row, _path, { updated }) => updated
    case 'Declarations':
      return (_row, _path, _context, _batch, _index, declarations) => declarations
    case 'InlineEntry':
      return inlineEntryWriter(part, projection, format)
    case 'InlineFeed':
      return inlineFeedWriter(part, projection, format)
    case 'Computed': {
      const { write } = part
      return (row, path, context) => write(plainRow(row), path, context)
    }
  }
}

/** @spec MS-ODATA 2.2.6.2.6.1 (inline representation) */
function inlineEntryWriter(part: InlineEntryPart, projection: Projection, format: EntryFormat): WritePart {
  const { expansion, opening, closing, whenEmpty: whenNone } = part
  const write = format.entry(inlineProjection(projection, expansion))
  return (_row, _path, context, { expansions }, index) => {
    const { batch, offsets } = expansions[expansion] as ExpandedRows
    const start = offsets[index] ?? 0
    if (start === (offsets[index + 1] ?? start)) return whenNone
    return opening + write(batch, start, context) + closing
  }
}

function inlineFeedWriter(part: InlineFeedPart, projection: Projection, format: EntryFormat): WritePart {
  const { expansion, separator, closingOfTruncated: closingOfCut, open, close } = part
  const write = format.entry(inlineProjection(projection, expansion))
  return (_row, path, context, outer, index) => {
    const { batch, offsets, truncated } = outer.expansions[expansion] as ExpandedRows
    const start = offsets[index] ?? 0
    const end = offsets[index + 1] ?? start
    let feed = open(path, context, start === end)
    for (let child = start; child < end; child++) {
      if (child > start) feed += separator
      feed += write(batch, child, context)
    }
    if (context.version === '2.0' && truncated.has(index)) {
      return feed + closingOfCut(path, batch.rows[end - 1] as Row, context.root)
    }
    return feed + close(context)
  }
}

function inlineProjection({ expansions }: Projection, position: number): Projection {
  const expansion = expansions[position]
  if (expansion === undefined) throw new TypeError('The projection does not have this expansion.')
  return expansion.projection
}

const debug = createDebug('odata-v2:provider')

/**
 * Returns a function that reports once that a provider has no value for a required property. The response is sent
 * nevertheless. Returns undefined if debugging is disabled.
 */
function warnOnMissingValue({ path }: ValuePart): ((address: string) => void) | undefined {
  if (!debug.enabled || path.at(-1)?.nullable !== false) return undefined
  const name = path.map((property) => property.name).join('/')
  let isReported = false
  return (address) => {
    if (isReported) return
    isReported = true
    debug(
      "%s: '%s' is null, but the model has nullable: false, and clients may reject that. Provide a value, or set nullable: true.",
      address,
      name,
    )
  }
}
