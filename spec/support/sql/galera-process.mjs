// Runs a Galera cluster until standard input ends: `galera-process.mjs [nodes] [options of mariadbd]`. Of two nodes, the
// first is the majority. A line with the number of a node that was killed starts it again; the response is its process id.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'

const [count = '2', ...options] = process.argv.slice(2)
const directory = mkdtempSync(join(tmpdir(), 'galera-'))
// Each node has its own address, so that all have the usual ports.
const network = `127.${String(1 + (process.pid % 250))}.${String(1 + ((process.pid >> 8) % 250))}`
const hosts = Array.from({ length: Number(count) }, (_, index) => `${network}.${String(index + 1)}`)
// The servers do not run as root. Copying the data to a joining node fails as root, too.
const user = process.getuid?.() === 0 ? 'mysql' : process.env.USER
const nodes = []

execFileSync('chmod', ['755', directory])
own(directory)
createInterface(process.stdin)
  .on('line', (line) => void rejoin(Number(line)))
  .once('close', () => void stop())
try {
  execFileSync(
    'mariadb-install-db',
    [
      '--no-defaults',
      `--user=${user}`,
      `--datadir=${join(directory, '0')}`,
      '--auth-root-authentication-method=normal',
    ],
    { stdio: 'ignore' },
  )
  await start(0, '')
  query(0, `create user tester@'%' identified by 'tester'; grant all on *.* to tester@'%'`)
  for (const index of hosts.keys()) {
    if (index === 0) continue
    mkdirSync(join(directory, String(index)))
    own(join(directory, String(index)))
    await start(index, hosts[0])
  }
  process.stdout.write(`${JSON.stringify({ hosts, pids: nodes.map(({ pid }) => pid) })}\n`)
} catch (error) {
  process.stderr.write(String(error))
  await stop()
}

async function start(index, peers) {
  const data = join(directory, String(index))
  const host = hosts[index]
  // A server deletes the temporary files of others in its folder when it starts.
  const temporary = join(directory, `temporary-${String(index)}`)
  mkdirSync(temporary, { recursive: true })
  own(temporary)
  const provider = `gmcast.listen_addr=tcp://${host}:4567;gcache.size=16M;pc.weight=${String(hosts.length === 2 ? 2 - index : 1)}`
  const node = spawn(
    'mariadbd',
    [
      '--no-defaults',
      `--user=${user}`,
      `--datadir=${data}`,
      `--tmpdir=${temporary}`,
      `--bind-address=${host}`,
      '--skip-name-resolve',
      `--socket=${socketOf(index)}`,
      `--pid-file=${join(data, 'pid')}`,
      '--binlog-format=ROW',
      '--innodb-autoinc-lock-mode=2',
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-buffer-pool-size=32M',
      '--wsrep-on=ON',
      '--wsrep-provider=/usr/lib/galera/libgalera_smm.so',
      `--wsrep-cluster-address=gcomm://${peers}`,
      `--wsrep-node-address=${host}`,
      `--wsrep-node-name=node${String(index)}`,
      `--wsrep-provider-options=${provider}`,
      ...options,
      ...(peers === '' ? ['--wsrep-new-cluster'] : []),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  nodes[index] = node
  let log = ''
  node.stderr.on('data', (chunk) => {
    log = (log + String(chunk)).slice(-5000)
  })
  while (!isSynced(index)) {
    if (node.exitCode !== null) throw new Error(`The node did not start: ${log}`)
    await delay(100)
  }
}

async function rejoin(index) {
  try {
    // Any other node can be the one that it joins.
    await start(index, hosts.filter((_, other) => other !== index).join(','))
    process.stdout.write(`${JSON.stringify({ pid: nodes[index].pid })}\n`)
  } catch (error) {
    process.stderr.write(String(error))
    await stop()
  }
}

function socketOf(index) {
  return join(directory, String(index), 'socket')
}

function query(index, statement) {
  const client = ['--no-defaults', `--socket=${socketOf(index)}`, '--user=root', '--batch']
  return execFileSync('mariadb', [...client, `--execute=${statement}`], { stdio: 'pipe' }).toString()
}

function isSynced(index) {
  try {
    return query(index, `show status like 'wsrep_local_state_comment'`).includes('Synced')
  } catch {
    return false
  }
}

function own(path) {
  if (process.getuid?.() === 0) execFileSync('chown', [user, path])
}

async function stop() {
  for (const node of nodes) {
    if (node.exitCode !== null || node.signalCode !== null) continue
    const exit = new Promise((resolve) => node.once('exit', resolve))
    // Its data is not needed.
    node.kill('SIGKILL')
    await exit
  }
  rmSync(directory, { recursive: true, force: true })
  process.exit(0)
}
