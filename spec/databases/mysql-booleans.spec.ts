import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'
import { TypedTable } from '../support/sql/type-table/typed-table.js'

let db: AnyDatabase

beforeEach(async () => {
  db = await openMysql()
})

afterEach(async () => {
  await TypedTable.stopAll()
  await db.destroy()
})

describe('A Boolean of MySQL or MariaDB', () => {
  it('MUST be true for every number but 0, on every path', async () => {
    const table = await TypedTable.open(db, [
      'create table parents (id int primary key, v tinyint(1))',
      'create table things (id int primary key, v tinyint(1), w bit(1), parent_id int, n int, foreign key (parent_id) references parents (id))',
      'insert into parents values (1, 2), (2, 0)',
      "insert into things values (1, 2, b'1', 1, 1), (2, 0, b'0', 2, 1), (3, -1, null, null, 1), (4, null, b'0', 1, 1), (5, 1, b'1', 1, 1)",
    ])
    expect(await table.values('$orderby=Id')).toEqual([true, false, true, null, true])
    for (const [filter, ids] of Object.entries({
      'V eq true': [1, 3, 5],
      'true eq V': [1, 3, 5],
      V: [1, 3, 5],
      'not V': [2],
      'V eq false': [2],
      'V ne true': [2, 4],
      'V ne false': [1, 3, 4, 5],
      'V eq W': [1, 2, 5],
      'W eq true': [1, 5],
      W: [1, 5],
      'V and W': [1, 5],
      'V eq (W or V)': [1, 2, 3, 4, 5],
      'Parent/V eq true': [1, 4, 5],
      'Parent/V eq V': [1, 2, 5],
      "V eq true and concat('a', 'b') eq 'ab'": [1, 3, 5],
      "V eq true and length('a') eq 1": [1, 3, 5],
    })) {
      expect([filter, await table.ids(`$filter=${filter}&$orderby=Id`)]).toEqual([filter, ids])
    }
    expect(await table.ids('$orderby=V desc,Id')).toEqual([1, 3, 5, 2, 4])
    expect(await table.send('GET', 'Things(1)/V/$value')).toMatchObject({ text: 'true' })
    expect(await table.send('GET', 'Things(3)/W/$value')).toMatchObject({ status: 404 })
  })
})
