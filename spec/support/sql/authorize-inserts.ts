import { introspect } from '../../../lib/sql.js'
import { SqlServer } from './databases.js'
import type { AnyDatabase } from './model-tables.js'

/** Tables with a column whose default only the database knows. */
export const noteTables = [
  'create table folders (id integer primary key, name varchar(20))',
  `create table notes (id integer primary key, owner varchar(20) default (lower('BOSS')), line varchar(20),
    folder_id integer references folders (id))`,
]

/** Checks rules of `authorize` about values that a database generates. */
export function itAuthorizesStoredInserts(open: () => Promise<AnyDatabase>): void {
  describe('An insert without a value that the filter of `authorize` uses', () => {
    const notes: string[] = []

    async function start(db: AnyDatabase, filter: string): Promise<SqlServer> {
      notes.length = 0
      return SqlServer.start(await introspect(db), db, {
        authorize: ({ kind, ...operation }) =>
          kind === 'insert' && 'entitySet' in operation && operation.entitySet === 'Notes'
            ? filter
            : undefined,
        hooks: { Notes: { afterInsert: ({ Line }) => void notes.push(String(Line)) } },
      })
    }

    it('MUST be refused if a default of the database does not meet the filter', async () => {
      const db = await open()
      const server = await start(db, "Owner ne 'boss'")
      const refused = [403, "This entity cannot be inserted into 'Notes'."]
      expect(await server.refusal('POST', 'Notes', { Id: 1, Line: 'a' })).toEqual(refused)
      expect(
        await server.refusal('POST', 'Folders', { Id: 1, Notes: [{ Id: 2, Owner: 'me' }, { Id: 3 }] }),
      ).toEqual(refused)
      expect((await server.send('GET', 'Notes/$count')).text).toBe('0')
      expect((await server.send('GET', 'Folders/$count')).text).toBe('0')
      expect(notes).toEqual(['null'])
      expect((await server.send('POST', 'Notes', { Id: 1, Owner: 'me' })).status).toBe(201)
      await server.stop()
    })

    it('MUST succeed if a default of the database meets the filter', async () => {
      const db = await open()
      const server = await start(db, "Owner eq 'boss'")
      expect((await server.send('POST', 'Notes', { Id: 1, Line: 'a' })).status).toBe(201)
      // The key is taken: what the caller may not insert is refused before the insert.
      expect((await server.send('POST', 'Notes', { Id: 1, Owner: 'me' })).status).toBe(403)
      expect((await server.send('POST', 'Notes', { Id: 1, Owner: 'boss' })).status).toBe(409)
      await server.stop()
    })
  })
}
