/** The clusters of the drill: each can lose a node, and then has all acknowledged changes. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { findFreePort } from '../support/sql/free-port.mjs'
import { endInput, familyOf, firstLine, start } from './programs.mjs'

const scriptOf = (name) => fileURLToPath(new URL(`../support/sql/${name}.mjs`, import.meta.url))
const run = (name, words) =>
  start(process.execPath, [scriptOf(name), ...words], { stdio: ['pipe', 'pipe', 'inherit'] })

/** Three nodes, which all accept changes. */
async function startGalera() {
  const child = run('galera-process', ['3', '--wsrep-sync-wait=1', '--innodb-flush-log-at-trx-commit=1'])
  const { hosts, pids } = await firstLine(child)
  const port = await findFreePort()
  const on = (host) => async (statement) => {
    const connection = await createConnection({ host, user: 'tester', password: 'tester', database: 'test' })
    try {
      const [rows] = await connection.query(statement.replaceAll('"', '`'))
      return rows
    } finally {
      await connection.end()
    }
  }
  return {
    kind: 'mysql',
    title: 'MariaDB Galera, three nodes',
    fault: 'kill -9 of a node',
    port,
    url: `mysql://tester:tester@127.0.0.1:${port}/test`,
    servers: hosts.map((host) => `${host}:3306`),
    query: on(hosts[1]),
    copies: hosts.map(on),
    refusesReads: false,
    async loseNode() {
      process.kill(pids[0], 'SIGKILL')
    },
    /** Starts the node again. It gets the changes that it has missed from another node. */
    async rejoin() {
      child.stdin.write('0\n')
      await firstLine(child)
    },
    stop: () => endInput(child),
  }
}

/** A primary, and a standby that has applied each change before it is acknowledged. */
async function startPostgres() {
  const primary = run('postgres-process', ['-c', 'max_connections=100'])
  const { port: primaryPort, directory } = await firstLine(primary)
  // The program that runs a killed server does not remove its data.
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const standby = run('postgres-standby', [String(primaryPort), directory])
  const { port: standbyPort } = await firstLine(standby)
  const port = await findFreePort()
  const on = (to) => async (statement) => {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: to,
      user: 'tester',
      password: 'tester',
      database: 'postgres',
    })
    await client.connect()
    try {
      return (await client.query(statement)).rows
    } finally {
      await client.end()
    }
  }
  const onPrimary = on(primaryPort)
  await onPrimary(`alter system set synchronous_standby_names = '*'`)
  await onPrimary(`alter system set synchronous_commit = 'remote_apply'`)
  await onPrimary('select pg_reload_conf()')
  return {
    kind: 'postgres',
    title: 'PostgreSQL, primary and synchronous standby',
    fault: 'kill -9 of the primary, promotion',
    port,
    url: `postgres://tester:tester@127.0.0.1:${port}/postgres`,
    servers: [`127.0.0.1:${primaryPort}`, `127.0.0.1:${standbyPort} backup`],
    query: onPrimary,
    copies: [on(standbyPort)],
    /** Reads are of the primary, like changes. */
    refusesReads: true,
    async loseNode() {
      const pid = Number(readFileSync(join(directory, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
      for (const one of familyOf(pid)) process.kill(one, 'SIGKILL')
      await on(standbyPort)('select pg_promote()')
    },
    async stop() {
      await endInput(standby)
      await endInput(primary)
    },
  }
}

export const clusters = { galera: startGalera, postgres: startPostgres }
