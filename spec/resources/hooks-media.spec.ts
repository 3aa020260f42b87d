import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Router } from 'express'
import express from 'express'
import type { EntityHooks, MediaProvider, NewMedia, Provider, Row } from '../../lib/index.js'
import {
  defineModel,
  edm,
  fileModel,
  fileProvider,
  memoryProvider,
  ODataError,
  odataV2,
} from '../../lib/index.js'
import { Failures } from '../support/failures.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'

const model = defineModel({
  namespace: 'M',
  entityTypes: {
    Photo: {
      key: ['ID'],
      hasStream: true,
      properties: {
        ID: edm.Int32({ nullable: false }),
        Title: edm.String({ nullable: false, syndication: { target: 'SyndicationTitle' } }),
        Size: edm.Int32(),
      },
    },
  },
  entityContainer: { entitySets: { Photos: { entityType: 'Photo' } } },
})

let server: TestServer
let failures: Failures
let log: unknown[]
beforeEach(() => {
  failures = new Failures()
  log = []
})
afterEach(() => server.stop())

async function start(service: Router): Promise<void> {
  server = await TestServer.start(express().use('/m', service))
}

function photos(hooks: EntityHooks): Promise<void> {
  const $media = { contentType: 'image/png', bytes: Buffer.from('old') }
  const provider = memoryProvider(model, { Photos: [{ ID: 1, Title: 'one', $media }] })
  return start(odataV2(model, provider, { onError: failures.onError, hooks: { Photos: hooks } }))
}

const recording: EntityHooks = {
  beforeInsert: (entity, { media }) => void log.push(['beforeInsert', entity, media]),
  afterInsert: (entity, { media }) => log.push(['afterInsert', entity, media]),
  beforeUpdate: (changes, current, { media }) => void log.push(['beforeUpdate', changes, current, media]),
  afterUpdate: (entity, previous, { media }) => log.push(['afterUpdate', entity, previous, media]),
  beforeDelete: (current, { media }) => log.push(['beforeDelete', current, media]),
  afterDelete: (previous, { media }) => log.push(['afterDelete', previous, media]),
}

function send(method: string, target: string, body?: string, headers = {}): Promise<HttpResponse> {
  return server.send(`/m/${target}`, body === undefined ? { method, headers } : { method, headers, body })
}

const png = { 'Content-Type': 'image/png', Accept: 'application/json' }
const one = { ID: 1, Title: 'one', Size: null }

describe('Hooks of media link entries', () => {
  it('MUST be called around the insert that bytes imply', async () => {
    await photos(recording)
    expect((await send('POST', 'Photos', 'bytes', { ...png, Slug: 'two' })).status).toBe(201)
    expect(log).toEqual([
      ['beforeInsert', { Title: 'two', Size: null }, false],
      ['afterInsert', { ID: 2, Title: 'two', Size: null }, false],
    ])
  })

  it('MUST be able to set values and to reject the request before the bytes are stored', async () => {
    await photos({
      beforeInsert({ Title }) {
        if (Title === 'bad') throw new ODataError('Forbidden')
        return { Size: 5 }
      },
    })
    const made = await send('POST', 'Photos', 'bytes', { ...png, Slug: 'two' })
    expect([made.status, JSON.parse(made.text)]).toMatchObject([201, { d: { Title: 'two', Size: 5 } }])
    expect((await send('POST', 'Photos', 'bytes', { ...png, Slug: 'bad' })).status).toBe(403)
    expect((await send('GET', 'Photos/$count')).text).toBe('2')
  })

  it.each([
    ['PUT', 'new'],
    ['DELETE', undefined],
  ])('MUST be called around %s of $value as an update that changes no value', async (method, body) => {
    await photos(recording)
    expect((await send(method, 'Photos(1)/$value', body, png)).status).toBe(204)
    expect(log).toEqual([
      ['beforeUpdate', {}, one, true],
      ['afterUpdate', one, one, true],
    ])
  })

  it('MUST be able to set values when the media resource changes', async () => {
    await photos({ ...recording, beforeUpdate: (_changes, _current, { media }) => ({ Size: media ? 3 : 0 }) })
    expect((await send('PUT', 'Photos(1)/$value', 'new', png)).status).toBe(204)
    expect(log).toEqual([['afterUpdate', { ...one, Size: 3 }, one, true]])
    expect((await send('GET', 'Photos(1)/Size/$value')).text).toBe('3')
  })

  it.each(['beforeUpdate', 'afterUpdate'] as const)(
    'MUST keep the old bytes when %s refuses',
    async (name) => {
      const refuse = (): never => {
        throw new ODataError('Conflict')
      }
      await photos({ [name]: refuse })
      expect((await send('PUT', 'Photos(1)/$value', 'new', png)).status).toBe(409)
      expect((await send('GET', 'Photos(1)/$value')).text).toBe('old')
    },
  )

  it('MUST be called around the delete of the entity', async () => {
    await photos(recording)
    expect((await send('DELETE', 'Photos(1)')).status).toBe(204)
    expect(log).toEqual([
      ['beforeDelete', one, false],
      ['afterDelete', one, false],
    ])
  })
})

