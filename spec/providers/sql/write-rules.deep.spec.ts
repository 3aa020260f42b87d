import { sql } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { responsesIn, batchBody, statusesOf, written } from '../../support/batch-exchange.js'
import { describeDatabases, SqlServer } from '../../support/sql/databases.js'
import type { AnyDatabase, DatabaseKind } from '../../support/sql/model-tables.js'
import { createTables } from '../../support/sql/model-tables.js'

const fixed = { concurrencyMode: 'Fixed' } as const

/** Types of tokens with a value that a new entity may be given. */
const tokens = {
  Byte: edm.Byte({ nullable: false, ...fixed }),
  Int64: edm.Int64(fixed),
  Guid: edm.Guid({ nullable: false, ...fixed }),
  Binary: edm.Binary({ nullable: false, maxLength: 8, ...fixed }),
  DateTime: edm.DateTime({ nullable: false, ...fixed }),
  DateTimeOffset: edm.DateTimeOffset(fixed),
  String: edm.String({ nullable: false, ...fixed }),
  Decimal: edm.Decimal({ precision: 10, scale: 2, nullable: false, ...fixed }),
  Double: edm.Double({ nullable: false, ...fixed }),
  Boolean: edm.Boolean({ nullable: false, ...fixed }),
} as const

const id = { ID: edm.Int32({ nullable: false }) }

