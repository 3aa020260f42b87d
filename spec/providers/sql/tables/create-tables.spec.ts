import { describeCreatedTables } from '../../../support/sql/created-tables.js'
import { describeDatabases } from '../../../support/sql/databases.js'

const expected = {
  postgres: {
    changes: [
      'create table "Tags" (\n  "Name" varchar(20) not null,\n  primary key ("Name")\n)',
      'create table "CustomerTags" (\n  "Customer_ID" integer not null,\n  "Tag_Name" varchar(20) not null,\n' +
        '  primary key ("Customer_ID", "Tag_Name")\n)',
      'alter table "Customers" add column "Code" uuid default gen_random_uuid()',
      `alter table "Customers" add column "Since" timestamp(0) default '2024-01-31T12:00:00'`,
      `alter table "Customers" add column "Opens" time(0) default '09:30:00'`,
      'alter table "Customers" alter column "Name" type varchar(40)',
      'alter table "Orders" alter column "CustomerID" drop not null',
      'alter table "Orders" alter column "Total" type numeric(10, 2)',
      'create index "CustomerTags_Tag_Name" on "CustomerTags" ("Tag_Name")',
      'alter table "CustomerTags" add foreign key ("Customer_ID") references "Customers" ("ID")',
      'alter table "CustomerTags" add foreign key ("Tag_Name") references "Tags" ("Name")',
      'alter table "Orders" add foreign key ("CustomerID") references "Customers" ("ID")',
    ],
    notices: [],
  },
  sqlite: {
    changes: [
      'create table "Tags" (\n  "Name" varchar(20) not null,\n  primary key ("Name")\n)',
      'create table "CustomerTags" (\n  "Customer_ID" mediumint not null,\n  "Tag_Name" varchar(20) not null,\n' +
        '  primary key ("Customer_ID", "Tag_Name"),\n  foreign key ("Customer_ID") references "Customers" ("ID"),\n' +
        '  foreign key ("Tag_Name") references "Tags" ("Name")\n)',
      'alter table "Customers" add column "Code" uuid',
      `alter table "Customers" add column "Since" datetime default '2024-01-31T12:00:00'`,
      `alter table "Customers" add column "Opens" time default '09:30:00'`,
      'create index "CustomerTags_Tag_Name" on "CustomerTags" ("Tag_Name")',
    ],
    notices: [
      "The database cannot add the default of the new column 'Code' of 'Customers': copy the table.",
      "The column 'CustomerID' of 'Orders' rejects null, which the model allows. The database cannot change this.",
      "The foreign key 'CustomerID' of 'Orders' to 'Customers' is missing. SQLite cannot add one to a table.",
    ],
  },
}

describe('createTables and alterTables', () => {
  describeDatabases(({ kind, open }) => {
    if (kind === 'mysql') return
    describeCreatedTables(kind, () => open([]), expected[kind])
  })
})
