/** The shop in MySQL or MariaDB, on the server that `MARIADB_URL` names. */
import process from 'node:process'
import { categories, product, productColumns, productCount } from './rows.mjs'

const tables = [
  'create table Categories (ID smallint primary key, Name varchar(80) not null) character set utf8mb4 collate utf8mb4_bin',
  `create table Products (
    ID int primary key,
    Name varchar(80) not null,
    Description text,
    Price decimal(10, 2) not null,
    Stock bigint,
    CategoryID smallint not null references Categories (ID),
    Weight double,
    Active tinyint(1) not null,
    Released datetime(3),
    Code char(36) character set ascii
  ) character set utf8mb4 collate utf8mb4_bin`,
  'create index ProductsOfCategory on Products (CategoryID)',
]

/** @returns the address of a new database with the shop */
export async function fillMysql(name = 'bench') {
  const { createConnection } = await import('mysql2/promise')
  const address = new URL(process.env.MARIADB_URL)
  const main = await createConnection({ uri: address.href })
  await main.query(`drop database if exists ${name}`)
  await main.query(`create database ${name}`)
  await main.end()
  address.pathname = name
  const connection = await createConnection({ uri: address.href })
  for (const statement of tables) await connection.query(statement)
  const insert = (table, columns, rows) =>
    connection.query(`insert into ${table} (${columns.join(', ')}) values ?`, [rows.map(Object.values)])
  await insert('Categories', ['ID', 'Name'], categories())
  for (let id = 1; id <= productCount; id += 1000) {
    const rows = Array.from({ length: 1000 }, (_, index) => product(id + index))
    await insert('Products', productColumns, rows)
  }
  await connection.query('analyze table Products')
  await connection.end()
  return address.href
}
