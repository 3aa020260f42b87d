import { sql } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { ContractServices } from '../../contracts/contract-service.js'
import { loggedDatabase } from '../../support/sql/logged-database.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

const model = defineModel({
  namespace: 'N',
  entityTypes: {
    Category: {
      key: ['ID'],
      properties: { ID: edm.Int16({ nullable: false }) },
      navigationProperties: {
        Products: { relationship: 'CategoryProducts', fromRole: 'Category', toRole: 'Products' },
      },
    },
    Product: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Price: edm.Decimal({ precision: 10, scale: 2 }),
        Stock: edm.Int64(),
        CategoryID: edm.Int16({ nullable: false }),
        Released: edm.DateTime(),
        Sold: edm.DateTimeOffset(),
        Code: edm.Guid(),
      },
    },
  },
  associations: {
    CategoryProducts: {
      ends: {
        Category: { type: 'Category', multiplicity: '1' },
        Products: { type: 'Product', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Category', properties: ['ID'] },
        dependent: { role: 'Products', properties: ['CategoryID'] },
      },
    },
  },
  entityContainer: {
    entitySets: { Categories: { entityType: 'Category' }, Products: { entityType: 'Product' } },
  },
})

const tables = `
  create table "Categories" ("ID" smallint primary key);
  create table "Products" (
    "ID" integer primary key, "Price" numeric(10, 2), "Stock" bigint,
    "CategoryID" smallint not null references "Categories" ("ID"),
    "Released" timestamp, "Sold" timestamptz, "Code" uuid
  );
  insert into "Categories" values (1), (2);
  insert into "Products" values
    (1, 2.50, 5, 1, '2012-05-29 09:13:28', '2012-05-29 09:13:28.5+02', '00000000-0000-4000-8000-000000000001'),
    (2, null, null, 1, null, null, null), (3, 0, 0, 2, '0001-01-01', '9999-12-31 23:59:59Z', null);`

const columns = ['ID', 'Price', 'Stock', 'CategoryID', 'Released', 'Sold', 'Code']
const selected = columns.map((name) => `t0."${name}" as "${name}"`).join(', ')
const plain = columns.map((name) => `"${name}"`).join(', ')

describe('Statements for PostgreSQL', () => {
  const server = PostgresServer.shared()
  let services: ContractServices
  let db: AnyDatabase
  let statements: () => string[]

  beforeAll(async () => {
    services = await ContractServices.start()
    ;({ db, statements } = loggedDatabase(server.addressOf(await server.newDatabase())))
    await sql.raw(tables).execute(db)
    const provider = sqlProvider(model, db)
    await provider.ready()
    services.mount('shop', provider, {}, model)
  })

  afterAll(async () => {
    await services.close()
    await db.destroy()
    await server.stop()
  })

  it.each([
    ['/Products?$top=2', [`select ${selected} from "Products" as t0 order by t0."ID" limit 2`]],
    ['/Products(1)', [`select ${plain} from "Products" where "ID" = $1::"int4"`]],
    [
      '/Categories?$top=2&$expand=Products',
      [
        'select t0."ID" as "ID" from "Categories" as t0 order by t0."ID" limit 2',
        expect.stringMatching(
          /^select .* from "Products" as t0 where t0."CategoryID" = any\(\$1::"int2"\[\]\) order by t0."CategoryID", t0."ID" limit \d+$/,
        ) as string,
      ],
    ],
  ])('MUST select columns without conversions: %s', async (path, expected) => {
    statements()
    expect(await services.status('shop', path)).toBe(200)
    expect(statements()).toEqual(expected)
  })

  it('MUST respond with the values of all columns', async () => {
    expect(await services.json('shop', '/Products')).toMatchObject({
      results: [
        {
          ID: 1,
          Price: '2.50',
          Stock: '5',
          CategoryID: 1,
          Released: '/Date(1338282808000)/',
          Sold: '/Date(1338275608500+0000)/',
          Code: '00000000-0000-4000-8000-000000000001',
        },
        { ID: 2, Price: null, Stock: null, Released: null, Sold: null, Code: null },
        {
          ID: 3,
          Price: '0.00',
          Stock: '0',
          Released: '/Date(-62135596800000)/',
          Sold: '/Date(253402300799000+0000)/',
        },
      ],
    })
  })
})
