import type { ByteSource } from '../../../../../util/byte-source.js'
import type { ResultFormats, WireRead } from '../../../wire/wire-format.js'
import { WireRows } from '../../../wire/wire-rows.js'
import { dataRowCells } from './data-rows.js'
import type { WireRowSink } from './message-splitter.js'
import type { SentStatement } from './query-messages.js'
import { WireQuery } from './wire-query.js'

/** One statement of a {@link WirePipeline}. */
class PipelinedStatement {
  /** The name of the prepared statement; empty for a statement that is not prepared. */
  name = ''
  readonly rows = new WireRows(dataRowCells)

  constructor(
    readonly text: string,
    readonly values: readonly unknown[],
    readonly formats: ResultFormats,
  ) {}
}

/**
 * Statements that are sent together, and that run one after the other up to the first that fails. In a transaction, they
 * take one round trip.
 */
export class WirePipeline extends WireQuery implements WireRowSink {
  /** Their rows are complete when the last statement has succeeded. */
  readonly statements: readonly PipelinedStatement[]
  private completed = 0
  private sentAt = 0
  /** Milliseconds from sending the statements to the end of the last one. */
  duration = 0

  constructor(statements: readonly WireRead[]) {
    super('', [], [])
    this.statements = statements.map(
      ({ statement: { text, parameters }, formats }) => new PipelinedStatement(text, parameters, formats),
    )
  }

  /** Adds a row of the statement that runs. */
  add(source: ByteSource, position: number): void {
    this.statements[this.completed]?.rows.add(source, position)
  }

  override handleCommandComplete(): void {
    this.completed++
    this.showRunning()
  }

  override handleReadyForQuery(): void {
    this.duration = performance.now() - this.sentAt
    super.handleReadyForQuery()
  }

  protected override get sink(): WireRowSink {
    return this
  }

  protected override sent(isParsed: (name: string) => boolean): readonly SentStatement[] {
    this.showRunning()
    this.sentAt = performance.now()
    const names = new Set<string>()
    return this.statements.map(({ name, text, values, formats }) => {
      const isKnown = name !== '' && (names.has(name) || isParsed(name))
      names.add(name)
      return { name, text: isKnown ? undefined : text, values, formats }
    })
  }

  /** Sets the name and the text that the driver reads when the server has parsed a statement. */
  private showRunning(): void {
    const running = this.statements[this.completed]
    this.name = running?.name ?? ''
    this.text = running?.text ?? ''
  }

  override get length(): number {
    return this.toString().length
  }

  override toString(): string {
    return this.statements.map(({ text }) => text).join('; ')
  }

  override toJSON(): string {
    return this.toString()
  }
}
