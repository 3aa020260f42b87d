import { writeEdmx } from '../../../../lib/csdl/write-edmx.js'
import type { IntrospectOptions } from '../../../../lib/sql.js'
import { introspect, mappingOf } from '../../../../lib/sql.js'
import {
  introspectedService,
  outline,
  postgres,
  sqlite,
  useDatabases,
} from '../../../support/sql/introspected.js'

useDatabases()

const shop = `
  create table categories (id integer primary key, name varchar(40) not null, parent_id integer references categories(id));
  create table products (
    id integer primary key, name varchar(80) not null, unit_price numeric(10, 2) default 0,
    category_id integer not null references categories(id) on delete cascade, discontinued boolean not null default false
  );
  create table tags (id integer primary key, label varchar(20) not null);
  create table product_tags (
    product_id integer not null references products(id), tag_id integer not null references tags(id),
    primary key (product_id, tag_id)
  );
  create table people (id integer primary key, full_name text not null);
  create table orders (
    id integer primary key, billing_person_id integer references people(id),
    shipping_person_id integer references people(id)
  );
  create table order_details (
    order_id integer not null references orders(id), line integer not null, product_id integer references products(id),
    primary key (order_id, line)
  );
  insert into categories values (1, 'Food', null), (2, 'Cheese', 1);
  insert into products values (1, 'Gouda', 12.5, 2, false), (2, 'Bread', 3.25, 1, true);
  insert into tags values (1, 'old'), (2, 'new');
  insert into product_tags values (1, 1), (1, 2), (2, 2);
  insert into people values (1, 'Ada'), (2, 'Grace');
  insert into orders values (1, 1, 2);
  insert into order_details values (1, 1, 1), (1, 2, 2)`

