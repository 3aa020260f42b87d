import { sql } from 'kysely'
import type { ServedSource } from '../../lib/tools/command-line/served-source.js'
import { serveDatabase } from '../../lib/tools/command-line/open-source.js'
import { openMysql } from '../support/sql/mysql-server.js'

const serve = (source: string): Promise<ServedSource> =>
  serveDatabase(source, { writable: false, keys: {}, invalidAsNull: false }, () => undefined)
const { MARIADB_URL: address = '' } = process.env
const at = (change: (url: URL) => void): string => {
  const url = new URL(address)
  change(url)
  return url.href
}

describe('A MySQL or MariaDB database on the command line', () => {
  it('MUST be served as it is found', async () => {
    const db = await openMysql()
    const { rows } = await sql<{ name: string }>`select database() as name`.execute(db)
    await sql`create table order_details (id int primary key auto_increment, unit_price decimal(10, 2))`.execute(
      db,
    )
    const source: ServedSource = await serve(at((url) => (url.pathname = `/${rows[0]?.name ?? ''}`)))
    const [set] = source.model.defaultContainer.entitySets
    expect(set?.name).toBe('OrderDetails')
    expect(set?.entityType.properties.map(({ name, type }) => [name, type])).toEqual([
      ['Id', 'Edm.Int32'],
      ['UnitPrice', 'Edm.Decimal'],
    ])
    expect(source.title).not.toContain('tester:tester')
    await source.close()
    await db.destroy()
  })

  it.each([
    ['a wrong password', (url: URL) => (url.password = 'wrong'), "rejects the user 'tester'"],
    ['a database that is not there', (url: URL) => (url.pathname = '/nowhere'), "no database 'nowhere'"],
    ['no database', (url: URL) => (url.pathname = ''), 'must end with the name of the database'],
    ['a port at which nothing listens', (url: URL) => (url.port = '1'), 'No server listens at'],
  ])('MUST be distinguished from %s', async (_what, change, message) => {
    await expect(serve(at(change))).rejects.toThrow(message)
  })
})
