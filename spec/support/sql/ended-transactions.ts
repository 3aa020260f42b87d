import { sql } from 'kysely'
import type { HookCall } from '../../../lib/provider/hooks.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { Failures } from '../failures.js'
import { until } from '../until.js'
import { change, changeSetModel, changeSetTables } from './change-set-model.js'
import { ChangeSetService, statuses } from './change-set-services.js'
import type { DatabaseKind } from './column-types.js'
import { quoted } from './column-types.js'
import type { AnyDatabase } from './model-tables.js'

/** Work of a hook between two changes of a change set. */
type Work = (connection: AnyDatabase) => Promise<unknown>

const run = (...statements: readonly string[]): Work => {
  return async (connection) => {
    for (const statement of statements) await sql.raw(statement).execute(connection)
  }
}

/** The hook ignores errors, as code that writes an audit log does. */
const ignoringErrors =
  (work: Work): Work =>
  (connection) =>
    work(connection).catch(() => undefined)

const attempt = (...statements: readonly string[]): Work => ignoringErrors(run(...statements))

/** A hook between two changes, and what becomes of them: their statuses, or that of the change set. */
interface Case {
  readonly title: string
  readonly work: Work
  readonly setup?: readonly string[]
  readonly expected: unknown
}

const stored = [[204, 204]]
const failed = [500]
const unavailable = [503]

const BOUNDARIES = [
  'begin',
  'START TRANSACTION',
  'commit',
  'rollback',
  '-- end\n/* of it */ COMMIT and chain',
  'rollback work',
]

/** Runs statements that are refused before they are sent. */
const refused =
  (statements: readonly string[]): Work =>
  async (connection) => {
    for (const statement of statements)
      await expect(sql.raw(statement).execute(connection)).rejects.toThrow(TypeError)
  }

/** @param q quotes a name */
function casesOf(kind: DatabaseKind, q: (name: string) => string): readonly Case[] {
  const double = `insert into ${q('Notes')} values (1, 1)`
  const common: readonly Case[] = [
    {
      title: 'refuse statements that begin or end a transaction',
      work: refused(BOUNDARIES),
      expected: stored,
    },
    {
      title: 'refuse a transaction of Kysely',
      work: ignoringErrors((connection) => connection.transaction().execute(run(double))),
      expected: stored,
    },
    {
      title: 'continue when the hook rolls back to a savepoint',
      work: attempt('savepoint own', `update ${q('Shelves')} set ${q('Name')} = 'hook'`, 'rollback to own'),
      expected: stored,
    },
    {
      title: 'continue after a failed statement unless the database refuses that',
      work: attempt(double),
      expected: kind === 'postgres' ? failed : stored,
    },
    {
      title: 'continue when the hook rolls back a failed statement to a savepoint',
      work: async (connection) => {
        await run('savepoint own')(connection)
        await attempt(double)(connection)
        await run('rollback to own')(connection)
      },
      expected: stored,
    },
  ]
  const own: Record<DatabaseKind, readonly Case[]> = {
    postgres: [
      {
        title: 'fail when a list of statements has rolled back',
        work: attempt('select 1; rollback'),
        expected: failed,
      },
    ],
    sqlite: [
      {
        title: 'fail after `insert or rollback`',
        work: attempt(double.replace('insert', 'insert or rollback')),
        expected: failed,
      },
      {
        title: 'fail after a constraint with `on conflict rollback`',
        setup: ['create table own (n integer unique on conflict rollback)', 'insert into own values (1)'],
        work: attempt('insert into own values (1)'),
        expected: failed,
      },
      {
        title: 'fail after a trigger that rolls back',
        setup: [`create trigger own before delete on "Notes" begin select raise(rollback, 'no'); end`],
        work: attempt('delete from "Notes"'),
        expected: failed,
      },
      {
        title: 'fail when the database is full',
        setup: ['create table own (n blob)', 'pragma max_page_count = 20'],
        work: attempt('insert into own values (zeroblob(1000000))'),
        expected: failed,
      },
    ],
    mysql: [
      {
        title: 'refuse statements that commit',
        work: refused([
          'create table own (n int)',
          'drop table if exists own',
          'alter table `Notes` add own int',
          'truncate table `Notes`',
          'create index own on `Notes` (`ShelfID`)',
          '/* first */ lock tables `Notes` write',
          'analyze table `Notes`',
          'rename table `Notes` to own',
        ]),
        expected: stored,
      },
      {
        title: 'continue after the creation of a temporary table',
        work: attempt('create temporary table own (n int)', 'drop temporary table own'),
        expected: stored,
      },
      {
        title: 'fail after a procedure that rolls back',
        setup: ['create procedure own() rollback'],
        work: attempt('call own()'),
        expected: failed,
      },
      {
        title: 'respond with 503 when its connection is killed',
        work: attempt('kill connection_id()'),
        expected: unavailable,
      },
    ],
  }
  return [...common, ...own[kind]]
}

