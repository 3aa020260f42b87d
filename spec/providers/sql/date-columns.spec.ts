import { introspect } from '../../../lib/sql.js'
import { describeDatabases, SqlServer } from '../../support/sql/databases.js'

describeDatabases(({ kind, open }) => {
  describe('A date column', () => {
    let service: SqlServer

    beforeAll(async () => {
      const db = await open([
        'create table days (id integer primary key, day date, note text)',
        "insert into days (id, day) values (1, '2023-01-01'), (2, null), (3, '1999-12-31')",
        ...(kind === 'postgres' ? ["insert into days (id, day, note) values (4, 'infinity', 'never')"] : []),
      ])
      service = await SqlServer.start(await introspect(db), db)
    })

    afterAll(() => service.stop())

    const idsOf = async (query: string): Promise<unknown> => {
      const { status, json } = await service.send('GET', `Days?$select=Id&${query}`)
      const results = Array.isArray(json) ? json : json.results
      return status === 200 ? (results as { Id: unknown }[]).map(({ Id }) => Number(Id)) : status
    }

    it.each(['hour', 'minute', 'second'])('MUST have the %s 0', async (part) => {
      expect(await idsOf(`$filter=${part}(Day)%20eq%200`)).toEqual([1, 3])
      expect(await idsOf(`$filter=${part}(Day)%20gt%200`)).toEqual([])
      expect(await idsOf(`$filter=year(Day)%20gt%201&$orderby=${part}(Day)%20desc,Id`)).toEqual([1, 3])
    })

    it('MUST have a year, month and day', async () => {
      expect(await idsOf('$filter=year(Day)%20eq%202023%20and%20month(Day)%20eq%201')).toEqual([1])
      expect(await idsOf('$filter=day(Day)%20eq%2031')).toEqual([3])
    })
  })
})