const model = defineModel({
  namespace: 'Rules',
  entityTypes: {
    ...Object.fromEntries(
      Object.entries(tokens).map(([name, Token]) => [
        `With${name}`,
        { key: ['ID'], properties: { ...id, Name: edm.String(), OwnerID: edm.Int32(), Token } },
      ]),
    ),
    Owner: { key: ['ID'], properties: id },
    Node: {
      key: ['ID'],
      properties: { ...id, ParentID: edm.Int32() },
      navigationProperties: { Children: { relationship: 'Tree', fromRole: 'Parent', toRole: 'Child' } },
    },
    House: { key: ['ID'], properties: id },
    Door: {
      key: ['ID'],
      properties: id,
      navigationProperties: { House: { relationship: 'HouseDoors', fromRole: 'Door', toRole: 'House' } },
    },
  },
  associations: {
    ...Object.fromEntries(
      Object.keys(tokens).map((name) => [
        `Owns${name}`,
        {
          ends: {
            Owner: { type: 'Owner', multiplicity: '0..1' },
            Thing: { type: `With${name}`, multiplicity: '*' },
          },
          referentialConstraint: {
            principal: { role: 'Owner', properties: ['ID'] },
            dependent: { role: 'Thing', properties: ['OwnerID'] },
          },
        },
      ]),
    ),
    Tree: {
      ends: {
        Parent: { type: 'Node', multiplicity: '0..1', onDelete: 'Cascade' },
        Child: { type: 'Node', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Parent', properties: ['ID'] },
        dependent: { role: 'Child', properties: ['ParentID'] },
      },
    },
    HouseDoors: {
      ends: { House: { type: 'House', multiplicity: '1' }, Door: { type: 'Door', multiplicity: '*' } },
    },
  },
  entityContainer: {
    entitySets: {
      ...Object.fromEntries(Object.keys(tokens).map((name) => [`Of${name}`, { entityType: `With${name}` }])),
      Owners: { entityType: 'Owner' },
      Nodes: { entityType: 'Node' },
      Houses: { entityType: 'House' },
      Doors: { entityType: 'Door' },
    },
    associationSets: {
      ...Object.fromEntries(
        Object.keys(tokens).map((name) => [
          `Owns${name}`,
          { association: `Owns${name}`, ends: { Owner: 'Owners', Thing: `Of${name}` } },
        ]),
      ),
      Tree: { association: 'Tree', ends: { Parent: 'Nodes', Child: 'Nodes' } },
      HouseDoors: { association: 'HouseDoors', ends: { House: 'Houses', Door: 'Doors' } },
    },
  },
} as never)

const start = {
  Byte: 255,
  Int64: '9223372036854775807',
  String: 'first',
  Decimal: '99999999.99',
  Double: '1',
  Boolean: true,
} as const

async function started(db: AnyDatabase, kind: DatabaseKind): Promise<SqlServer> {
  await createTables(db, model, kind)
  return SqlServer.start(model, db)
}

describeDatabases(({ kind, open }) => {
  describe('Rules of the model', () => {
    let db: AnyDatabase
    let service: SqlServer

    beforeAll(async () => {
      db = await open([])
      service = await started(db, kind)
    })

    afterAll(() => service.stop())

    it.each(Object.keys(tokens))(
      'MUST raise a version of type %s at every change, and only then',
      async (name) => {
        const owner = await service.send('POST', 'Owners', {})
        const given = name in start ? { Token: start[name as keyof typeof start] } : {}
        const OwnerID = owner.json.ID
        const added = await service.send('POST', `Of${name}`, { ...given, OwnerID })
        expect([added.status, added.etag]).toEqual([201, expect.stringMatching(/^W\//)])
        const path = `Of${name}(${String(added.json.ID)})`
        let tag = String(added.etag)
        for (const change of [{ Name: 'a' }, { Name: 'a' }, {}]) {
          const changed = await service.send('MERGE', path, change, { 'If-Match': tag })
          expect(changed.status).toBe(204)
          expect(changed.etag).not.toBe(tag)
          expect((await service.send('GET', path)).etag).toBe(changed.etag)
          expect((await service.send('MERGE', path, change, { 'If-Match': tag })).status).toBe(412)
          tag = String(changed.etag)
        }
        // A foreign key that is left null is a change too.
        expect((await service.send('DELETE', `Owners(${String(OwnerID)})`)).status).toBe(204)
        const after = await service.send('GET', path)
        expect(after.json).toMatchObject({ OwnerID: null })
        expect(after.etag).not.toBe(tag)
        expect((await service.send('DELETE', path, undefined, { 'If-Match': tag })).status).toBe(412)
        const last = { 'If-Match': String(after.etag) }
        expect((await service.send('DELETE', path, undefined, last)).status).toBe(204)
      },
    )

    it('MUST delete a tree of any depth, and no other entities', async () => {
      let ParentID: unknown = null
      const nodes: unknown[] = []
      for (let depth = 0; depth < 5; depth++) {
        const children = [
          await service.send('POST', 'Nodes', { ParentID }),
          await service.send('POST', 'Nodes', { ParentID }),
        ]
        ParentID = children[0]?.json.ID
        nodes.push(...children.map(({ json }) => json.ID))
      }
      expect((await service.send('DELETE', `Nodes(${String(nodes[0])})`)).status).toBe(204)
      const left = (await service.send('GET', 'Nodes')).json.results as Record<string, unknown>[]
      expect(left.map(({ ID }) => ID)).toEqual([nodes[1]])
    })

    it('MUST delete a ring of entities that depend on one another', async () => {
      const first = (await service.send('POST', 'Nodes', {})).json.ID
      const second = (await service.send('POST', 'Nodes', { ParentID: first })).json.ID
      await service.send('MERGE', `Nodes(${String(first)})`, { ParentID: second })
      expect((await service.send('DELETE', `Nodes(${String(first)})`)).status).toBe(204)
      expect((await service.send('GET', `Nodes(${String(second)})`)).status).toBe(404)
    })

    it('MUST have a mandatory end linked when a change set ends, and not before', async () => {
      const house = String((await service.send('POST', 'Houses', {})).json.ID)
      expect(await service.refusal('POST', 'Doors', { ID: 1 })).toEqual([
        400,
        "An entity of 'Doors' must be linked: 'House' requires an entity.",
      ])
      const uri = `Houses(${house})`
      expect((await service.send('POST', 'Doors', { ID: 1, House: { __metadata: { uri } } })).status).toBe(
        201,
      )
      const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
      const link = (door: number) => written(`PUT Doors(${door})/$links/House`, JSON.stringify({ uri }))
      const add = (ID: number) => written('POST Doors', JSON.stringify({ ID }))
      const send = async (...requests: string[]): Promise<unknown> => {
        const body = batchBody(requests)
        const response = await service.server.send('/s/$batch', { method: 'POST', headers, body })
        return statusesOf(responsesIn({ headers: response.headers, text: response.text } as never))
      }
      expect(await send(add(2), add(3), link(3), link(2))).toEqual([[201, 201, 204, 204]])
      expect(await send(add(4), add(5), link(5))).toEqual([400])
      expect((await service.send('GET', 'Doors(5)')).status).toBe(404)
      expect(await service.refusal('DELETE', uri)).toEqual([
        409,
        "Entities of 'Doors' refer to this entity of 'Houses'.",
      ])
      for (const door of [1, 2, 3]) await service.send('DELETE', `Doors(${door})`)
      expect((await service.send('DELETE', uri)).status).toBe(204)
      const { rows } = await sql`select * from "HouseDoors"`.execute(db)
      expect(rows).toEqual([])
    })
  })

  it('MUST raise versions that only derived types have', async () => {
    const parties = defineModel({
      namespace: 'Parties',
      entityTypes: {
        Party: { key: ['ID'], properties: { ...id, Name: edm.String() } },
        Person: { baseType: 'Party', properties: { Version: edm.Int32({ nullable: false, ...fixed }) } },
      },
      entityContainer: { entitySets: { Parties: { entityType: 'Party' } } },
    })
    const db = await open([])
    await createTables(db, parties, kind)
    const service = await SqlServer.start(parties, db)
    const type = { __metadata: { type: 'Parties.Person' } }
    const added = await service.send('POST', 'Parties', { ...type, Name: 'a' })
    const path = `Parties(${String(added.json.ID)})`
    const first = { 'If-Match': String(added.etag) }
    const changed = await service.send('MERGE', path, { ...type, Name: 'b' }, first)
    expect([changed.status, changed.etag]).toEqual([204, expect.not.stringContaining(String(added.etag))])
    expect((await service.send('MERGE', path, { ...type, Name: 'c' }, first)).status).toBe(412)
    expect((await service.send('DELETE', path, undefined, first)).status).toBe(412)
    const party = await service.send('POST', 'Parties', { Name: 'p' })
    expect((await service.send('MERGE', `Parties(${String(party.json.ID)})`, { Name: 'q' })).status).toBe(204)
    await service.stop()
  })

  if (kind === 'postgres') {
    it('MUST have versions that differ in the column', async () => {
      const narrow = defineModel({
        namespace: 'Narrow',
        entityTypes: {
          Item: {
            key: ['ID'],
            properties: { ...id, Name: edm.String(), At: tokens.DateTime, Tag: edm.String(fixed) },
          },
        },
        entityContainer: { entitySets: { Items: { entityType: 'Item' } } },
      })
      const db = await open([
        'create table "Items" ("ID" integer primary key, "Name" text, "At" timestamp(0) not null, "Tag" varchar(3))',
      ])
      const service = await SqlServer.start(narrow, db)
      const tags = [(await service.send('POST', 'Items', { ID: 1 })).etag]
      for (const Name of ['a', 'b', 'c', 'd']) {
        const headers = { 'If-Match': String(tags.at(-1)) }
        tags.push((await service.send('MERGE', 'Items(1)', { Name }, headers)).etag)
      }
      expect(new Set(tags).size).toBe(5)
      await service.stop()
    })
  }

  it('MUST return the entity as triggers have changed it', async () => {
    const computed = defineModel({
      namespace: 'Made',
      entityTypes: {
        Item: {
          key: ['ID'],
          properties: {
            ID: edm.Int32({ nullable: false, storeGeneratedPattern: 'Identity' }),
            Name: edm.String(),
            Changes: edm.Int32({ storeGeneratedPattern: 'Computed', ...fixed }),
            Length: edm.Int32({ storeGeneratedPattern: 'Computed' }),
          },
        },
      },
      entityContainer: { entitySets: { Items: { entityType: 'Item' } } },
    })
    const identity =
      kind === 'postgres' ? 'integer generated always as identity primary key' : 'integer primary key'
    const trigger =
      kind === 'postgres'
        ? [
            `create function counted() returns trigger language plpgsql as
               'begin if pg_trigger_depth() = 1 then update "Items" set "Changes" = coalesce("Changes", 0) + 1 where "ID" = new."ID"; end if; return null; end'`,
            'create trigger t after insert or update on "Items" for each row execute function counted()',
          ]
        : ['insert', 'update of "Name"'].map(
            (event, index) => `create trigger t${index} after ${event} on "Items" begin
              update "Items" set "Changes" = coalesce("Changes", 0) + 1 where "ID" = new."ID"; end`,
          )
    const db = await open([
      `create table "Items" ("ID" ${identity}, "Name" text, "Changes" integer, "Length" integer generated always as (length("Name")) stored)`,
      ...trigger,
    ])
    const service = await SqlServer.start(computed, db)
    const added = await service.send('POST', 'Items', { ID: 77, Name: 'abc', Changes: 9, Length: 9 })
    expect(added.json).toMatchObject({ ID: 1, Name: 'abc', Changes: 1, Length: 3 })
    const changed = await service.send(
      'MERGE',
      'Items(1)',
      { Name: 'abcd' },
      { 'If-Match': String(added.etag) },
    )
    const now = await service.send('GET', 'Items(1)')
    expect(now.json).toMatchObject({ Changes: 2, Length: 4 })
    expect([changed.status, changed.etag]).toEqual([204, now.etag])
    await service.stop()
  })
})
