import { sql } from 'kysely'
import { defineModel, edm } from '../../lib/edm/define-model.js'
import { sqlProvider } from '../../lib/sql.js'
import { introspectedDefaults, itStoresDefaults, serviceOf } from '../support/sql/default-values-contract.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { itStoresRequiredMedia } from '../support/sql/required-media-contract.js'
import { openMysql } from '../support/sql/mysql-server.js'

const opened: AnyDatabase[] = []

const open = async (): Promise<AnyDatabase> => {
  const db = await openMysql()
  opened.push(db)
  return db
}

afterAll(async () => {
  for (const db of opened) await db.destroy()
})

describe('Default values of MySQL and MariaDB', () => {
  itStoresDefaults(open, {
    day: ['date', '(curdate())'],
    json_list: ['text', '(json_array())'],
    bits: ['bit(4)', "b'1'"],
    moment: ['datetime(6)', 'current_timestamp(6)'],
    utc: ['datetime', '(utc_timestamp())'],
    at: ['time', '(curtime())'],
    uuid_text: ['char(36)', '(uuid())'],
    upper_x: ['varchar(10)', "(upper('x'))"],
    random: ['double', '(rand())'],
    epoch: ['bigint', '(unix_timestamp())'],
    bytes: ['varbinary(4)', "x'00ff'"],
    words: ['text', "('abc')"],
    flag: ['boolean', 'true'],
    signed: ['int', '-1'],
    price: ['decimal(10, 2)', '1.50'],
    word: ['varchar(10)', "'it''s'"],
    empty: ['varchar(10)', "''"],
    feeling: ["enum('sad', 'happy')", "'happy'"],
    constant_day: ['date', "'2024-01-31'"],
    sum: ['int', '(1 + 1)'],
    hex: ['int', '0x10'],
  })

  it('MUST return the values that triggers store in columns without a default', async () => {
    const { get, post } = await introspectedDefaults(await open(), [
      "create table notes (id int primary key auto_increment, words varchar(20), code varchar(20) not null default '')",
      "create trigger notes_code before insert on notes for each row set new.code = concat('N', 7)",
    ])
    const { status, d } = await post('/Notes', { Words: 'x' })
    expect(status).toBe(201)
    expect(d).toMatchObject({ Words: 'x', Code: 'N7' })
    expect(await get('/Notes(1)')).toEqual(d)
  })

  itStoresRequiredMedia(open, 'longblob', 'int primary key auto_increment')

  it('MUST leave columns to the trigger that the model declares with computedDefaultValue', async () => {
    const db = await open()
    await sql.raw('create table notes (id int primary key, code varchar(20) not null)').execute(db)
    await sql.raw("create trigger t before insert on notes for each row set new.code = 'N'").execute(db)
    const model = defineModel({
      namespace: 'Notes',
      entityTypes: {
        Note: {
          key: ['Id'],
          properties: { Id: edm.Int32(), Code: edm.String({ nullable: false, computedDefaultValue: true }) },
        },
      },
      entityContainer: { entitySets: { Notes: { entityType: 'Note' } } },
    })
    const { get, post } = serviceOf(model, sqlProvider(model, db))
    const { status, d } = await post('/Notes', { Id: 1 })
    expect(status).toBe(201)
    expect(d).toEqual({ Id: 1, Code: 'N' })
    expect(await get('/Notes(1)')).toEqual(d)
  })
})
