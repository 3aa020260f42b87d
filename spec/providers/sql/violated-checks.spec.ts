import { sql } from 'kysely'
import request from 'supertest'
import { introspectedService, postgres, sqlite, useDatabases } from '../../support/sql/introspected.js'

useDatabases()

const table = `create table "Prices" ("ID" integer primary key, "P" integer, "E" integer, "Price" integer, "Price_net" integer,
  constraint "Prices_Price_net_check" check ("Price_net" > 0), constraint positive check ("P" > 0),
  constraint "Price_E" check ("Price" > "E"))`

describe.each([
  ['SQLite', () => sqlite(table)],
  ['PostgreSQL', () => postgres(table)],
] as const)('Checks of %s', (_name, open) => {
  it('MUST be reported with the properties whose columns are words of the message of the database', async () => {
    const { app } = await introspectedService(await open())
    const messageOf = async (values: object): Promise<string> => {
      const response = await request(app).post('/Prices').set('accept', 'application/json').send(values)
      expect(response.status).toBe(400)
      return (response.body as { error: { message: { value: string } } }).error.message.value
    }
    expect(await messageOf({ ID: 1, Price_net: 0 })).toBe(
      "Property 'Price_net': the database does not allow this value.",
    )
    expect(await messageOf({ ID: 1, Price: 1, E: 2 })).toBe(
      "Property 'Price, E': the database does not allow this value.",
    )
    expect(await messageOf({ ID: 1, P: 0 })).toBe('The database does not allow this value.')
  })
})

describe('Errors of triggers of PostgreSQL', () => {
  it.each(['23601', 'U0001'])('MUST be 400, with any code: %s', async (code) => {
    const db = await postgres('create table "Prices" ("ID" integer primary key)')
    await sql
      .raw(
        `create function refuse() returns trigger language plpgsql as
           $$ begin raise exception 'immutable' using errcode = '${code}'; end $$;
         create trigger refusal before insert on "Prices" for each row execute function refuse()`,
      )
      .execute(db)
    const { app } = await introspectedService(db)
    const { status, text } = await request(app)
      .post('/Prices')
      .set('accept', 'application/json')
      .send({ ID: 1 })
    expect([status, text]).toEqual([400, expect.stringContaining('The database does not allow this value.')])
  })
})