describe.each([
  ['SQLite', sqlite, 'Int64'],
  ['PostgreSQL', postgres, 'Int32'],
] as const)('introspect on %s', (database, open, integer) => {
  it('MUST call sets, types, properties and ways between them as people would', async () => {
    const model = await introspect(await open(shop))
    expect(outline(model)).toEqual({
      'Categories: Category': [
        `*Id: ${integer}`,
        'Name: String(40)',
        `ParentId: ${integer}?`,
        'Parent -> Categories 0..1',
        'Children -> Categories *',
        'Products -> Products *',
      ],
      'OrderDetails: OrderDetail': [
        `*OrderId: ${integer}`,
        `*Line: ${integer}`,
        `ProductId: ${integer}?`,
        expect.stringMatching(/^(?:Order -> Orders 1|Product -> Products 0..1)$/),
        expect.stringMatching(/^(?:Order -> Orders 1|Product -> Products 0..1)$/),
      ],
      'Orders: Order': [
        `*Id: ${integer}`,
        `BillingPersonId: ${integer}?`,
        `ShippingPersonId: ${integer}?`,
        'OrderDetails -> OrderDetails *',
        'BillingPerson -> People 0..1',
        'ShippingPerson -> People 0..1',
      ],
      'People: Person': [
        `*Id: ${integer}`,
        'FullName: String',
        'BillingOrders -> Orders *',
        'ShippingOrders -> Orders *',
      ],
      'Products: Product': [
        `*Id: ${integer}`,
        'Name: String(80)',
        'UnitPrice: Decimal(10,2)? = 0',
        `CategoryId: ${integer}`,
        'Discontinued: Boolean = false',
        'OrderDetails -> OrderDetails *',
        'Category -> Categories 1',
        'Tags -> Tags *',
      ],
      'Tags: Tag': [`*Id: ${integer}`, 'Label: String(20)', 'Products -> Products *'],
    })
    expect(mappingOf(model)).toEqual({})
  })

  it('MUST make a model that serves the database', async () => {
    const { get } = await introspectedService(await open(shop))
    const name = { results: [{ Label: 'new' }] }
    expect(await get("/Products?$filter=Category/Name eq 'Cheese'&$select=Name")).toMatchObject({
      status: 200,
      d: [{ Name: 'Gouda' }],
    })
    expect(
      await get('/Products(2)?$expand=Tags,Category/Parent&$select=Tags/Label,Category/Name'),
    ).toMatchObject({
      d: { Tags: name, Category: { Name: 'Food' } },
    })
    expect(await get('/Tags(2)/Products?$orderby=Name&$select=Name')).toMatchObject({
      d: [{ Name: 'Bread' }, { Name: 'Gouda' }],
    })
    expect(await get('/People(2)/ShippingOrders')).toMatchObject({ d: [expect.anything()] })
    expect(await get('/People(2)/BillingOrders')).toMatchObject({ d: [] })
    expect(await get('/Categories(1)/Children?$select=Name')).toMatchObject({ d: [{ Name: 'Cheese' }] })
    expect(await get('/Orders(1)/OrderDetails/$count')).toMatchObject({ d: '2' })
  })

  it('MUST create navigation properties between related rows', async () => {
    const model = await introspect(await open(shop))
    const ends = [...model.associations.values()].flatMap(({ name, ends }) =>
      ends.filter(({ onDelete }) => onDelete === 'Cascade').map(({ role }) => `${name} ${role}`),
    )
    expect(ends).toEqual(['Product_Category Category'])
  })

  it('MUST use unique columns that are not null as a key, and skip tables without one', async () => {
    const notices: string[] = []
    const db = await open(`
      create table codes (code varchar(5) not null unique, text varchar(9));
      create table notes (text varchar(9));
      create table marks (a integer not null, b integer not null, unique (a, b));
      create view texts as select code, text from codes`)
    const model = await introspect(db, { onNotice: (notice) => notices.push(notice) })
    // Tables of SQLite have a row id.
    const isRowId = database === 'SQLite'
    expect(Object.keys(outline(model))).toEqual([
      'Codes: Code',
      'Marks: Mark',
      ...(isRowId ? ['Notes: Note'] : []),
    ])
    expect(notices).toEqual([
      ...(isRowId
        ? []
        : ["Skipped table 'notes': it has no key. Name its columns: keys: { 'notes': [...] }."]),
      "Skipped view 'texts': it has no key. Name its columns: keys: { 'texts': [...] }.",
    ])
  })

  it('MUST show views whose key is named, and refuse changes of them', async () => {
    const db = await open(`
      create table codes (code varchar(5) primary key, amount integer);
      create view totals as select code, sum(amount) as total from codes group by code;
      insert into codes values ('a', 1)`)
    const { model, get } = await introspectedService(db, { keys: { totals: ['code'] } })
    expect(outline(model)['Totals: Total']?.[0]).toBe('*Code: String(5)')
    expect(await get("/Totals('a')")).toMatchObject({ status: 200, d: { Code: 'a' } })
    expect(writeEdmx(model)).toMatch(
      /<EntitySet Name="Totals"[^>]* sap:creatable="false" sap:updatable="false"/,
    )
  })

  it('MUST give columns of several words and foreign letters names that are legal, and find them again', async () => {
    const db = await open(`
      create table "Order Details" ("Order ID" integer not null, "1st" integer, "Größe" integer, "a b" integer, "a-b" integer,
        primary key ("Order ID"));
      insert into "Order Details" values (1, 2, 3, 4, 5)`)
    const { model, get } = await introspectedService(db)
    expect(outline(model)).toEqual({
      'OrderDetails: OrderDetail': [
        `*OrderID: ${integer}`,
        `_1st: ${integer}?`,
        `Größe: ${integer}?`,
        `AB: ${integer}?`,
        `AB2: ${integer}?`,
      ],
    })
    expect(mappingOf(model)).toEqual({
      entitySets: { OrderDetails: { columns: { AB: 'a b', AB2: 'a-b' } } },
    })
    expect(await get('/OrderDetails(1)')).toMatchObject({ d: { _1st: expect.anything() } })
  })

  it('MUST reject keys of missing columns, invalid options, and empty databases', async () => {
    const db = await open("create view notes as select cast('a' as varchar(9)) as text")
    await expect(introspect(db, { keys: { note: ['text'] } })).rejects.toThrow("Did you mean 'notes'?")
    await expect(introspect(db, { keys: { notes: ['texts'] } })).rejects.toThrow("Did you mean 'text'?")
    await expect(introspect(db, { onNotices: () => undefined } as IntrospectOptions)).rejects.toThrow(
      "Did you mean 'onNotice'?",
    )
    await expect(introspect(db)).rejects.toThrow("none of the tables has a primary key: 'notes'")
    await expect(introspect(db, { tables: () => false })).rejects.toThrow(
      "'tables' excludes all tables of the database",
    )
  })
})
