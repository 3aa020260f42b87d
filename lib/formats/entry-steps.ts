import type { EntityType } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import type { ValueColumn, WriteCell } from '../evaluation/value-row.js'
import { plainRow } from '../evaluation/value-row.js'
import type { ExpandedRows, RowBatch } from '../data/row-batch.js'
import type { Projection } from '../query/projection.js'
import type { ByteWriter } from '../util/byte-writer.js'
import type { EntryLayout } from './entry-layout.js'
import type {
  ComputedPart,
  DocumentPart,
  EntryPart,
  InlineEntryPart,
  InlineFeedPart,
  ValuePart,
} from './entry-template.js'
import type { WriteContext } from './format.js'
import { literalCopier, literalFormatter } from './literal-text.js'
import type { ByForm, TextBefore, ValueForms } from './static-text.js'
import { StaticTextBuilder } from './static-text.js'
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

/** Serializes one row of a batch as an entry, and adds its bytes to a document. */
export type WriteEntryBytes = (
  batch: RowBatch,
  index: number,
  context: WriteContext,
  out: ByteWriter,
  declarations?: string,
) => void

/** Serializes the entries of a projection. */
export interface EntryWriter {
  readonly write: WriteEntry
  /** For documents of rows whose cells are bytes. */
  readonly writeBytes: WriteEntryBytes
}

/** Formats the cells of a simple property that are not null. */
export interface CellFormatter {
  readonly format: (cell: unknown) => string
  /** Called before {@link format}, which formats the cells for which it returns undefined. */
  readonly plainText?: ValueColumn['plainText']
  /** Copies the bytes of cells. Absent, or for cells for which it returns false: they are formatted. */
  readonly copy?: WriteCell | undefined
  /** The number of fraction digits for {@link copy}. */
  readonly precision?: number | undefined
  /** True if copied cells are exceptions when {@link WriteContext.doubleAsNumber} is set. Default: false */
  readonly isNumber?: boolean | undefined
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
export interface EntryFormat {
  readonly value: ValueFormat
  /** The parts of the entries of one entity type. */
  readonly partsOf: (projection: Projection, type: EntityType) => readonly EntryPart[]
  readonly entry: (projection: Projection) => EntryWriter
}

/** Serializes a part that is not a cell. @param path of the entity, relative to the service root */
export type WritePart = (
  row: Row,
  path: string,
  context: WriteContext,
  batch: RowBatch,
  index: number,
  declarations: string,
) => string

export const KEY = -1
export const ROOT = -2
const OTHER = -3

const noCell: CellFormatter = { format: String }

/** Serializes one part of an entry, with the static text before it. A class: V8 reads members of one class faster. */
export class Step {
  readonly ofValue: ByForm
  readonly ofException: ByForm
  readonly ofNull: ByForm

  readonly format: CellFormatter['format']
  readonly plainText: CellFormatter['plainText']
  readonly copy: CellFormatter['copy']
  readonly precision: number | undefined
  readonly isNumber: boolean
  readonly isException: CellFormatter['isException']
  readonly formatException: CellFormatter['format']

  /** @param index of the cell; `KEY`, `ROOT` or `OTHER` for parts that are not a cell */
  constructor(
    readonly index: number,
    before: TextBefore,
    formatter: CellFormatter = noCell,
    readonly warnOnNull?: (path: string) => void,
    /** The part, if it is not a cell. */
    readonly part?: OtherPart,
    readonly write?: WritePart,
  ) {
    this.format = formatter.format
    this.plainText = formatter.plainText
    this.copy = formatter.copy
    this.precision = formatter.precision
    this.isNumber = formatter.isNumber === true
    this.isException = formatter.isException
    this.formatException = formatter.formatException ?? formatter.format
    this.ofValue = before.value
    this.ofException = before.exception
    this.ofNull = before.null
  }
}

/** Compiles the parts of an entry for rows of a layout into a list of steps. */
export function compileSteps(
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
        const column = layout.column(index)
        const formatLiteral = literalFormatter(part.property, column)
        const copy = literalCopier(part.property, column)
        steps.push(new Step(index, texts.addValue(literal), { format: formatLiteral, copy }))
        break
      }
      default: {
        const write = partWriter(part, projection, format)
        const before = texts.addValue(bare)
        steps.push(new Step(OTHER, before, noCell, undefined, part, write))
      }
    }
  }
  return { steps, end: texts.end() }
}

const bare: ValueForms = { ofValue: { opening: '', closing: '' }, whenNull: '' }
const literal: ValueForms = { ...bare, whenNull: 'null' }

export type OtherPart = DocumentPart | InlineEntryPart | InlineFeedPart | ComputedPart

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
  const { write } = format.entry(inlineProjection(projection, expansion))
  return (_row, _path, context, { expansions }, index) => {
    const { batch, offsets } = expansions[expansion] as ExpandedRows
    const start = offsets[index] ?? 0
    if (start === (offsets[index + 1] ?? start)) return whenNone
    return opening + write(batch, start, context) + closing
  }
}

function inlineFeedWriter(part: InlineFeedPart, projection: Projection, format: EntryFormat): WritePart {
  const { expansion, separator, closingOfTruncated: closingOfCut, open, close } = part
  const { write } = format.entry(inlineProjection(projection, expansion))
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

export function inlineProjection({ expansions }: Projection, position: number): Projection {
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
