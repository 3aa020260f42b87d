import { sql } from 'kysely'
import { defineModel } from '../../../lib/edm/define-model.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import type { EntityTypeDefinition, PropertyDefinition } from '../../../lib/edm/model-definition.js'
import type { TableDatabase, TableOptions } from '../../../lib/sql.js'
import { alterTables, createTables, introspect, sqlProvider } from '../../../lib/sql.js'
import { Random } from '../../fuzz/mutation/random.js'
import { runs, seed } from '../random.js'
import { randomModel } from '../random-services/random-model.js'
import { SqlServer } from './databases.js'
import { outline } from './introspected.js'
import type { AnyDatabase } from './model-tables.js'

/** Executes statements one after the other. */
export async function execute(db: AnyDatabase, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Properties of all types and facets, as databases have them. */
function randomProperty(random: Random): PropertyDefinition {
  const precision = 1 + random.below(30)
  const property = random.oneOf<PropertyDefinition>([
    { type: 'Edm.String', maxLength: 1 + random.below(300) },
    { type: 'Edm.String' },
    { type: 'Edm.String', maxLength: 20, defaultValue: random.oneOf(['x', "it's", 'a\\b', '']) },
    { type: 'Edm.Binary' },
    { type: 'Edm.Boolean' },
    { type: 'Edm.Boolean', defaultValue: 'true' },
    { type: 'Edm.Int16' },
    { type: 'Edm.Int32', defaultValue: '-7' },
    { type: 'Edm.Int64', defaultValue: '9007199254740993' },
    { type: 'Edm.Decimal', precision, scale: random.below(Math.min(precision, 8) + 1) },
    { type: 'Edm.Decimal', precision: 10, scale: 2, defaultValue: '12.25' },
    { type: 'Edm.Double' },
    { type: 'Edm.Single' },
    { type: 'Edm.Guid' },
    { type: 'Edm.DateTime', precision: random.below(7) },
    { type: 'Edm.DateTimeOffset', precision: random.below(7) },
    { type: 'Edm.Time', precision: random.below(7) },
  ])
  return { ...property, nullable: random.below(2) === 0 }
}

function randomTypes(random: Random): EdmModel {
  const types = Array.from({ length: 1 + random.below(3) }, (_, index): [string, EntityTypeDefinition] => [
    ['Apple', 'Book', 'Car'][index] ?? '',
    {
      key: ['ID'],
      properties: {
        ID: {
          type: 'Edm.Int64',
          nullable: false,
          ...random.oneOf([{}, { storeGeneratedPattern: 'Identity' as const }]),
        },
        ...Object.fromEntries(
          Array.from({ length: 1 + random.below(8) }, (_each, place) => [
            `P${place}`,
            randomProperty(random),
          ]),
        ),
      },
    },
  ])
  return defineModel({
    namespace: 'M',
    entityTypes: Object.fromEntries(types),
    entityContainer: {
      entitySets: Object.fromEntries(types.map(([name]) => [`${name}s`, { entityType: name }])),
    },
  })
}

const identity: PropertyDefinition = {
  type: 'Edm.Int32',
  nullable: false,
  storeGeneratedPattern: 'Identity',
}

const shop = defineModel({
  namespace: 'Shop',
  entityTypes: {
    Customer: {
      key: ['ID'],
      properties: {
        ID: identity,
        Name: { type: 'Edm.String', maxLength: 40, nullable: false },
        Code: { type: 'Edm.Guid', storeGeneratedPattern: 'Identity' },
        Since: { type: 'Edm.DateTime', precision: 0, defaultValue: '2024-01-31T12:00:00' },
        Opens: { type: 'Edm.Time', precision: 0, defaultValue: 'PT9H30M' },
      },
      navigationProperties: {
        Orders: { relationship: 'CustomerOrders', fromRole: 'Customer', toRole: 'Orders' },
        Tags: { relationship: 'CustomerTags', fromRole: 'Customer', toRole: 'Tag' },
      },
    },
    Order: {
      key: ['ID'],
      properties: {
        ID: identity,
        CustomerID: { type: 'Edm.Int32' },
        Total: { type: 'Edm.Decimal', precision: 10, scale: 2 },
      },
      navigationProperties: {
        Customer: { relationship: 'CustomerOrders', fromRole: 'Orders', toRole: 'Customer' },
      },
    },
    Tag: { key: ['Name'], properties: { Name: { type: 'Edm.String', maxLength: 20, nullable: false } } },
  },
  associations: {
    CustomerOrders: {
      ends: {
        Customer: { type: 'Customer', multiplicity: '0..1' },
        Orders: { type: 'Order', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Customer', properties: ['ID'] },
        dependent: { role: 'Orders', properties: ['CustomerID'] },
      },
    },
    CustomerTags: {
      ends: { Customer: { type: 'Customer', multiplicity: '*' }, Tag: { type: 'Tag', multiplicity: '*' } },
    },
  },
  entityContainer: {
    entitySets: {
      Customers: { entityType: 'Customer' },
      Orders: { entityType: 'Order' },
      Tags: { entityType: 'Tag' },
    },
  },
})

/** The tables of {@link shop} some versions ago. */
const oldShop = defineModel({
  namespace: 'Shop',
  entityTypes: {
    Customer: {
      key: ['ID'],
      properties: { ID: identity, Name: { type: 'Edm.String', maxLength: 10, nullable: false } },
    },
    Order: {
      key: ['ID'],
      properties: {
        ID: identity,
        CustomerID: { type: 'Edm.Int32', nullable: false },
        Total: { type: 'Edm.Decimal', precision: 8, scale: 1 },
      },
    },
  },
  entityContainer: {
    entitySets: { Customers: { entityType: 'Customer' }, Orders: { entityType: 'Order' } },
  },
})

/** Returns the outline of the model of tables, whose types some databases do not have. */
function storedOutline(model: EdmModel, database: TableDatabase): Record<string, string[]> {
  const stored = (line: string): string => {
    switch (database) {
      case 'sqlite':
        return line
          .replace(/(: (?:DateTime|DateTimeOffset|Time))\(\d\)/, '$1')
          .replace(': Single', ': Double')
      case 'mariadb':
        return line.replace(': DateTimeOffset', ': DateTime')
      case 'mysql':
        return line.replace(': DateTimeOffset', ': DateTime').replace(': Guid', ': String(36)')
      case 'postgres':
        return line
    }
  }
  return Object.fromEntries(Object.entries(outline(model)).map(([set, lines]) => [set, lines.map(stored)]))
}

/** States the rules of `createTables` and `alterTables` for one database. @param open returns a new, empty database */
export function describeCreatedTables(
  database: TableDatabase,
  open: () => Promise<AnyDatabase>,
  expected: { readonly changes: readonly string[]; readonly notices: readonly string[] },
): void {
  const insertAnn =
    database === 'mariadb' || database === 'mysql'
      ? ["insert into `Customers` (`Name`) values ('Ann')"]
      : [`insert into "Customers" ("Name") values ('Ann')`]
  const opened: AnyDatabase[] = []
  afterAll(async () => {
    for (const db of opened) await db.destroy()
  })
  const created = async (model: EdmModel, options: TableOptions = {}): Promise<AnyDatabase> => {
    const db = await open()
    opened.push(db)
    await execute(db, createTables(model, database, options))
    return db
  }

  it('MUST create tables from which the provider serves random models, and which need no changes', async () => {
    for (let run = 0; run < runs(database === 'sqlite' ? 60 : 20); run++) {
      const model = randomModel(new Random(seed + run))
      for (const names of ['same', 'snake_case'] as const) {
        const db = await created(model, { names })
        await sqlProvider(model, db).ready()
        const notices: string[] = []
        const onNotice = (notice: string): number => notices.push(notice)
        expect({ run, changes: await alterTables(model, db, { names, onNotice }), notices }).toEqual({
          run,
          changes: [],
          notices: [],
        })
      }
    }
  })

  it('MUST create columns with the types, facets and defaults of random models', async () => {
    for (let run = 0; run < runs(database === 'sqlite' ? 200 : 30); run++) {
      const model = randomTypes(new Random(seed + run))
      const db = await created(model)
      const read = await introspect(db)
      await sqlProvider(model, db).ready()
      expect({ run, tables: outline(read) }).toEqual({ run, tables: storedOutline(model, database) })
      // The tables of the read model are the same.
      const again = await created(read)
      expect(outline(await introspect(again))).toEqual(outline(read))
    }
  })

  it('MUST create keys, foreign keys, links and defaults that the service uses', async () => {
    const db = await created(shop)
    const server = await SqlServer.start(shop, db)
    const customer = await server.send('POST', 'Customers', { Name: 'Ann' })
    expect(customer).toMatchObject({
      status: 201,
      json: {
        ID: 1,
        Since: '/Date(1706702400000)/',
        Opens: 'PT09H30M00S',
        Code: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    })
    expect(await server.send('POST', 'Customers(1)/Orders', { Total: '12.25' })).toMatchObject({
      status: 201,
      json: { ID: 1, CustomerID: 1, Total: '12.25' },
    })
    expect((await server.refusal('POST', 'Orders', { CustomerID: 9 }))[0]).toBe(409)
    expect((await server.send('POST', 'Tags', { Name: 'new' })).status).toBe(201)
    const link = { uri: `Tags('new')` }
    expect((await server.send('POST', 'Customers(1)/$links/Tags', link)).status).toBe(204)
    expect(
      (await server.send('GET', 'Customers(1)/Tags/$count', undefined, { Accept: 'text/plain' })).text,
    ).toBe('1')
    await server.stop()
  })

  it('MUST create the columns of media resources and derived types', async () => {
    const library = defineModel({
      namespace: 'Library',
      entityTypes: {
        Medium: {
          key: ['ID'],
          hasStream: true,
          properties: { ID: identity, Title: { type: 'Edm.String', maxLength: 9 } },
        },
        Photo: { baseType: 'Medium', properties: { Width: { type: 'Edm.Int32', nullable: false } } },
      },
      entityContainer: { entitySets: { Media: { entityType: 'Medium' } } },
    })
    const db = await created(library, { names: 'snake_case' })
    const server = await SqlServer.start(library, db)
    const { json } = await server.send('POST', 'Media', 'bytes', { 'Content-Type': 'text/x-a' })
    expect(json).toMatchObject({ ID: 1, __metadata: { type: 'Library.Medium', content_type: 'text/x-a' } })
    expect((await server.send('GET', 'Media(1)/$value', undefined, { Accept: '*/*' })).text).toBe('"bytes"')
    await server.stop()
  })

  it('MUST add the tables, columns and foreign keys that a database lacks, and widen columns', async () => {
    const db = await created(oldShop)
    await execute(db, insertAnn)
    const notices: string[] = []
    const changes = await alterTables(shop, db, { onNotice: (notice) => notices.push(notice) })
    expect({ changes, notices }).toEqual(expected)
    await execute(db, changes)
    const server = await SqlServer.start(shop, db)
    expect((await server.send('GET', 'Customers(1)')).json).toMatchObject({
      Name: 'Ann',
      Opens: 'PT09H30M00S',
    })
    expect((await server.send('POST', 'Orders', { CustomerID: null, Total: '1.25' })).status).toBe(
      database === 'sqlite' ? 400 : 201,
    )
    await server.stop()
    if (database !== 'sqlite') expect(await alterTables(shop, db)).toEqual([])
  })

  it('MUST report once the values that the database has to generate, and keys that it shortens', async () => {
    const notes = defineModel({
      namespace: 'M',
      entityTypes: {
        Note: {
          key: ['Name'],
          properties: {
            Name: { type: 'Edm.String', nullable: false },
            Changed: { type: 'Edm.DateTime', precision: 3, storeGeneratedPattern: 'Computed' },
            Made: { type: 'Edm.DateTime', precision: 3, computedDefaultValue: true },
          },
        },
      },
      entityContainer: { entitySets: { Notes: { entityType: 'Note' } } },
    })
    const notices: string[] = []
    const onNotice = (notice: string): number => notices.push(notice)
    const db = await created(notes, { onNotice })
    const shortened =
      "The key 'Name' of 'Notes' has at most 255 characters in the database: set its MaxLength."
    expect(notices).toEqual([
      ...(database === 'mysql' || database === 'mariadb' ? [shortened] : []),
      "The database must generate 'Changed' of 'Notes' at each change: add a trigger.",
      "Add the default of 'Made' of 'Notes': the model does not have its expression.",
    ])
    notices.length = 0
    expect([await alterTables(notes, db, { onNotice }), notices]).toEqual([[], []])
  })

  it('MUST reject names that the database would treat as equal', () => {
    const twins = defineModel({
      namespace: 'M',
      entityTypes: {
        Thing: {
          key: ['ID'],
          properties: { ID: identity, OrderID: { type: 'Edm.Int32' }, Order_ID: { type: 'Edm.Int32' } },
        },
      },
      entityContainer: { entitySets: { Things: { entityType: 'Thing' } } },
    })
    expect(() => createTables(twins, database, { names: 'snake_case' })).toThrow(
      "createTables: the names 'order_id' and 'order_id' of columns of 'things' are the same. " +
        "Choose other names with the option 'mapping'.",
    )
  })
}
