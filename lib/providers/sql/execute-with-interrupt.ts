import type { CompiledQuery, QueryResult } from 'kysely'
import type { Interruption } from './dialect.js'
import type { DriverRow } from './driver-rows.js'
import type { LongStatements, Waiting } from './running-statement.js'
import { RunningStatement } from './running-statement.js'
import type { Connection } from './sql-change-set.js'

interface AbortableCall {
  readonly interruption: Interruption
  readonly call: Waiting
  readonly long: LongStatements
}

/** Runs a statement that the driver of the database interrupts when its call is aborted. */
export function executeWithInterrupt(
  query: CompiledQuery<DriverRow>,
  connection: Connection,
  { interruption, call, long }: AbortableCall,
): Promise<QueryResult<DriverRow>> {
  return connection.getExecutor().provideConnection(async (session) => {
    // It may have waited for the connection.
    call.signal.throwIfAborted()
    const interrupt = (): Promise<void> => Promise.resolve(interruption.interrupt(session))
    const running = new RunningStatement(interruption, call, (work) => work(interrupt), long)
    try {
      return await session.executeQuery<DriverRow>(query)
    } catch (error) {
      throw running.reasonOf(error)
    } finally {
      await running.end(() => Promise.resolve())
    }
  })
}
