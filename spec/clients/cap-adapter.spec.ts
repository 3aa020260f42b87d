import express from 'express'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { odataV2 } from '../../lib/index.js'
import type { OpenedService } from '../../lib/v4.js'
import { openV4 } from '../../lib/v4.js'
import { TestServer } from '../support/http-exchange.js'
import type { CapShop } from './support/cap-shop.js'
import { startCapShop } from './support/cap-shop.js'

const fileOf = (name: string): unknown => JSON.parse(readFileSync(join(__dirname, 'cap', name), 'utf8'))
const requests = fileOf('requests.json') as readonly string[]
/** Requests with another response than that of the adapter, each with the reason. */
const differences = fileOf('differences.json') as Readonly<Record<string, string>>

let shop: CapShop
let opened: OpenedService
let server: TestServer

beforeAll(async () => {
  shop = await startCapShop()
  opened = await openV4(`${shop.url}/odata/v4/catalog`, { dialect: 'cap' })
  const { model, provider, options } = opened
  server = await TestServer.start(express().use('/n', odataV2(model, provider, options)))
})
afterAll(async () => {
  opened.close()
  await server.stop()
  await shop.stop()
})

interface Reply {
  readonly status: number
  readonly body: unknown
}

async function replyOf(root: string, path: string): Promise<Reply> {
  const accept = /\$(?:value|count)/.test(path) ? '*/*' : 'application/json'
  const response = await fetch(root + path.replaceAll(' ', '%20'), { headers: { accept } })
  const text = await response.text()
  return { status: response.status, body: response.ok ? contentOf(text, root) : undefined }
}

/** Returns the values of a document, without metadata, in a fixed order. */
function contentOf(text: string, root: string): unknown {
  try {
    return valuesOf((JSON.parse(text) as { d?: unknown }).d, root)
  } catch {
    return text
  }
}

function valuesOf(value: unknown, root: string): unknown {
  if (Array.isArray(value)) return value.map((one) => valuesOf(one, root))
  if (typeof value === 'string')
    return value.replace(root, '').replace(root.replace('127.0.0.1', 'localhost'), '')
  if (typeof value !== 'object' || value === null) return value
  if ('__deferred' in value) return 'deferred'
  const members = Object.entries(value).filter(([name]) => name !== '__metadata')
  return Object.fromEntries(members.map(([name, one]) => [name, valuesOf(one, root)]))
}

describe('A service of CAP, served as V2', () => {
  it.each(requests)('MUST respond as the adapter of CAP does, unless there is a reason: %s', async (path) => {
    const adapter = await replyOf(`${shop.url}/odata/v2/catalog/`, path)
    const own = await replyOf(`http://${server.host}/n/`, path)
    if (path in differences) expect(own).not.toEqual(adapter)
    else expect(own).toEqual(adapter)
  })

  it('MUST list reasons only for requests that are sent', () => {
    expect(Object.keys(differences).filter((path) => !requests.includes(path))).toEqual([])
  })
})
