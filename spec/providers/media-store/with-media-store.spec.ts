import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { createTables } from '../../../lib/sql.js'
import type { MediaStore, Provider, StoredContent } from '../../../lib/index.js'
import { memoryProvider, ODataError, odataV2, withMediaStore } from '../../../lib/index.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { collectBytes } from '../../../lib/util/collect-bytes.js'
import { required } from '../../../lib/util/required.js'
import express from 'express'
import { sql } from 'kysely'
import { TestServer } from '../../support/http-exchange.js'
import { photoData, photoModel } from '../../support/services/photo-service.js'
import { describeDatabases } from '../../support/sql/databases.js'
import { until } from '../../support/until.js'

/** A store in memory, which can refuse to delete. */
class MapStore implements MediaStore {
  readonly objects = new Map<string, Uint8Array>()
  refusesRemoval = false

  running = 0

  async put(name: string, { bytes }: StoredContent): Promise<number> {
    this.running++
    try {
      const stored = await collectBytes(bytes)
      this.objects.set(name, stored)
      return stored.length
    } finally {
      this.running--
    }
  }

  read(name: string, range?: { readonly start: number; readonly end: number }): Readable {
    const bytes = this.objects.get(name)
    const stream = new Readable({ read: () => undefined })
    if (bytes === undefined) return stream.destroy(new ODataError('ResourceNotFound'))
    stream.push(range === undefined ? bytes : bytes.subarray(range.start, range.end + 1))
    stream.push(null)
    return stream
  }

  remove(name: string): Promise<void> {
    if (this.refusesRemoval) return Promise.reject(new Error(`cannot delete ${name}`))
    this.objects.delete(name)
    return Promise.resolve()
  }
}

/** A service whose media resources are in a store. */
class StoredPhotos {
  private constructor(
    readonly server: TestServer,
    readonly store: MapStore,
    readonly errors: unknown[],
  ) {}

  static async start(provider: Provider<typeof photoModel>): Promise<StoredPhotos> {
    const store = new MapStore()
    const errors: unknown[] = []
    const service = odataV2(photoModel, withMediaStore(provider, store), {
      onError: (error) => void errors.push(error),
    })
    return new StoredPhotos(await TestServer.start(express().use('/s', service)), store, errors)
  }

  async put(bytes: string, headers: Record<string, string> = {}, path = '/s/Photos(1)/$value') {
    return this.server.send(path, {
      method: 'PUT',
      body: bytes,
      headers: { 'Content-Type': 'image/png', ...headers },
    })
  }

  async read(headers: Record<string, string> = {}, path = '/s/Photos(1)/$value') {
    return this.server.send(path, { headers })
  }

  stored(): string[] {
    return [...this.store.objects.values()].map((bytes) => Buffer.from(bytes).toString()).sort()
  }
}

function describeStoredMedia(start: () => Promise<StoredPhotos>): void {
  let photos: StoredPhotos
  beforeEach(async () => {
    photos = await start()
  })
  afterEach(() => photos.server.stop())

  it('MUST be in the store, with size, ranges and a new ETag for each version', async () => {
    const first = await photos.put('0123456789')
    const read = await photos.read({ Range: 'bytes=2-4' })
    expect([first.status, read.status, read.text, read.headers['content-range']]).toEqual([
      204,
      206,
      '234',
      'bytes 2-4/10',
    ])
    expect([read.headers.etag, read.headers['content-type']]).toEqual([first.headers.etag, 'image/png'])
    const second = await photos.put('0123456789')
    expect(second.headers.etag).not.toBe(first.headers.etag)
    expect((await photos.read({ 'If-None-Match': String(second.headers.etag) })).status).toBe(304)
    expect(photos.stored()).toEqual(['0123456789'])
  })

  it('MUST replace the object only if If-Match names its version', async () => {
    const { headers } = await photos.put('one')
    expect((await photos.put('two', { 'If-Match': '"other"' })).status).toBe(412)
    expect([(await photos.read()).text, photos.stored()]).toEqual(['one', ['one']])
    expect((await photos.put('three', { 'If-Match': String(headers.etag) })).status).toBe(204)
    expect([(await photos.read()).text, photos.stored()]).toEqual(['three', ['three']])
  })

  it('MUST leave no object after a change that is rolled back', async () => {
    await photos.put('one')
    expect((await photos.put('two', {}, '/s/Photos(9)/$value')).status).toBe(404)
    const batch = [
      '--b',
      'Content-Type: multipart/mixed; boundary=c',
      '',
      ...['PUT Photos(1)/$value', 'PUT Photos(8)/$value'].flatMap((line) => [
        '--c',
        'Content-Type: application/http',
        'Content-Transfer-Encoding: binary',
        '',
        `${line} HTTP/1.1`,
        'Content-Type: image/png',
        'Content-Length: 3',
        '',
        'two',
      ]),
      '--c--',
      '--b--',
      '',
    ].join('\r\n')
    const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
    const failed = await photos.server.send('/s/$batch', { method: 'POST', body: batch, headers })
    expect([failed.status, failed.text]).toEqual([202, expect.stringContaining('HTTP/1.1 404')])
    const done = batch.replace('Photos(8)', 'Photos(1)').replace(/two\r\n--c--/, 'new\r\n--c--')
    expect([(await photos.read()).text, photos.stored()]).toEqual(['one', ['one']])
    const committed = await photos.server.send('/s/$batch', { method: 'POST', body: done, headers })
    expect([committed.status, committed.text]).toEqual([202, expect.not.stringContaining('HTTP/1.1 404')])
    expect([(await photos.read()).text, photos.stored()]).toEqual(['new', ['new']])
  })

  it('MUST delete the object with its media resource or its entity', async () => {
    await photos.put('one')
    const remove = (path: string) => photos.server.send(path, { method: 'DELETE' })
    expect((await remove('/s/Photos(1)/$value')).status).toBe(204)
    expect([(await photos.read()).text, photos.stored()]).toEqual(['', []])
    const upload = { method: 'POST', body: 'three', headers: { 'Content-Type': 'text/plain' } }
    const posted = await photos.server.send('/s/Photos', upload)
    expect([posted.status, photos.stored()]).toEqual([201, ['three']])
    const path = new URL(String(posted.headers.location)).pathname
    expect((await remove(path)).status).toBe(204)
    expect(photos.stored()).toEqual([])
  })

  it('MUST report an object that cannot be deleted after the commit, and respond with success', async () => {
    await photos.put('one')
    photos.store.refusesRemoval = true
    expect((await photos.put('two')).status).toBe(204)
    expect([(await photos.read()).text, photos.stored()]).toEqual(['two', ['one', 'two']])
    expect(photos.errors).toEqual([expect.objectContaining({ status: 500 })])
    expect(String((photos.errors[0] as ODataError).cause)).toMatch(/could not be deleted: [\da-f-]{36}/)
  })

  it('MUST serve 404 when the object of an existing entity is missing', async () => {
    await photos.put('one')
    photos.store.objects.clear()
    expect((await photos.read()).status).toBe(404)
  })

  it('MUST leave one object after concurrent uploads', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, (_, index) => photos.put(`bytes ${index}`)))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([204]))
    expect(photos.stored()).toEqual([(await photos.read()).text])
  })

  it('MUST leave no object of an upload that its client aborts', async () => {
    await photos.put('one')
    const socket = connect(photos.server.port, '127.0.0.1')
    socket.write('PUT /s/Photos(1)/$value HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\n')
    socket.write('Content-Length: 100\r\n\r\nbeginning')
    await until(() => photos.store.running === 1)
    socket.destroy()
    await until(() => photos.store.running === 0)
    expect([(await photos.read()).text, photos.stored()]).toEqual(['one', ['one']])
  })
}

