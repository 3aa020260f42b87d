import express from 'express'
import { sql } from 'kysely'
import { odataV2 } from '../../lib/index.js'
import { introspect, sqlProvider, trackChanges } from '../../lib/sql.js'
import { Replica } from '../support/delta-client.js'
import { TestServer } from '../support/http-exchange.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'

/** Columns by their type, with a value in SQL, and the same value in a filter. */
const columns: Readonly<Record<string, readonly [value: string, literal: string]>> = {
  json: [`'{"a": [1, "ü"]}'`, `'{"a": [1, "ü"]}'`],
  longtext: [`'[1]'`, `'[1]'`],
  'bit(1)': ["b'1'", 'true'],
  "enum('a', 'b c')": ["'b c'", "'b c'"],
  uuid: ["'20e87ffa-eb55-11f1-846d-02fc00000001'", "guid'20e87ffa-eb55-11f1-846d-02fc00000001'"],
  'decimal(29,10)': ['1234567890123456789.0123456789', '1234567890123456789.0123456789M'],
  'datetime(6)': ["'2024-01-02 03:04:05.123456'", "datetime'2024-01-02T03:04:05.123456'"],
  'time(6)': ["'10:11:12.123456'", "time'PT10H11M12.123456S'"],
  date: ["'2024-01-02'", "datetime'2024-01-02T00:00:00'"],
  'bigint unsigned': ['18446744073709551615', '18446744073709551615M'],
  bigint: ['-9223372036854775808', '-9223372036854775808L'],
  double: ['0.1', '0.1d'],
  'char(5)': ["'ab'", "'ab'"],
  'varchar(20) character set latin1': ["'Ä'", "'Ä'"],
}
const names = new Map(Object.keys(columns).map((type, index) => [type, `C${String(index)}`]))

/** Types of keys, with two values in SQL. */
const keys: Readonly<Record<string, readonly [string, string]>> = {
  'bigint unsigned': ['18446744073709551615', '18446744073709551614'],
  uuid: ["'20e87ffa-eb55-11f1-846d-02fc00000001'", "'20e87ffa-eb55-11f1-846d-02fc00000002'"],
  'decimal(20,4)': ['1234567890123456.7890', '1234567890123456.7891'],
  'datetime(6)': ["'2024-01-02 03:04:05.123456'", "'2024-01-02 03:04:05.123457'"],
  "enum('a', 'b c')": ["'a'", "'b c'"],
  'binary(4)': ["x'00ff80fe'", "x'00ff80fd'"],
  'varbinary(20)': ["x'ff'", "x'ff00'"],
  'varchar(20) character set utf8mb4 collate utf8mb4_bin': ["'ä'", "'Ä'"],
}

describe('Deltas of tables of MariaDB with columns of many types', () => {
  let db: AnyDatabase
  let server: TestServer

  beforeEach(async () => {
    db = await openMysql()
    await sql.raw('alter database character set utf8mb4').execute(db)
  })
  afterEach(async () => {
    await server.stop()
    await db.destroy()
  })

  async function serve(): Promise<void> {
    const model = await introspect(db)
    await trackChanges(model, db)
    const provider = sqlProvider(model, db, { changeTracking: true })
    await provider.ready()
    server = await TestServer.start(express().use('/s', odataV2(model, provider)))
  }

  it.each(Object.keys(columns))('MUST find rows that leave a filter by a column of type %s', async (type) => {
    const [value = '', literal = ''] = columns[type] ?? []
    const definitions = [...names].map(([one, name]) => `${name} ${one}`)
    await sql.raw(`create table Things (ID int primary key, ${definitions.join(', ')})`).execute(db)
    const name = String(names.get(type))
    await sql
      .raw(`insert into Things (ID, ${name}) values (1, ${value}), (2, ${value}), (3, null)`)
      .execute(db)
    await serve()
    const replica = new Replica(server, `/s/Things?$filter=${name}%20eq%20${encodeURIComponent(literal)}`)
    await replica.synchronize()
    expect(replica.rows('ID')).toEqual([{ ID: 1 }, { ID: 2 }])
    await sql.raw(`update Things set ${name} = null where ID = 2`).execute(db)
    await sql.raw(`update Things set ${name} = ${value} where ID = 3`).execute(db)
    await replica.synchronize()
    expect(replica.rows('ID')).toEqual([{ ID: 1 }, { ID: 3 }])
    await sql.raw('delete from Things').execute(db)
    await replica.synchronize()
    expect(replica.rows('ID')).toEqual([])
  })

  it.each(Object.keys(keys))('MUST report changes of rows with keys of type %s', async (type) => {
    const [first = '', second = ''] = keys[type] ?? []
    await sql.raw(`create table Things (ID ${type} primary key, Text varchar(20))`).execute(db)
    await sql.raw(`insert into Things values (${first}, 'a')`).execute(db)
    await serve()
    const replica = new Replica(server, '/s/Things')
    await replica.synchronize()
    const expectEqual = async (): Promise<void> => {
      await replica.synchronize()
      const fresh = new Replica(server, '/s/Things')
      await fresh.synchronize()
      expect(replica.rows('ID', 'Text')).toEqual(fresh.rows('ID', 'Text'))
    }
    await sql.raw(`update Things set Text = 'b' where ID = ${first}`).execute(db)
    await expectEqual()
    await sql.raw(`update Things set ID = ${second} where ID = ${first}`).execute(db)
    await expectEqual()
    await sql.raw(`delete from Things where ID = ${second}`).execute(db)
    await expectEqual()
    expect(replica.entities.size).toBe(0)
  })
})
