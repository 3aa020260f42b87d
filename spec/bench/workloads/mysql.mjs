/** The shop in MySQL or MariaDB, against hand-coded routes with `mysql2`, where `MARIADB_URL` names a server. */
import process from 'node:process'
import { atom, expand, feed, insert, key } from './shop.mjs'
import { goal, ours } from './variants.mjs'

const handCoded = { name: 'hand-coded with mysql2, Express', server: 'hand-coded-mysql' }
const express = ours('mysql')

/** The database must not need more CPU time than for the hand-coded route, within the precision of its clock. */
const sameCpuOfDatabase = goal(express, 0.95, handCoded, 'databaseRatio')

const inMysql = (workload, ratio, goals = [sameCpuOfDatabase], others) => ({
  ...workload,
  ...others,
  name: `mysql-${workload.name}`,
  title: `${workload.title}, MariaDB`,
  resources: ['mysql'],
  variants: [handCoded, express],
  goals: [goal(express, ratio), ...goals],
})

export const mysqlWorkloads =
  process.env.MARIADB_URL === undefined
    ? []
    : [
        inMysql(key, 1),
        inMysql(feed, 2.5),
        inMysql(atom, 3.2),
        inMysql(expand, 2),
        // The hand-coded route does not read what the database has stored.
        inMysql(insert, 1, [], { isChange: true }),
      ]
