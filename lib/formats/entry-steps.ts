import type { EntityType, Property } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import { plainRow } from '../evaluation/value-row.js'
import type { ExpandedRows, RowBatch } from '../data/row-batch.js'
import type { Projection } from '../query/projection.js'
import type { ByteWriter } from '../util/byte-writer.js'
import { required } from '../util/required.js'
import type { CellFormatter, EntryLayout } from './entry-layout.js'
import type {
  ComputedPart,
  EntryPart,
  InlineEntryPart,
  InlineFeedPart,
  UpdatedPart,
  ValuePart,
} from './entry-template.js'
import type { WriteContext } from './format.js'
import type { Delimiters, TextBefore } from './static-text.js'
import { StaticTextBuilder } from './static-text.js'
import createDebug from 'debug'

/**
 * Serializes one row of a batch as an entry.
 *
 * @param isFirst true for the first entry of its feed; others begin with the separator of the format
 */
export type WriteEntry = (batch: RowBatch, index: number, isFirst: boolean, context: WriteContext) => string

/** Serializes one row of a batch as an entry, and adds its bytes to a document. */
export type WriteEntryBytes = (
  batch: RowBatch,
  index: number,
  isFirst: boolean,
  context: WriteContext,
  out: ByteWriter,
) => void

/** Serializes the entries of a projection. */
export interface EntryWriter {
  readonly write: WriteEntry
  /** For documents of rows whose cells are bytes. */
  readonly writeBytes: WriteEntryBytes
}

/** The values of a context that are part of the static text of entries. */
export type StaticContext = Pick<WriteContext, 'root' | 'doubleAsNumber' | 'etags'>

/** Creates the entry writers of a format. */
export interface EntryFormat {
  /** Between two entries of a feed. */
  readonly separator: string
  /** Returns the parts of the entries of one entity type. */
  readonly partsOf: (projection: Projection, type: EntityType, context: StaticContext) => readonly EntryPart[]
  readonly entry: (projection: Projection) => EntryWriter
}

/** Serializes a part that is not a cell. @param path of the entity, relative to the service root */
type WritePart = (row: Row, path: string, context: WriteContext, batch: RowBatch, index: number) => string

export const KEY = -1
const OTHER = -2

const noText = (): string => ''
const noCell: CellFormatter = { format: noText }

/** Serializes one part of an entry, with the static text before it. A class: V8 reads members of one class faster. */
export class Step {
  readonly ofValue: TextBefore
  readonly ofNull: TextBefore
  readonly format: CellFormatter['format']
  readonly precision: number | undefined
  readonly copy: CellFormatter['copy']
  readonly add: CellFormatter['add']
  readonly formatOther: NonNullable<CellFormatter['formatOther']>

  /** @param index of the cell; `KEY` or `OTHER` for parts that are not a cell */
  constructor(
    readonly index: number,
    { ofValue, ofNull }: { readonly ofValue: TextBefore; readonly ofNull: TextBefore },
    { format, precision, copy, add, formatOther = noText }: CellFormatter = noCell,
    readonly warnOnNull?: (path: string) => void,
    /** The part, if it is not a cell. */
    readonly part?: OtherPart,
    readonly write: WritePart = noText,
  ) {
    this.ofValue = ofValue
    this.ofNull = ofNull
    this.format = format
    this.precision = precision
    this.copy = copy
    this.add = add
    this.formatOther = formatOther
  }
}

/** Compiles the parts of an entry for rows of a layout into a list of steps. */
export function compileEntrySteps(
  parts: readonly EntryPart[],
  prefix: string,
  projection: Projection,
  format: EntryFormat,
  layout: EntryLayout,
): { readonly steps: readonly Step[]; readonly end: TextBefore } {
  const texts = new StaticTextBuilder(format.separator)
  const steps: Step[] = []
  const warn = missingValueWarning()
  for (const part of parts) {
    switch (part.kind) {
      case 'Text':
        texts.add(part.text)
        break
      case 'Path':
        texts.add(prefix)
        steps.push(new Step(KEY, texts.addValue(bare)))
        texts.add(')')
        break
      case 'Value': {
        const index = layout.indexOf(part.path)
        const formatter = part.formatter(layout.column(index))
        steps.push(new Step(index, texts.addValue(part), formatter, warn?.(part)))
        break
      }
      default: {
        const write = partWriter(part, projection, format)
        steps.push(new Step(OTHER, texts.addValue(bare), noCell, undefined, part, write))
      }
    }
  }
  return { steps, end: texts.end() }
}

const bare: Delimiters = { opening: '', closing: '', whenNull: '' }

export type OtherPart = UpdatedPart | InlineEntryPart | InlineFeedPart | ComputedPart

function partWriter(part: OtherPart, projection: Projection, format: EntryFormat): WritePart {
  switch (part.kind) {
    case 'Updated':
      return (_row, _path, { updated }) => updated
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
  const { expansion, opening, closing, whenEmpty } = part
  const { write } = format.entry(required(projection.expansions[expansion]).projection)
  return (_row, _path, context, { expansions }, index) => {
    const { batch, offsets } = expansions[expansion] as ExpandedRows
    const start = offsets[index] ?? 0
    if (start === (offsets[index + 1] ?? start)) return whenEmpty
    return opening + write(batch, start, true, context) + closing
  }
}

function inlineFeedWriter(part: InlineFeedPart, projection: Projection, format: EntryFormat): WritePart {
  const { expansion, closingOfTruncated, open, close } = part
  const { write } = format.entry(required(projection.expansions[expansion]).projection)
  return (_row, path, context, outer, index) => {
    const { batch, offsets, truncated } = outer.expansions[expansion] as ExpandedRows
    const start = offsets[index] ?? 0
    const end = offsets[index + 1] ?? start
    let feed = open(path, context, start === end)
    for (let child = start; child < end; child++) feed += write(batch, child, child === start, context)
    if (context.version === '2.0' && truncated.has(index)) {
      return feed + closingOfTruncated(path, batch.rows[end - 1] as Row, context)
    }
    return feed + close(context)
  }
}

const debug = createDebug('odata-v2:provider')

/**
 * Returns a function that returns the function that reports once that a provider has no value for a required property.
 * The response is sent nevertheless. Returns undefined if debugging is disabled.
 */
function missingValueWarning(): ((part: ValuePart) => ((address: string) => void) | undefined) | undefined {
  if (!debug.enabled) return undefined
  const reported = new Set<Property>()
  return ({ path }) => {
    const property = required(path.at(-1))
    if (property.nullable) return undefined
    const name = path.map((one) => one.name).join('/')
    return (address) => {
      if (reported.has(property)) return
      reported.add(property)
      debug(
        "%s: '%s' is null, but the model has nullable: false, and clients may reject that. Provide a value, or set nullable: true.",
        address,
        name,
      )
    }
  }
}
