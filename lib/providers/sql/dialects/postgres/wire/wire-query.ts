import type { Duplex } from 'node:stream'
import { WireRows } from '../../../wire/wire-rows.js'
import { dataRowCells } from './data-rows.js'
import type { ResultFormats } from '../../../wire/wire-format.js'
import type { WireRowSink } from './message-splitter.js'
import { MessageSplitter } from './message-splitter.js'
import type { SentStatement } from './query-messages.js'
import { queryMessages } from './query-messages.js'

/** The part of a connection of `pg` that queries use which are submitted to it, as those of `pg-cursor` are. */
interface WireConnection {
  readonly stream: Duplex
  readonly parsedStatements: Readonly<Record<string, string | undefined>>
}

/** The result of a {@link WireQuery}, with the members of results of `pg` that Kysely reads. */
interface WireResult {
  readonly command: 'SELECT'
  readonly rowCount: number
  readonly rows: WireRows
}

type Callback = (error: Error | null, result?: WireResult) => void

/**
 * A query that is submitted to a client of `pg` and whose rows stay as they are on the wire. Kysely hands the text of a
 * statement to the client as it is, so this is also the text. A `log` function of the application may call the methods
 * of strings on it.
 */
export class WireQuery implements PromiseLike<WireResult> {
  /** The name of the prepared statement; empty for a statement that is not prepared. */
  name = ''
  /** The driver replaces it to add its timeout. */
  callback: Callback
  readonly rows = new WireRows(dataRowCells)
  private readonly result: Promise<WireResult>

  constructor(
    public text: string,
    readonly values: readonly unknown[],
    readonly formats: ResultFormats,
  ) {
    let settle: Callback = () => undefined
    this.result = new Promise((resolve, reject) => {
      settle = (error, result) => {
        if (result === undefined) reject(error ?? new Error('The statement has no result.'))
        else resolve(result)
      }
    })
    this.callback = settle
  }

  /** `pg-native` waits for an event before it runs the next query. */
  readonly state = 'error'

  once(_event: string, listener: () => void): void {
    process.nextTick(listener)
  }

  then<R = WireResult, E = never>(
    onResult?: ((result: WireResult) => R | PromiseLike<R>) | null,
    onError?: ((error: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    return this.result.then(onResult, onError)
  }

  /** Sends the statement, without asking for the description of its columns. */
  submit(connection: WireConnection): Error | null {
    if (typeof (connection as Partial<WireConnection>).stream?.rawListeners !== 'function') {
      // `pg-native` ignores the error that is returned.
      const error = new TypeError('Rows can only be taken from a connection of pg.')
      process.nextTick(() => this.handleError(error))
      return null
    }
    const { stream, parsedStatements } = connection
    const messages = queryMessages(this.sent((name) => parsedStatements[name] !== undefined))
    // Before the messages are sent, for their errors; the driver notes that the statement is parsed.
    MessageSplitter.attach(stream, this.sink)
    stream.write(messages)
    return null
  }

  /** @param isParsed returns true if the connection has parsed the statement with a name */
  protected sent(isParsed: (name: string) => boolean): readonly SentStatement[] {
    const { name, text, values, formats } = this
    return [{ name, text: name !== '' && isParsed(name) ? undefined : text, values, formats }]
  }

  protected get sink(): WireRowSink {
    return this.rows
  }

  handleError(error: Error): void {
    this.callback(error)
  }

  handleCommandComplete(): void {
    // The result is complete when the server is ready for the next statement.
  }

  handleReadyForQuery(): void {
    const { rows } = this
    this.callback(null, { command: 'SELECT', rowCount: rows.length, rows })
  }

  get length(): number {
    return this.text.length
  }

  toString(): string {
    return this.text
  }

  toJSON(): string {
    return this.text
  }
}

// The methods of strings work on everything that has a string.
Object.setPrototypeOf(WireQuery.prototype, String.prototype)
