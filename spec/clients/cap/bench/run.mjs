// Compares openV4 with CAP's V2 adapter over one process of CAP: npm run bench:cap [-- <rounds> <part of a name>], after
// npm run build and npm ci --prefix spec/clients. Prints, for each request, the CPU time of all servers and the duration
// beyond those of the same request in V4: through the adapter, through openV4 and through a proxy that passes the V4 request
// on as it is, both in CAP's process and in another one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { clientCore, pin, serverCore } from '../../../bench/measure/server-process.mjs'

const folder = import.meta.dirname
const rounds = Number(process.argv[2] ?? 30)
const chosen = process.argv[3] ?? ''
const COUNT = 1_000
const agent = new http.Agent({ keepAlive: true })
const json = { accept: 'application/json', 'content-type': 'application/json' }
/** The headers of V4 clients such as UI5. */
const jsonV4 = { ...json, accept: 'application/json;odata.metadata=minimal;IEEE754Compatible=true' }

async function start(...args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)
  for await (const line of lines) {
    if (!line.startsWith('http://')) continue
    child.stdout.resume()
    return { child, pid: child.pid, url: line }
  }
  throw new Error(`${args.join(' ')} did not start.`)
}

async function send(url, { method = 'GET', body, headers = json } = {}) {
  const request = http.request(url, { method, headers, agent })
  request.end(body)
  const [response] = await once(request, 'response')
  const chunks = []
  for await (const chunk of response) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  if (response.statusCode >= 300)
    throw new Error(`${method} ${url}: ${response.statusCode} ${text.slice(0, 300)}`)
  return text
}

/** Returns the CPU time of a process in milliseconds. */
function cpuOf(pid) {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6
}

async function insertProducts(url) {
  for (let first = 1_001; first <= 1_000 + COUNT; first += 100) {
    const requests = Array.from({ length: 100 }, (_, index) => ({
      id: String(index),
      method: 'POST',
      url: '/Products',
      headers: { 'content-type': 'application/json' },
      body: product(first + index),
    }))
    await send(`${url}/$batch`, { method: 'POST', body: JSON.stringify({ requests }) })
  }
}

function product(ID) {
  return {
    ID,
    name: `Product ${ID}`,
    price: String((ID % 100) + 0.5),
    stock: String(ID),
    weight: ID / 8,
    active: ID % 2 === 0,
    released: '2024-05-01',
    opens: '08:30:00',
    changed: '2024-06-01T10:00:00Z',
    measured: '2024-06-01T10:00:00.123Z',
    code: `00000000-0000-4000-8000-${String(ID).padStart(12, '0')}`,
    category_ID: (ID % 3) + 1,
  }
}

const keys = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
let nextId = 100_000

function insertOf(isV4) {
  const { released, opens, changed, measured, ...values } = product(nextId++)
  const dates = { released: '/Date(1714521600000)/', opens: 'PT08H30M00S' }
  const instants = { changed: '/Date(1717236000000+0000)/', measured: '/Date(1717236000123+0000)/' }
  const entity = isV4
    ? { ...values, released, opens, changed, measured }
    : { ...values, ...dates, ...instants }
  return { method: 'POST', body: JSON.stringify(entity), headers: isV4 ? jsonV4 : json }
}

const batchV4 = JSON.stringify({
  requests: keys.map((key) => ({ id: String(key), method: 'GET', url: `/Products(${key})` })),
})
const partOf = (key) =>
  `--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nGET Products(${key}) HTTP/1.1\r\nAccept: application/json\r\n\r\n\r\n`
const batchV2 = `${keys.map(partOf).join('')}--b--\r\n`
const multipart = { accept: 'multipart/mixed', 'content-type': 'multipart/mixed; boundary=b' }

