import { introspect } from '../../../lib/sql.js'
import { describeRoundedDecimals } from '../../support/sql/rounded-decimals.js'
import { SqlServer } from '../../support/sql/databases.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import { sql } from 'kysely'

describe('A number with more digits than a column of PostgreSQL', () => {
  const postgres = PostgresServer.shared()

  afterAll(() => postgres.stop())

  const hundreds = 'the database stores only multiples of 100'
  describeRoundedDecimals(
    () => postgres.open(),
    [
      ['numeric(10,2)', '12.35', '12.345', 'the database stores 2 digits after the decimal point, not 3'],
      ['numeric(3,5)', '0.00123', '0.001234', 'the database stores 5 digits after the decimal point, not 6'],
      ['numeric(3,-2)', '12300', '12345', hundreds],
      ['numeric(3,-2)', '-12300', '12300.5', 'the database stores 0 digits after the decimal point, not 1'],
      ['integer', '12', '12.5', 'the database stores 0 digits after the decimal point, not 1'],
    ],
  )

  // MC-CSDL 2.2.1: Scale is at most Precision, and neither is negative.
  it('MUST be refused by generated models too, whose facets include digits that are always zero', async () => {
    const db = await postgres.open()
    await sql.raw('create domain hundreds as numeric(3,-2)').execute(db)
    await sql.raw('create table prices (id integer primary key, a hundreds, b numeric(3,5))').execute(db)
    const service = await SqlServer.start(await introspect(db), db)
    const { text } = await service.send('GET', '$metadata', undefined, { Accept: '*/*' })
    expect(text).toContain('Name="A" Type="Edm.Decimal" Precision="5" Scale="0"')
    expect(text).toContain('Name="B" Type="Edm.Decimal" Precision="5" Scale="5"')
    expect(await service.refusal('POST', 'Prices', { Id: 1, A: '12345' })).toEqual([
      400,
      `Property 'A': ${hundreds}.`,
    ])
    expect((await service.send('POST', 'Prices', { Id: 2, A: '99900', B: '0.00999' })).json).toMatchObject({
      A: '99900',
      B: '0.00999',
    })
    await service.stop()
  })

  it('MUST be accepted in strings whose numbers count other units than seconds, or are dates', async () => {
    const db = await postgres.open()
    await sql
      .raw('create table spans (id serial primary key, a interval(1), b timestamp(0)[], c money, d interval)')
      .execute(db)
    const service = await SqlServer.start(await introspect(db), db)
    const stored: readonly (readonly [name: string, sent: string, expected: string])[] = [
      ['A', '1.25 hours', '01:15:00'],
      ['A', 'P1DT0.025H1.5S', '1 day 00:01:31.5'],
      ['A', '0.125days 1.5', '03:00:01.5'],
      ['B', '{"2024.061 10:11:12","20240302T101112"}', '{"2024-03-01 10:11:12","2024-03-02 10:11:12"}'],
      ['C', '$1,234,567.89', '$1,234,567.89'],
      ['D', '0.00000125 days', '00:00:00.108'],
    ]
    for (const [name, sent, expected] of stored) {
      const { json } = await service.send('POST', 'Spans', { [name]: sent })
      expect([sent, json]).toEqual([sent, expect.objectContaining({ [name]: expected })])
    }
    for (const [name, sent] of [
      ['A', '1.25 hours 1.25'],
      ['A', 'P1DT1.25H1.25S'],
      ['A', '1.25sec ago'],
      ['B', '{"2024.061 10:11:12.5"}'],
      ['B', '{"20240302T101112.5Z"}'],
      ['C', '$1,234.567'],
      ['D', '1.5 days .0000001 s'],
    ])
      expect([sent, await service.refusal('POST', 'Spans', { [String(name)]: sent })]).toEqual([
        sent,
        [400, expect.stringMatching(/^Property '.': the database stores \d digits after the decimal point/)],
      ])
    await service.stop()
  })

  it('MUST NOT be reported as the string of another column, which the database restricts too', async () => {
    const db = await postgres.open()
    await sql
      .raw(
        `create table loads (id integer primary key, a numeric(4,1), ip inet default '10.0.0.1', doubled numeric(4,1));
        create function double() returns trigger language plpgsql as 'begin new.doubled := new.a * 2; return new; end';
        create trigger double before insert on loads for each row execute function double()`,
      )
      .execute(db)
    const service = await SqlServer.start(await introspect(db), db)
    expect(await service.refusal('POST', 'Loads', { Id: 1, A: '600.0', Ip: '10.0.0.2' })).toEqual([
      400,
      'A value is too long, or out of range, for the database.',
    ])
    expect(await service.refusal('POST', 'Loads', { Id: 1, A: '1.0', Ip: '10.0.0.300' })).toEqual([
      400,
      "Property 'Ip': the database does not accept the value as 'inet'.",
    ])
    await service.stop()
  })
})
