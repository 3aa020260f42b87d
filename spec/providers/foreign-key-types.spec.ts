import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import request from 'supertest'
import { defineModel, edm } from '../../lib/edm/define-model.js'
import type { PropertyDefinition } from '../../lib/edm/model-definition.js'
import { memoryProvider } from '../../lib/node.js'
import { odataV2 } from '../../lib/odata-v2.js'
import { sqlProvider } from '../../lib/sql.js'
import { serviceOf } from '../support/sql/default-values-contract.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { postgres, useDatabases } from '../support/sql/introspected.js'

useDatabases()

const numbers = { 'Edm.Decimal': edm.Decimal({ precision: 10, scale: 0 }), 'Edm.Int64': edm.Int64() } as const

const modelOf = (keyType: keyof typeof numbers, foreignKey: PropertyDefinition = edm.Int32()) =>
  defineModel({
    namespace: 'T',
    entityTypes: {
      V: {
        key: ['K'],
        properties: { K: { ...numbers[keyType], nullable: false } },
        navigationProperties: { Ds: { relationship: 'A', fromRole: 'v', toRole: 'd' } },
      },
      D: {
        key: ['Id'],
        properties: { Id: edm.Int32(), F: foreignKey },
        navigationProperties: { V: { relationship: 'A', fromRole: 'd', toRole: 'v' } },
      },
    },
    associations: {
      A: {
        ends: { v: { type: 'V', multiplicity: '0..1' }, d: { type: 'D', multiplicity: '*' } },
        referentialConstraint: {
          principal: { role: 'v', properties: ['K'] },
          dependent: { role: 'd', properties: ['F'] },
        },
      },
    },
    entityContainer: { entitySets: { Vs: { entityType: 'V' }, Ds: { entityType: 'D' } } },
  })

const tables = (type: string) =>
  `create table vs (k ${type} primary key); create table ds (id int primary key, f int); insert into vs values (1);
  insert into ds values (1, 1), (2, null)`

const opened: AnyDatabase[] = []
afterAll(async () => {
  for (const db of opened) await db.destroy()
})

const providers = {
  memory: (model: ReturnType<typeof modelOf>) =>
    Promise.resolve(memoryProvider(model, { Vs: [{ K: '1' }], Ds: [{ Id: 1, F: 1 }, { Id: 2 }] })),
  SQLite: (model: ReturnType<typeof modelOf>, type: string) => {
    const database = new SQLite(':memory:')
    database.exec(tables(type))
    const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database }) })
    opened.push(db)
    return Promise.resolve(sqlProvider(model, db))
  },
  PostgreSQL: async (model: ReturnType<typeof modelOf>, type: string) =>
    sqlProvider(model, await postgres(tables(type))),
}

const cases = Object.keys(providers).flatMap((name) =>
  (['Edm.Decimal', 'Edm.Int64'] as const).map((type) => [name as keyof typeof providers, type] as const),
)

describe('A foreign key of another numeric type than the key', () => {
  it.each(cases)('MUST relate entities in both directions: %s, %s', async (name, type) => {
    const [column, suffix] = type === 'Edm.Decimal' ? ['numeric(10)', 'M'] : ['bigint', 'L']
    const model = modelOf(type)
    const { app, post } = serviceOf(model, await providers[name](model, column ?? ''))
    const text = async (path: string) => (await request(app).get(path)).text
    expect((await request(app).get('/Ds(1)/V')).status).toBe(200)
    expect(await text(`/Vs(1${suffix})/Ds/$count`)).toBe('1')
    expect(await text(`/Ds/$count?$filter=V/K eq 1${suffix}`)).toBe('1')
    expect(await text('/Vs?$expand=Ds&$format=json')).toContain('"Id":1')
    const link = await request(app)
      .put('/Ds(2)/$links/V')
      .send({ uri: `Vs(1${suffix})` })
    expect([link.status, link.text]).toEqual([204, ''])
    expect(await text(`/Vs(1${suffix})/Ds/$count`)).toBe('2')
    const deep = await post('/Vs', { K: '7', Ds: [{ Id: 70 }] })
    expect([deep.status, deep.status === 201 ? '' : deep.text]).toEqual([201, ''])
    expect(await text('/Ds(70)/F/$value')).toBe('7')
    expect((await post('/Ds', { Id: 71, V: { K: '8' } })).status).toBe(201)
    expect(await text('/Ds(71)/F/$value')).toBe('8')
    const beyond = await post('/Vs', { K: '9999999999', Ds: [{ Id: 90 }] })
    expect([beyond.status, beyond.text]).toEqual([
      400,
      expect.stringContaining("'F' is Edm.Int32, which cannot store the key"),
    ])
    expect((await request(app).delete(`/Vs(7${suffix})`)).status).toBe(204)
    expect((await request(app).get('/Ds(70)/V')).status).toBe(404)
  })

  it('MUST be refused at the start if the types cannot be compared', () => {
    const model = modelOf('Edm.Int64', edm.String())
    expect(() => odataV2(model, memoryProvider(model))).toThrow(
      "association 'T.A': 'F' is Edm.String, but 'K', to which it refers, is Edm.Int64. Give both the same type.",
    )
  })
})