/** Each request in V4 and in V2. */
const workloads = {
  'feed of 1,000': {
    goal: 0.4,
    warmUp: 100,
    repeat: 2,
    v4: (root) => send(`${root}/Products?$top=1000`, { headers: jsonV4 }),
    v2: (root) => send(`${root}/Products?$top=1000`),
  },
  'page of 20, $inlinecount, $expand': {
    goal: 0.4,
    warmUp: 1000,
    repeat: 8,
    v4: (root) => send(`${root}/Products?$top=20&$count=true&$expand=category`, { headers: jsonV4 }),
    v2: (root) => send(`${root}/Products?$top=20&$inlinecount=allpages&$expand=category`),
  },
  key: {
    goal: 1,
    warmUp: 1000,
    repeat: 12,
    v4: (root) => send(`${root}/Products(5)`, { headers: jsonV4 }),
    v2: (root) => send(`${root}/Products(5)`),
  },
  'batch of 10 reads': {
    goal: 1,
    warmUp: 250,
    repeat: 4,
    v4: (root) => send(`${root}/$batch`, { method: 'POST', body: batchV4 }),
    v2: (root) => send(`${root}/$batch`, { method: 'POST', body: batchV2, headers: multipart }),
  },
  POST: {
    goal: 1,
    warmUp: 1000,
    repeat: 8,
    v4: (root) => send(`${root}/Products`, insertOf(true)),
    v2: (root) => send(`${root}/Products`, insertOf(false)),
  },
}

const cap = await start(
  path.join(folder, '../serve.cjs'),
  'shop',
  '--adapter',
  '--mount',
  path.join(folder, 'routes.mjs'),
)
const other = await start(path.join(folder, 'serve.mjs'), cap.url)
const servers = [cap.pid, other.pid]
for (const pid of servers) pin(pid, serverCore)
pin(process.pid, clientCore)

const direct = `${cap.url}/odata/v4/catalog`
/** The ways of a request to CAP: the version of OData that it is sent in, and the service. */
const ways = {
  direct: ['v4', direct],
  adapter: ['v2', `${cap.url}/odata/v2/catalog`],
  'bridge, same process': ['v2', `${cap.url}/bridge`],
  'bridge, other process': ['v2', `${other.url}/bridge`],
  'proxy, same process': ['v4', `${cap.url}/proxy`],
  'proxy, other process': ['v4', `${other.url}/proxy`],
}

/** Returns milliseconds of CPU time and median duration of a request. */
async function measure(work, repeat) {
  const before = servers.map(cpuOf)
  const durations = []
  for (let index = 0; index < repeat; index++) {
    const from = performance.now()
    await work()
    durations.push(performance.now() - from)
  }
  const [ofCap, ofOther] = servers.map((pid, index) => (cpuOf(pid) - before[index]) / repeat)
  return { CPU: ofCap + ofOther, 'CPU of CAP': ofCap, ms: median(durations) }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/** Returns the overhead of a way as a share of that of the adapter: of all rounds, and the range of three parts of them. */
function ratioOf(results, way, member) {
  const ratio = (rounds) => {
    const [own, adapter, least] = [way, 'adapter', 'direct'].map((one) =>
      median(rounds.map((round) => round[one][member])),
    )
    return ((own - least) / (adapter - least)).toFixed(2)
  }
  const parts = [0, 1, 2].map((part) => ratio(results.filter((_, index) => index % 3 === part))).sort()
  return `${ratio(results)} (${parts[0]}-${parts[2]})`
}

try {
  await insertProducts(direct)
  for (const [name, { goal, warmUp, repeat, ...versions }] of Object.entries(workloads)) {
    if (!name.includes(chosen)) continue
    const works = Object.entries(ways).map(([way, [version, root]]) => [way, () => versions[version](root)])
    for (const [, work] of works) await measure(work, warmUp)
    const results = []
    for (let round = 0; round < rounds; round++) {
      results.push({})
      // The garbage of a way is collected while the next one runs: the order differs from round to round.
      for (const [way, work] of shuffled(works)) results[round][way] = await measure(work, repeat)
    }
    const of = (way, member) => median(results.map((round) => round[way][member])).toFixed(2)
    process.stdout.write(`${name}: at most ${goal} of the overhead of the adapter\n`)
    console.table(
      Object.fromEntries(
        Object.keys(ways).map((way) => [
          way,
          {
            ...Object.fromEntries(['CPU', 'CPU of CAP', 'ms'].map((member) => [member, of(way, member)])),
            ...(way !== 'direct' && {
              'CPU ratio': ratioOf(results, way, 'CPU'),
              'ms ratio': ratioOf(results, way, 'ms'),
            }),
          },
        ]),
      ),
    )
  }
} finally {
  agent.destroy()
  for (const { child } of [cap, other]) child.kill()
}

function shuffled(values) {
  return values
    .map((value) => [Math.random(), value])
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value)
}
