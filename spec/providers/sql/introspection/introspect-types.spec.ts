import { readEdmx } from '../../../../lib/csdl/read-edmx.js'
import { writeEdmx } from '../../../../lib/csdl/write-edmx.js'
import { introspect, mappingOf, sqlProvider } from '../../../../lib/sql.js'
import {
  introspectedService,
  outline,
  postgres,
  sqlite,
  useDatabases,
} from '../../../support/sql/introspected.js'

useDatabases()

describe('introspect on SQLite', () => {
  it('MUST map common type names of columns', async () => {
    const db = await sqlite(`
      create table everything (
        id integer primary key autoincrement, small smallint, medium mediumint, whole int not null, big bigint,
        flag tinyint(1), truth bool, price decimal(19, 4), bare numeric, rate real, twice double precision,
        name nvarchar(40) not null, code char(5), words text, raw blob, made datetime default current_timestamp,
        born date, at time, moment timestamptz, ident guid, doc json,
        total generated always as (whole * 2), note text default 'none' not null
      )`)
    const model = await introspect(db)
    expect(outline(model)['Everythings: Everything']).toEqual([
      '*Id: Int64 Identity',
      'Small: Int16?',
      'Medium: Int32?',
      'Whole: Int64',
      'Big: Int64?',
      'Flag: Boolean?',
      'Truth: Boolean?',
      'Price: Decimal(19,4)?',
      'Bare: Decimal?',
      'Rate: Double?',
      'Twice: Double?',
      'Name: String(40)',
      'Code: String(5)?',
      'Words: String?',
      'Raw: Binary?',
      'Made: DateTime? ComputedDefaultValue',
      'Born: DateTime?',
      'At: Time?',
      'Moment: DateTimeOffset?',
      'Ident: Guid?',
      'Doc: String?',
      'Total: String? Computed',
      'Note: String = none',
    ])
    expect(writeEdmx(model)).toContain(
      '<Property Name="Born" Type="Edm.DateTime" sap:display-format="Date"/>',
    )
  })

  it('MUST derive the types of columns without type, and of times that are numbers, from their values', async () => {
    const db = await sqlite(`
      create table samples (id integer primary key, anything, seconds timestamp, day date);
      create view sums as select id, count(*) as n, avg(seconds) as average, max(day) as day from samples group by id;
      insert into samples values (1, 'a', 1700000000, '2024-01-31'), (2, 'b', null, '2024-02-29')`)
    const { model, get } = await introspectedService(db, { keys: { sums: ['id'] } })
    expect(outline(model)).toEqual({
      'Samples: Sample': ['*Id: Int64', 'Anything: String?', 'Seconds: Int64?', 'Day: DateTime?'],
      'Sums: Sum': ['*Id: Int64', 'N: Int64?', 'Average: Double?', 'Day: String?'],
    })
    expect(await get('/Sums')).toMatchObject({ d: [{ N: '1', Average: '1700000000' }, { Average: null }] })
  })

  it('MUST keep names that are written in camel case, and find tables that are called by one row', async () => {
    const db = await sqlite(`
      create table customer (id integer primary key, firstName text, name text);
      create table "order" (id integer primary key, customerId integer references Customer, reportsTo int references "order");
      create table Order_Details (OrderID integer primary key references "order"(ID), Qty int)`)
    const { model } = await introspectedService(db)
    expect(outline(model)).toEqual({
      'Order_Details: Order_Detail': ['*OrderID: Int64', 'Qty: Int64?', 'Order -> Orders 1'],
      'Customers: Customer': ['*id: Int64', 'firstName: String?', 'name: String?', 'Orders -> Orders *'],
      'Orders: Order': [
        '*id: Int64',
        'customerId: Int64?',
        'reportsTo: Int64?',
        'Order_Detail -> Order_Details 0..1',
        'Customer -> Customers 0..1',
        'ReportsTo -> Orders 0..1',
        'Children -> Orders *',
      ],
    })
  })

  it('MUST show columns as strings that are declared as strings, although SQLite gives them another type', async () => {
    const db = await sqlite(`
      create table notes (id integer primary key, doc json, words string);
      insert into notes values (1, '5', 'x'), (2, '{}', '7')`)
    const { get } = await introspectedService(db)
    expect(await get('/Notes')).toMatchObject({
      d: [
        { Doc: '5', Words: 'x' },
        { Doc: '{}', Words: '7' },
      ],
    })
    expect(await get("/Notes?$filter=Words eq '7' and Doc gt '5'&$orderby=Words")).toMatchObject({
      d: [{ Id: '2' }],
    })
    expect(await get("/Notes?$filter=Words eq '07'")).toMatchObject({ d: [] })
  })

  it('MUST link rows of one table by a table of pairs', async () => {
    const db = await sqlite(`
      create table people (id integer primary key, name text);
      create table friendships (person_id int references people, friend_id int references people, primary key (person_id, friend_id));
      create table follows (a int references people, b int references people, primary key (a, b));
      insert into people values (1, 'Ada'), (2, 'Grace');
      insert into friendships values (1, 2);
      insert into follows values (2, 1)`)
    const { model, get } = await introspectedService(db)
    expect(outline(model)['People: Person']?.slice(2)).toEqual([
      'Bs -> People *',
      'As -> People *',
      'Friends -> People *',
      'People -> People *',
    ])
    expect(await get('/People(1)/Friends')).toMatchObject({ d: [{ Name: 'Grace' }] })
    expect(await get('/People(2)/Friends')).toMatchObject({ d: [] })
    expect(await get('/People(2)/Bs')).toMatchObject({ d: [{ Name: 'Ada' }] })
  })
})

