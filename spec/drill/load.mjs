/** Clients that read and change data, and know what each response must contain. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { jsonOf, outcomeOf, send, sendBatch } from './client.mjs'
import { CATEGORIES, productOf, rowCount, SHARED_ACCOUNT } from './shop.mjs'

const PAGE_ROWS = 20
const RETRY_MS = 100
/** Requests that take longer are part of the time to recover. */
const SLOW_MS = 1000
/** Between changes while the clients mainly read. */
const QUIET_MS = 500
const MAX_EXAMPLES = 5

const describe = ({ status, text }) => `${status} ${text}`

/** The requests between two moments of the drill. */
export class Phase {
  requests = 0
  /** GET requests that failed although the proxy has retried them. */
  failedReads = 0
  refused = 0
  unknown = 0
  slow = 0
  wrong = 0
  /** Milliseconds between acknowledged changes. */
  longestPause = 0
  startedAt = performance.now()
  lastChange = performance.now()
  lastTrouble = 0
  faultAt = undefined
  examples = []
  cpuMs = undefined
  redis = undefined

  constructor(name) {
    this.name = name
  }

  fault() {
    this.faultAt = performance.now()
  }

  trouble(kind, what) {
    this[kind]++
    this.lastTrouble = performance.now()
    if (this.examples.length < MAX_EXAMPLES)
      this.examples.push({ kind, what, at: performance.now() - this.startedAt })
  }

  note(start) {
    this.requests++
    if (performance.now() - start <= SLOW_MS) return
    this.lastTrouble = performance.now()
    this.slow++
  }

  acknowledged() {
    const now = performance.now()
    this.longestPause = Math.max(this.longestPause, now - this.lastChange)
    this.lastChange = now
  }

  get recoveryMs() {
    if (this.faultAt === undefined) return undefined
    return Math.max(0, this.lastTrouble - this.faultAt)
  }
}

export class Load {
  phase = new Phase('')
  scale = 1
  /** True while reads may be refused, because the database has no primary. */
  mayRefuseReads = false
  /** True while only one client makes changes, and seldom. */
  isQuiet = false
  isRunning = true
  /** Changes of the account of each client, and the entries of these changes. */
  saved = new Map()
  tokens = new Set()
  unknownTokens = new Set()
  increments = 0
  unknownIncrements = 0

  constructor(port, clients) {
    this.port = port
    for (let client = 1; client <= clients; client++) this.saved.set(client, [])
    this.start()
  }

  /** Waits until no request is running. */
  async stop() {
    this.isRunning = false
    await Promise.all(this.clients)
  }

  start() {
    this.isRunning = true
    this.clients = [...this.saved.keys()].map((client) => this.run(client))
  }

  async run(client) {
    for (let round = 0; this.isRunning; round++) {
      const category = (client * 7 + round) % (this.isQuiet ? 3 : CATEGORIES)
      await this.readProducts(category)
      await this.readCount(category)
      if (this.isQuiet && client !== 1) continue
      if (this.isQuiet) await delay(QUIET_MS)
      await this.save(client)
      await this.readAccount(client)
      await this.addEvent()
      if (round % 4 === 0) await this.increment()
    }
  }

  async readProducts(category) {
    const path = `/shop/Products?$filter=Category%20eq%20${category}&$orderby=ID&$top=${PAGE_ROWS}&$inlinecount=allpages`
    await this.read(path, (response) => {
      const { __count, results = [] } = jsonOf(response) ?? {}
      const first = category === 0 ? CATEGORIES : category
      const expected = Array.from({ length: PAGE_ROWS }, (_, index) => productOf(first + index * CATEGORIES))
      const isRow = (product, { Name, Price, ID }) =>
        product.ID === ID && product.Name === Name && product.Price === Price
      return (
        __count === String(this.productsOfCategory) &&
        results.length === expected.length &&
        expected.every((product, index) => isRow(product, results[index]))
      )
    })
  }

  get productsOfCategory() {
    return rowCount(this.scale) / CATEGORIES
  }

  async readCount(category) {
    const path = `/shop/Products/$count?$filter=Category%20eq%20${category}`
    await this.read(path, ({ text }) => text === String(this.productsOfCategory), 'text/plain')
  }

  async readAccount(client) {
    const expected = this.saved.get(client).length
    await this.read(`/shop/Accounts(${client})`, (response) => jsonOf(response)?.Value === expected)
  }

  /** Sends an idempotent request, which the proxy retries. @returns the response if it is the right one */
  async read(path, isRight, accept = 'application/json') {
    const start = performance.now()
    const response = await send(this.port, 'GET', path, { headers: { accept } })
    // The phase may have changed meanwhile, and has caused the response.
    const { phase } = this
    phase.note(start)
    const isRefused = outcomeOf(response) === 'refused'
    if (isRefused && this.mayRefuseReads) phase.trouble('refused', `${path}: ${describe(response)}`)
    else if (outcomeOf(response) !== 'response')
      phase.trouble('failedReads', `${path}: ${describe(response)}`)
    else if (response.status !== 200 || !isRight(response))
      phase.trouble('wrong', `${path}: ${describe(response)}`)
    else return response
    if (isRefused) await delay(RETRY_MS)
    return undefined
  }

  /** Repeats a change until its outcome is known. @param attempt returns true when it is */
  async untilKnown(attempt) {
    let wasUnknown = false
    for (;;) {
      const start = performance.now()
      const response = await attempt()
      const { phase } = this
      phase.note(start)
      const outcome = outcomeOf(response.change ?? response)
      if (outcome === 'response') return { response, wasUnknown }
      phase.trouble(outcome, describe(response.change ?? response))
      wasUnknown ||= outcome === 'unknown'
      if (outcome === 'unknown' && response.isOnce) return { response, wasUnknown }
      await delay(RETRY_MS)
    }
  }

