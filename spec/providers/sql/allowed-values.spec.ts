import express from 'express'
import { writeEdmx } from '../../../lib/csdl/write-edmx.js'
import { readEdmx } from '../../../lib/csdl/read-edmx.js'
import type { EdmModel } from '../../../lib/index.js'
import { generateData, memoryProvider, odataV2, openApiDocument } from '../../../lib/index.js'
import { introspect } from '../../../lib/sql.js'
import { TypedTable } from '../../support/sql/type-table/typed-table.js'
import { postgres, sqlite, useDatabases } from '../../support/sql/introspected.js'

useDatabases()

const open = {
  SQLite: () =>
    sqlite(`
      create table orders (
        id integer primary key, -- check (state in ('a'))
        state text not null default 'check (kind in (''a''))' CHECK (state in ('open', 'it''s')),
        "ki nd" varchar(9), note text, n int check (n in ('1', '2')), day text check (length(day) > 2 and (day) > ''),
        constraint kinds check /* ( */ ("ki nd" in ('x', 'y')), check (note in ('a') or n = 1)
      );
      create table states (code text primary key check (code in ('A', 'B')), name text);
      create table folded (id integer primary key, state text collate nocase check (state in ('open')))`),
  PostgreSQL: () =>
    postgres(`
      create type state as enum ('open', 'it''s');
      create table orders (id int primary key, state state not null,
        "ki nd" varchar(9) check ("ki nd" in ('x', 'y')), note text, n int, day text);
      create table states (code text primary key check (code in ('A', 'B')), name text);
      create table folded (id int primary key, state text)`),
}

const schemasOf = (model: EdmModel): Record<string, { properties: Record<string, { enum?: unknown }> }> => {
  const { components } = openApiDocument(model) as unknown as {
    components: { schemas: ReturnType<typeof schemasOf> }
  }
  return components.schemas
}

describe.each(['SQLite', 'PostgreSQL'] as const)('Members of enumerations and checks of %s', (name) => {
  let model: EdmModel

  beforeAll(async () => {
    // As a client reads it.
    model = readEdmx(writeEdmx(await introspect(await open[name]())))
  })

  it('MUST be values of OpenAPI', () => {
    const { Order, Folded, ...others } = schemasOf(model)
    const enums = Object.entries(Order?.properties ?? {}).flatMap(([one, schema]) =>
      schema.enum === undefined ? [] : [[one, schema.enum]],
    )
    expect(enums).toEqual([
      ['State', ['open', "it's"]],
      ['KiNd', ['x', 'y', null]],
    ])
    expect(Folded?.properties.State?.enum).toBeUndefined()
    expect(Object.keys(others)).toContain('State')
    const document = JSON.stringify(openApiDocument(model))
    expect(document).toContain(`"schema":{"type":"string","enum":["'A'","'B'"]},"example":"'A'"`)
    expect(document).toContain('"State":"open"')
  })

  it('MUST be the values of generated data', () => {
    const data = generateData(model, { rows: 30 }) as unknown as Record<string, Record<string, unknown>[]>
    const orders = data.Orders ?? []
    expect(new Set(orders.map(({ State }) => State))).toEqual(new Set(['open', "it's"]))
    expect(orders.every(({ KiNd }) => ['x', 'y', null].includes(KiNd as string))).toBe(true)
    expect(data.States?.map(({ Code }) => Code)).toEqual(['A', 'B'])
    express().use(odataV2(model, memoryProvider(model, data as never)))
  })
})

it('MUST be listed by the error for another value in SQLite', async () => {
  const table = await TypedTable.open(await open.SQLite(), [])
  const refusal = await table.refusal('POST', 'States', { Code: 'C' })
  await TypedTable.stopAll()
  expect(refusal).toMatch(/^400 .*it must be one of 'A', 'B'/)
})