describe('Media resources of the memory provider in a store', () => {
  describeStoredMedia(() => StoredPhotos.start(memoryProvider(photoModel, photoData())))

  it('MUST serve bytes that the provider has stored before', async () => {
    const photos = await StoredPhotos.start(memoryProvider(photoModel, photoData()))
    expect((await photos.read()).text).toBe('old')
    await photos.server.stop()
  })

  it('MUST keep all objects if the outcome of the commit is unknown', async () => {
    const provider = memoryProvider(photoModel, photoData())
    let isLost = false
    const photos = await StoredPhotos.start({
      ...provider,
      async beginChangeSet(call) {
        const changeSet = required(await provider.beginChangeSet?.(call))
        const commit = changeSet.commit.bind(changeSet)
        const rollBack = changeSet.rollBack.bind(changeSet)
        changeSet.commit = async () => {
          await commit()
          if (isLost) throw new Error('The connection was lost.')
        }
        changeSet.rollBack = () => (isLost ? undefined : rollBack())
        return changeSet
      },
    })
    await photos.put('one')
    isLost = true
    expect((await photos.put('two')).status).toBe(500)
    expect([(await photos.read()).text, photos.stored()]).toEqual(['two', ['one', 'two']])
    expect(photos.errors.map((error) => String((error as ODataError).cause)).join()).toContain('unreferenced')
    await photos.server.stop()
  })

  it('MUST be rejected for a provider without change sets or media resources', () => {
    const store = new MapStore()
    const provider = { ...memoryProvider(photoModel, {}), beginChangeSet: undefined }
    expect(() => withMediaStore(provider as never, store)).toThrow('beginChangeSet')
    const sets = { ...memoryProvider(photoModel, {}), entitySets: {} }
    expect(() => withMediaStore(sets as never, store)).toThrow('no entity set')
  })
})

describe('Media resources in a store, of a provider that does not state their size', () => {
  const withoutSizes = (): Provider<typeof photoModel> => {
    const provider = memoryProvider(photoModel, photoData())
    const { Photos } = provider.entitySets
    const media = required(Photos.media)
    const open: typeof media.open = async (row, call) => {
      const resource = await media.open(row, call)
      return (
        resource && { ...resource, size: undefined, stream: () => resource.stream(), close: () => undefined }
      )
    }
    return {
      ...provider,
      entitySets: { ...provider.entitySets, Photos: { ...Photos, media: { ...media, open } } },
    }
  }

  describeStoredMedia(() => StoredPhotos.start(withoutSizes()))

  it('MUST serve bytes that the provider has stored before', async () => {
    const photos = await StoredPhotos.start(withoutSizes())
    expect((await photos.read()).text).toBe('old')
    await photos.server.stop()
  })
})

describeDatabases(({ open, kind }) => {
  describe(`Media resources of the SQL provider in a store, on ${kind}`, () => {
    describeStoredMedia(async () => {
      const db = await open(createTables(photoModel, kind))
      const provider = sqlProvider(photoModel, db)
      await provider.ready()
      await sql`insert into ${sql.table('Photos')} values (${1}, ${'one'}, null, null)`.execute(db)
      return StoredPhotos.start(provider)
    })
  })
})
