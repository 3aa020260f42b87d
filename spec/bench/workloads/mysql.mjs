/** The shop in MySQL or MariaDB, against hand-coded routes with `mysql2`, where `MARIADB_URL` names a server. */
import process from 'node:process'
import { atom, feed, key } from './shop.mjs'
import { goal, ours } from './variants.mjs'

const handCoded = { name: 'hand-coded with mysql2, Express', server: 'hand-coded-mysql' }
const express = ours('mysql')

const inMysql = (workload, ratio) => ({
  ...workload,
  name: `mysql-${workload.name}`,
  title: `${workload.title}, MariaDB`,
  resources: ['mysql'],
  variants: [handCoded, express],
  goals: [goal(express, ratio)],
})

export const mysqlWorkloads =
  process.env.MARIADB_URL === undefined ? [] : [inMysql(key, 1), inMysql(feed, 2.5), inMysql(atom, 3.2)]
