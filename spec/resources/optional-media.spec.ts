import express from 'express'
import { Readable } from 'node:stream'
import type { MediaProvider, Row } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'
import { exampleServiceWith } from '../support/services/example-service.js'

let server: TestServer
let written: string[]
let isOptional: boolean

beforeAll(async () => {
  server = await TestServer.start(
    express().use('/n', (req, res, next) => {
      const media: MediaProvider<Row> = {
        isOptional,
        contentType: () => 'text/plain',
        open: () => undefined,
        write: async (_row, { bytes }) => {
          written.push(Buffer.concat(await Readable.from(bytes).toArray()).toString())
        },
      }
      const photos = { read: () => [], insert: (row: Row) => ({ ...row, ID: row.ID ?? 9 }), media }
      exampleServiceWith('Photos', photos, { readOnly: false })(req, res, next)
    }),
  )
})
afterAll(() => server.stop())
beforeEach(() => {
  written = []
  isOptional = true
})

const entity = '{"ID":9,"Title":"t"}'
const post = (headers: Record<string, string>, body: string) =>
  server.send('/n/Photos', { method: 'POST', headers: { Accept: 'application/json', ...headers }, body })

describe('A POST to a set whose media resources are optional', () => {
  it('MUST insert an entity without media resource if the body is JSON', async () => {
    const { status, text } = await post({ 'Content-Type': 'application/json;charset=utf-8' }, entity)
    expect([status, written]).toEqual([201, []])
    expect(JSON.parse(text)).toMatchObject({ d: { ID: 9, Title: 't' } })
  })

  it.each([
    [{ 'Content-Type': 'application/json', Slug: 'data.json' }, entity],
    [{ 'Content-Type': 'text/plain' }, 'hello'],
  ])('MUST insert a media resource with %p', async (headers: Record<string, string>, body) => {
    expect((await post(headers, body)).status).toBe(201)
    expect(written).toEqual([body])
  })

  it('MUST insert JSON as a media resource if they are not optional', async () => {
    isOptional = false
    expect((await post({ 'Content-Type': 'application/json' }, entity)).status).toBe(201)
    expect(written).toEqual([entity])
  })
})