describe('introspect on PostgreSQL', () => {
  it('MUST map the types of columns', async () => {
    const db = await postgres(`
      create type mood as enum ('sad', 'happy');
      create domain zip as varchar(5) not null;
      create table everything (
        id bigint generated always as identity primary key, serial_no serial, small smallint not null default 7, flag bool,
        price numeric(19, 4), bare numeric, rate real, twice double precision, name varchar(40) not null default 'x', code char(5),
        words text, raw bytea, made timestamptz not null default now(), plain timestamp(3), born date, at time, ident uuid default gen_random_uuid(),
        doc jsonb, list integer[], feeling mood, zip zip, span interval, total integer generated always as (small * 2) stored
      );
      comment on table everything is 'All there is';
      comment on column everything.name is 'What it is called';
      insert into everything (small, doc, list, feeling, zip, span, born, at) values (1, '{"a": [1]}', '{1,2}', 'happy', '04109', '1 day', '2024-01-31', '12:30')`)
    const { model, get } = await introspectedService(db)
    expect(outline(model)['Everythings: Everything']).toEqual([
      '*Id: Int64 Identity',
      'SerialNo: Int32 Identity',
      'Small: Int16 = 7',
      'Flag: Boolean?',
      'Price: Decimal(19,4)?',
      'Bare: Decimal?',
      'Rate: Single?',
      'Twice: Double?',
      'Name: String(40) = x',
      'Code: String(5)?',
      'Words: String?',
      'Raw: Binary?',
      'Made: DateTimeOffset(6) ComputedDefaultValue',
      'Plain: DateTime(3)?',
      'Born: DateTime(0)?',
      'At: Time(6)?',
      'Ident: Guid? ComputedDefaultValue',
      'Doc: String?',
      'List: String?',
      'Feeling: String?',
      'Zip: String(5)',
      'Span: String?',
      'Total: Int32? Computed',
    ])
    const type = model.entityTypes.get('Database.Everything')
    expect(type?.documentation).toEqual({ summary: 'All there is' })
    expect(type?.property('Name')?.documentation).toEqual({ summary: 'What it is called' })
    expect(await get('/Everythings(1L)')).toMatchObject({
      d: {
        Doc: '{"a": [1]}',
        List: '{1,2}',
        Feeling: 'happy',
        Span: '1 day',
        Total: 2,
        Born: '/Date(1706659200000)/',
      },
    })
    expect(await get("/Everythings?$filter=Doc eq '{\"a\": [1]}' and Feeling eq 'happy'")).toMatchObject({
      d: [{ Small: 1 }],
    })
  })

  it('MUST reach tables of other schemas when they are named', async () => {
    const db = await postgres(`
      create schema sales;
      create table customers (id integer primary key);
      create table sales.customers (id integer primary key, name text);
      create table sales.orders (id integer primary key, customer_id integer references sales.customers);
      insert into sales.customers values (7, 'Ada');
      insert into sales.orders values (1, 7)`)
    expect(Object.keys(outline(await introspect(db)))).toEqual(['Customers: Customer'])
    const { model, get } = await introspectedService(db, { schemas: ['sales'] })
    expect(mappingOf(model)).toEqual({
      entitySets: { Customers: { table: 'sales.customers' }, Orders: { table: 'sales.orders' } },
    })
    expect(await get('/Orders(1)/Customer')).toMatchObject({ d: { Name: 'Ada' } })
  })
})

describe('sqlProvider', () => {
  it('MUST report mismatches before the first request, with suggestions', async () => {
    const db = await sqlite('create table products (id integer primary key, name text, price text)')
    const xml = writeEdmx(await introspect(db))
    const model = readEdmx(xml.replace('Name="Name" Type="Edm.String"', 'Name="Name" Type="Edm.Int32"'))
    await expect(sqlProvider(model, db).ready()).rejects.toThrow(
      "'Name' of 'Products' is Edm.Int32, but the column 'name' of 'products' is 'text', which cannot store it",
    )
    const mapping = { entitySets: { Product: {}, Products: { columns: { Nam: 'name' } } } }
    await expect(sqlProvider(readEdmx(xml), db, { mapping }).ready()).rejects.toThrow(
      /names an entity set 'Product', which the model does not have. Did you mean 'Products'\?[^]*names a property 'Nam', which the model does not have. Did you mean 'Name'\?/,
    )
  })
})
