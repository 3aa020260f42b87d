import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { introspect } from '../../../lib/sql.js'
import { SqlServer } from '../../support/sql/databases.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { fc, runs } from '../../support/random.js'

/** A table of dates. Each row is closed with it. */
class Dates {
  private constructor(
    readonly database: SQLite.Database,
    readonly service: SqlServer,
    readonly model: EdmModel,
    private readonly db: AnyDatabase,
  ) {}

  static async open(type: string, values: readonly (string | number)[]): Promise<Dates> {
    const database = new SQLite(':memory:')
    database.exec(
      `create table dates (id integer primary key, at ${type}); create index dates_at on dates (at)`,
    )
    const insert = database.prepare('insert into dates (at) values (?)')
    for (const value of values) insert.run(value)
    const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database }) })
    const model = await introspect(db)
    return new Dates(database, await SqlServer.start(model, db, { pageSize: 2 }), model, db)
  }

  stored(): readonly unknown[] {
    return this.database.prepare('select at from dates order by id').pluck().all()
  }

  async ids(query: string): Promise<readonly number[]> {
    const ids: number[] = []
    let path: string | undefined = encodeURI(`Dates?${query}&$select=Id`)
    while (path !== undefined) {
      const { status, text } = await this.service.send('GET', path)
      expect([status, status === 200 ? '' : text]).toEqual([200, ''])
      const { d } = JSON.parse(text) as { d: { results: { Id: string }[]; __next?: string } }
      ids.push(...d.results.map(({ Id }) => Number(Id)))
      path = d.__next?.replace(/^.*\/s\//, '')
    }
    return ids
  }

  async close(): Promise<void> {
    await this.service.stop()
    await this.db.destroy()
  }
}

/** The values of programs for 2020-01-01 10:00 UTC and 120 ms, and for the same time without fraction. */
const programs = [
  ['Sequelize', 'datetime', '2020-01-01 10:00:00.120 +00:00', '2020-01-01 10:00:00.000 +00:00'],
  ['TypeORM', 'datetime', '2020-01-01 10:00:00.120', '2020-01-01 10:00:00.000'],
  ['Prisma', 'datetime', '2020-01-01T10:00:00.120+00:00', '2020-01-01T10:00:00.000+00:00'],
  ['Prisma with unixepoch-ms, and Knex', 'datetime', 1577872800120, 1577872800000],
  ['Django', 'datetime', '2020-01-01 10:00:00.120000', '2020-01-01 10:00:00'],
  ['Rails', 'datetime(6)', '2020-01-01 10:00:00.120000', '2020-01-01 10:00:00.000000'],
  ['SQLAlchemy', 'DATETIME', '2020-01-01 10:00:00.120000', '2020-01-01 10:00:00.000000'],
  ['Ruby', 'timestamp', '2020-01-01 10:00:00.120000+0000', '2020-01-01 10:00:00.000000+0000'],
  ['Go', 'datetime', '2020-01-01 10:00:00.120000000+00:00', '2020-01-01 10:00:00.000000000+00:00'],
  ['JavaScript', 'timestamptz', '2020-01-01T10:00:00.120Z', '2020-01-01T10:00:00.000Z'],
] as const

const [noon, later] = ['2020-01-01T10:00:00', '2020-01-01T10:00:00.120']