/**
 * Tests change sets whose transaction a hook ends or tries to end, and ignores that.
 *
 * @param open opens a new, empty database
 */
export function describeEndedTransactions(kind: DatabaseKind, open: () => Promise<AnyDatabase>): void {
  const q = (name: string): string => quoted(name, kind)
  const errors = new Failures()
  let db: AnyDatabase
  let service: ChangeSetService

  const start = async (work: Work, setup: readonly string[] = []): Promise<void> => {
    db = await open()
    for (const statement of changeSetTables(kind)) await sql.raw(statement).execute(db)
    await run(
      `insert into ${q('Shelves')} values (1, 'old'), (2, 'old')`,
      `insert into ${q('Notes')} values (1, 0), (2, 0), (3, 0)`,
      ...setup,
    )(db)
    const provider = sqlProvider(changeSetModel, db)
    const beforeUpdate = async (
      _changes: unknown,
      { ID }: { ID?: unknown },
      call: HookCall,
    ): Promise<void> => {
      if (ID === 2) await work(provider.connectionOf(call))
    }
    const options = { hooks: { Shelves: { beforeUpdate } }, onError: errors.onError }
    service = await ChangeSetService.of(provider, options)
  }

  const send = async (): Promise<unknown> =>
    statuses(
      await service.send(
        change('MERGE', 'Shelves(1)', { Name: 'new' }),
        change('MERGE', 'Shelves(2)', { Name: 'new' }),
      ),
    )
  const names = async (): Promise<unknown> => {
    const { rows } = await sql<{ Name: string }>`select ${sql.ref('Name')} from ${sql.table('Shelves')}
      order by ${sql.ref('ID')}`.execute(db)
    return rows.map(({ Name }) => Name)
  }
  const expectedNames = (outcome: unknown): unknown => (outcome === stored ? ['new', 'new'] : ['old', 'old'])

  describe(`A change set on ${kind} with a hook that ignores errors`, () => {
    afterEach(async () => {
      await service.stop()
      if (kind !== 'postgres') await db.destroy()
    })

    it.each(casesOf(kind, q).map((one) => [one.title, one] as const))(
      'MUST %s',
      async (_title, { work, setup, expected }) => {
        await start(work, setup)
        expect([await send(), await names()]).toEqual([expected, expectedNames(expected)])
      },
    )

    if (kind === 'sqlite') return

    /** Runs a statement of the hook that waits for a transaction, which waits for the change set. */
    const deadlock = async (connection: AnyDatabase): Promise<void> => {
      const other = await db.startTransaction().execute()
      if (kind === 'postgres') await run(`set local deadlock_timeout = '1h'`)(other)
      // MySQL rolls back the transaction that has changed fewer rows.
      await run(`update ${q('Notes')} set ${q('ShelfID')} = 7`)(other)
      const waiting = run(`update ${q('Shelves')} set ${q('Name')} = 'other' where ${q('ID')} = 1`)(other)
      await until(isWaiting)
      const update = run(`update ${q('Notes')} set ${q('ShelfID')} = 8 where ${q('ID')} = 1`)(connection)
      await update.finally(async () => {
        await waiting
        await other.rollback().execute()
      })
    }
    const isWaiting = async (): Promise<boolean> => {
      if (kind === 'postgres') {
        const { rows } = await sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
        return rows.length > 0
      }
      // InnoDB refreshes the table of transactions only when it was not read for 100 ms.
      await sql`do sleep(0.15)`.execute(db)
      const { rows } = await sql`select 1 from information_schema.innodb_trx
        join information_schema.processlist on id = trx_mysql_thread_id
        where db = database() and trx_state = 'LOCK WAIT'`.execute(db)
      return rows.length > 0
    }
    const deadlocks = (times: number): Work => {
      let count = 0
      return async (connection) => {
        if (count++ < times) await deadlock(connection)
      }
    }

    it('MUST be retried after a deadlock of the hook', async () => {
      await start(ignoringErrors(deadlocks(1)))
      expect([await send(), await names()]).toEqual([stored, ['new', 'new']])
    })

    it('MUST be retried after a deadlock that the hook reports', async () => {
      await start(deadlocks(1))
      expect([await send(), await names()]).toEqual([stored, ['new', 'new']])
    })

    it('MUST be rolled back and respond with 503 when deadlocks continue', async () => {
      await start(ignoringErrors(deadlocks(100)))
      expect([await send(), await names()]).toEqual([unavailable, ['old', 'old']])
    })
  })
}