  /** Changes the account of a client and adds an entry in a change set, and reads the entries in the same batch. */
  async save(client) {
    const entries = this.saved.get(client)
    const [value, ID] = [entries.length, randomUUID()]
    const changes = [
      {
        method: 'MERGE',
        path: `Accounts(${client})`,
        headers: `If-Match: W/"${value + 1}"\r\n`,
        json: { Value: value + 1, Version: value + 2 },
      },
      { method: 'POST', path: 'Entries', json: { ID, AccountID: client, Amount: value } },
    ]
    const reads = [
      `Entries?$filter=AccountID%20eq%20${client}&$orderby=ID&$top=5&$inlinecount=allpages`,
      'Products/$count',
    ]
    const { response, wasUnknown } = await this.untilKnown(async () => {
      const batch = await sendBatch(this.port, changes, reads)
      return { ...batch, change: batch.parts[0] ?? batch }
    })
    const { phase } = this
    const { parts } = response
    const statuses = parts.map(({ status }) => status)
    const isSaved = statuses[0] === 204 && statuses[1] === 201
    // The change set whose response was lost had been committed.
    const wasSaved = wasUnknown && statuses[0] === 412
    if (!isSaved && !wasSaved) return phase.trouble('wrong', `change set: ${statuses} ${describe(response)}`)
    entries.push(ID)
    phase.acknowledged()
    const [page, count] = parts.slice(isSaved ? 2 : 1)
    this.checkPart(phase, page, () => jsonOf(page)?.__count === String(entries.length))
    this.checkPart(phase, count, () => Number(count.text) === rowCount(this.scale))
  }

  /** A read of a batch, which the proxy cannot retry. */
  checkPart(phase, part, isRight) {
    const outcome = part === undefined ? 'unknown' : outcomeOf(part)
    if (outcome !== 'response') phase.trouble(outcome, part === undefined ? 'a missing part' : describe(part))
    else if (part.status !== 200 || !isRight()) phase.trouble('wrong', `in a batch: ${describe(part)}`)
  }

  /** Adds an entity with a key of the database: a second one would be a duplicate, so that it is not sent again. */
  async addEvent() {
    const Token = randomUUID()
    const body = JSON.stringify({ Token })
    const { response, wasUnknown } = await this.untilKnown(async () => ({
      ...(await send(this.port, 'POST', '/shop/Events', {
        headers: { 'content-type': 'application/json' },
        body,
      })),
      isOnce: true,
    }))
    if (wasUnknown) return this.unknownTokens.add(Token)
    if (response.status !== 201) return this.phase.trouble('wrong', `event: ${describe(response)}`)
    this.tokens.add(Token)
    this.phase.acknowledged()
  }

  /** Adds one to the account that all clients change. */
  async increment() {
    const read = await this.read(
      `/shop/Accounts(${SHARED_ACCOUNT})`,
      (response) => jsonOf(response)?.Value !== undefined,
    )
    if (read === undefined) return
    const { Value, Version } = jsonOf(read)
    const headers = { 'content-type': 'application/json', 'if-match': `W/"${Version}"` }
    const body = JSON.stringify({ Value: Value + 1, Version: Version + 1 })
    const { response, wasUnknown } = await this.untilKnown(async () => ({
      ...(await send(this.port, 'MERGE', `/shop/Accounts(${SHARED_ACCOUNT})`, { headers, body })),
      isOnce: true,
    }))
    if (wasUnknown) this.unknownIncrements++
    else if (response.status === 204) this.increments++
    else if (response.status !== 412) this.phase.trouble('wrong', `increment: ${describe(response)}`)
  }

  /**
   * Compares the database with the acknowledged changes.
   *
   * @param query runs a statement on a node
   * @returns numbers of lost and of duplicate changes, and what they are
   */
  async compare(query) {
    const found = { lost: 0, duplicates: 0, details: [] }
    const note = (kind, count, what) => {
      if (count <= 0) return
      found[kind] += count
      found.details.push(`${kind}: ${count} of ${what}`)
    }
    const number = (rows, name) => Number(rows[0]?.[name])
    for (const [client, entries] of this.saved) {
      const value = number(
        await query(`select "Value" as value from "Accounts" where "ID" = ${client}`),
        'value',
      )
      note('lost', entries.length - value, `the changes of account ${client}`)
      note('duplicates', value - entries.length, `the changes of account ${client}`)
      const rows = await query(`select "ID" as id from "Entries" where "AccountID" = ${client}`)
      const stored = new Set(rows.map(({ id }) => id))
      note('lost', entries.filter((ID) => !stored.has(ID)).length, `the entries of account ${client}`)
      note('duplicates', stored.size - entries.length, `the entries of account ${client}`)
    }
    const counts = new Map()
    for (const { token } of await query('select "Token" as token from "Events"'))
      counts.set(token, (counts.get(token) ?? 0) + 1)
    note('lost', [...this.tokens].filter((token) => !counts.has(token)).length, 'the events')
    note('duplicates', [...counts.values()].filter((count) => count > 1).length, 'the events')
    const isSent = (token) => this.tokens.has(token) || this.unknownTokens.has(token)
    note('duplicates', [...counts.keys()].filter((token) => !isSent(token)).length, 'refused events')
    const shared = number(
      await query(`select "Value" as value from "Accounts" where "ID" = ${SHARED_ACCOUNT}`),
      'value',
    )
    note('lost', this.increments - shared, 'the increments')
    note('duplicates', shared - this.increments - this.unknownIncrements, 'the increments')
    return found
  }
}