describe('Dates that programs store in SQLite', () => {
  it.each(programs)(
    'MUST be read, filtered, and written in the format of %s',
    async (_program, type, value, whole) => {
      const dates = await Dates.open(type, [value, whole, value])
      const isOffset = type === 'timestamptz'
      const literal = (text: string): string => (isOffset ? `datetimeoffset'${text}Z'` : `datetime'${text}'`)
      const { json } = await dates.service.send('GET', 'Dates(1L)')
      expect(json.At).toBe(isOffset ? '/Date(1577872800120+0000)/' : '/Date(1577872800120)/')
      expect(await dates.ids(`$filter=At eq ${literal(noon)}`)).toEqual([2])
      expect(await dates.ids(`$filter=At gt ${literal(noon)}`)).toEqual([1, 3])
      expect(await dates.ids(`$filter=At le ${literal(noon)}`)).toEqual([2])
      expect(await dates.ids(`$filter=At lt ${literal(later)}`)).toEqual([2])
      expect(await dates.ids('$filter=hour(At) eq 10 and day(At) eq 1')).toEqual([1, 2, 3])
      expect(await dates.ids('$orderby=At')).toEqual([2, 1, 3])
      for (const text of [later, noon]) {
        const At = isOffset ? `${text}Z` : text
        expect((await dates.service.send('POST', 'Dates', { At })).status).toBe(201)
      }
      expect(dates.stored().slice(3)).toEqual([value, whole])
      await dates.close()
    },
  )

  it('MUST stay as they are stored when a client sends them back, and change when it sends others', async () => {
    const values = [
      '2020-01-01 10:00:00.120 +00:00',
      '2020-01-01',
      '2020-01-01T12:00:00+02:00',
      '2020-01-01T10:00Z',
    ]
    const dates = await Dates.open('datetime', [...values, 1577872800000])
    for (const id of [1, 2, 3, 4, 5]) {
      const { json } = await dates.service.send('GET', `Dates(${String(id)}L)`)
      expect((await dates.service.send('MERGE', `Dates(${String(id)}L)`, { At: json.At })).status).toBe(204)
    }
    expect(dates.stored()).toEqual([...values, 1577872800000])
    expect((await dates.service.send('MERGE', 'Dates(2L)', { At: '2020-01-02T00:00:00' })).status).toBe(204)
    // In the format of the first row.
    expect(dates.stored()[1]).toBe('2020-01-02 00:00:00.000 +00:00')
    await dates.close()
  })

  it.each(['datetime', 'timestamptz'])(
    'MUST be compared and sorted as %s by time, in all formats and offsets',
    async (type) => {
      const isOffset = type === 'timestamptz'
      const instant = fc.integer({ min: -40, max: 40 }).map((hours) => 1577872800000 + hours * 1_800_000)
      const format = fc.constantFrom(
        '',
        'Z',
        '+00:00',
        ' +00:00',
        '+02:00',
        '-11:30',
        '+1400',
        ' -0500',
        'ms',
      )
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(instant, format), { minLength: 5, maxLength: 9 }),
          instant,
          async (all, limit) => {
            const dates = await Dates.open(type, [
              1577872800000,
              ...all.map(([milliseconds, zone]) =>
                zone === 'ms' ? milliseconds : formatted(milliseconds, zone),
              ),
            ])
            const times = [1577872800000, ...all.map(([milliseconds]) => milliseconds)]
            const text = new Date(limit).toISOString().slice(0, 19)
            const literal = isOffset ? `datetimeoffset'${text}Z'` : `datetime'${text}'`
            const matching = (holds: (time: number) => boolean): readonly number[] =>
              times.flatMap((time, index) => (holds(time) ? [index + 1] : []))
            expect(await dates.ids(`$filter=At eq ${literal}`)).toEqual(matching((time) => time === limit))
            expect(await dates.ids(`$filter=At lt ${literal}`)).toEqual(matching((time) => time < limit))
            expect(await dates.ids(`$filter=At ge ${literal}`)).toEqual(matching((time) => time >= limit))
            const hour = new Date(limit).getUTCHours()
            expect(await dates.ids(`$filter=hour(At) eq ${String(hour)}`)).toEqual(
              matching((time) => new Date(time).getUTCHours() === hour),
            )
            const sorted = times.map((time, index) => ({ time, id: index + 1 }))
            sorted.sort((a, b) => b.time - a.time || a.id - b.id)
            expect(await dates.ids('$orderby=At desc,Id')).toEqual(sorted.map(({ id }) => id))
            await dates.close()
          },
        ),
        { numRuns: runs(30) },
      )
    },
  )

  it('MUST be keys in any format', async () => {
    const database = new SQLite(':memory:')
    database.exec(`create table days (at datetime primary key, n int);
      insert into days values ('2020-01-01 10:00:00.000 +00:00', 1), ('2020-01-02 01:00:00+02:00', 2)`)
    const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database }) })
    const service = await SqlServer.start(await introspect(db), db)
    expect((await service.send('GET', "Days(datetime'2020-01-01T10:00:00')")).json).toMatchObject({ N: '1' })
    expect((await service.send('GET', "Days(datetime'2020-01-01T23:00:00')")).json).toMatchObject({ N: '2' })
    await service.stop()
    await db.destroy()
  })
})

/** Formats a time in the zone of an offset. */
function formatted(milliseconds: number, zone: string): string {
  const [, sign = '+', hours = '0', minutes = '0'] = /([-+])(\d\d):?(\d\d)/.exec(zone) ?? []
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000)
  return (
    new Date(milliseconds + offset)
      .toISOString()
      .slice(0, 19)
      .replace('T', zone.startsWith(' ') ? ' ' : 'T') + zone
  )
}