describe('Hooks over a provider that makes entities together with their bytes', () => {
  /** A store that says late which entity it makes. */
  function store(rows: Row[], update?: boolean): Provider<typeof model> {
    const media: MediaProvider<Row> = {
      contentType: () => 'image/png',
      open: () => undefined,
      async insert(content: NewMedia) {
        const row = { ID: rows.length + 1, Title: content.slug ?? '', Size: null }
        await content.permit(row)
        rows.push(row)
        return row
      },
    }
    const set = {
      read: () => rows,
      media,
      ...(update === true
        ? {
            update: ({ ID }: Row, values: Row) =>
              Object.assign(rows.find((row) => row.ID === ID) ?? {}, values),
          }
        : {}),
    }
    return { entitySets: { Photos: set } } as unknown as Provider<typeof model>
  }

  it('MUST be called before the entity is visible, and again afterwards', async () => {
    const rows: Row[] = []
    await start(odataV2(model, store(rows), { hooks: { Photos: recording } }))
    expect((await send('POST', 'Photos', 'x', { ...png, Slug: 'two' })).status).toBe(201)
    const row = { ID: 1, Title: 'two', Size: null }
    expect(log).toEqual([
      ['beforeInsert', row, false],
      ['afterInsert', row, false],
    ])
  })

  it('MUST set the values of a hook by an update', async () => {
    const rows: Row[] = []
    const hooks = { Photos: { beforeInsert: () => ({ Size: 9 }) } }
    await start(odataV2(model, store(rows, true), { hooks }))
    const { status, text } = await send('POST', 'Photos', 'x', png)
    expect([status, JSON.parse(text)]).toMatchObject([201, { d: { Size: 9 } }])
    expect(rows).toMatchObject([{ Size: 9 }])
  })

  it('MUST name the hook when there is no update, and make nothing', async () => {
    const rows: Row[] = []
    const hooks = { Photos: { beforeInsert: () => ({ Size: 9 }) } }
    await start(odataV2(model, store(rows), { hooks, onError: failures.onError }))
    expect((await send('POST', 'Photos', 'x', png)).status).toBe(500)
    expect(failures.errors.map(({ message }) => message)).toEqual([
      "hooks.Photos.beforeInsert returned values, but the provider of 'Photos' has no method 'update' to set them.",
    ])
    expect(rows).toEqual([])
  })

  it('MUST be able to keep a file from being written, replaced and deleted', async () => {
    const root = mkdtempSync(join(tmpdir(), 'hooks-'))
    try {
      writeFileSync(join(root, 'kept.txt'), 'old')
      const refuse = (): never => {
        throw new ODataError('Forbidden')
      }
      const hooks = { Files: { beforeInsert: refuse, beforeUpdate: refuse, beforeDelete: refuse } }
      await start(odataV2(fileModel, fileProvider(root, { writable: true }), { hooks }))
      const text = { 'Content-Type': 'text/plain', Slug: 'new.txt' }
      expect((await send('POST', 'Files', 'x', text)).status).toBe(403)
      expect((await send('PUT', "Files('%2Fkept.txt')/$value", 'x', text)).status).toBe(403)
      expect((await send('DELETE', "Files('%2Fkept.txt')")).status).toBe(403)
      expect(readdirSync(root)).toEqual(['kept.txt'])
    } finally {
      rmSync(root, { recursive: true })
    }
  })
})

describe('The name that a client would like for a media resource', () => {
  const naming: EntityHooks = {
    beforeInsert: (_entity, { slug }) => ({ Title: slug }),
    afterInsert: (_entity, { slug }) => log.push(['afterInsert', slug]),
    beforeUpdate: (_changes, _current, { slug }) => void log.push(['beforeUpdate', slug]),
  }

  it.each([
    ['image/png', 'bytes', { Slug: '%C3%BC.png' }, 'ü.png'],
    [
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="f"; filename="form.png"\r\n\r\nbytes\r\n--b--\r\n',
      {},
      'form.png',
    ],
  ])('MUST reach the hooks of its insert, and no others: %s', async (type, body, more, name) => {
    await photos(naming)
    const headers = { 'Content-Type': type, Accept: 'application/json', ...more }
    const { status, text } = await server.send('/m/Photos', { method: 'POST', headers, body })
    expect([status, JSON.parse(text)]).toEqual([201, { d: expect.objectContaining({ Title: name }) }])
    const media = await server.send('/m/Photos(2)/$value')
    expect(media.headers['content-disposition']).toContain(encodeURIComponent(name))
    const merge = { method: 'MERGE', headers: { 'Content-Type': 'application/json' }, body: '{"Size":1}' }
    expect((await server.send('/m/Photos(1)', merge)).status).toBe(204)
    expect(log).toEqual([
      ['afterInsert', name],
      ['beforeUpdate', undefined],
    ])
  })
})
