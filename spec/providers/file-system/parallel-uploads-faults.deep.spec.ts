import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'
import type { MediaProvider, Provider, Row } from '../../../lib/index.js'
import { fileModel, fileProvider, odataV2 } from '../../../lib/index.js'
import { etagOfFile } from '../../../lib/providers/file-system/file-row.js'
import { TestServer } from '../../support/http-exchange.js'
import { uploaded } from '../../support/parallel-services.js'
import { until } from '../../support/until.js'
import { openHandles, temporaryDirectory } from './support.js'

describe('Many uploads to one file, each with If-Match', () => {
  it('MUST replace each other one by one, and leave the complete last one', async () => {
    const root = temporaryDirectory()
    // Node.js opens some handles at the first use.
    await uploaded(temporaryDirectory(), 2)
    const before = openHandles()
    const { statuses, failures, inOrder, isLast } = await uploaded(root, 60)
    expect(Object.keys(statuses)).toEqual(['204', '412'])
    expect(statuses[204]).toBeGreaterThanOrEqual(30)
    expect([inOrder, isLast]).toEqual([statuses[204], true])
    expect(failures).toEqual([])
    expect(readdirSync(root)).toEqual(['a.txt'])
    await until(() => openHandles() <= before)
  })
})

describe('The ETag of an upload', () => {
  it('MUST be that of its own bytes, even if another upload has replaced them', async () => {
    const root = temporaryDirectory()
    writeFileSync(join(root, 'a.txt'), 'old')
    const { entitySets } = fileProvider(root, { writable: true }) as unknown as Provider
    const files = entitySets.Files
    const media = files?.media as unknown as MediaProvider<Row>
    const write: NonNullable<MediaProvider<Row>['write']> = async (...all) => {
      const etag = await media.write?.(...all)
      writeFileSync(join(root, 'a.txt'), 'of another process')
      return etag ?? undefined
    }
    const slow = Object.create(media, { write: { value: write } }) as MediaProvider<Row>
    const provider = {
      entitySets: { Files: Object.create(files ?? null, { media: { value: slow } }) as unknown },
    }
    const server = await TestServer.start(express().use('/f', odataV2(fileModel, provider as never)))
    const value = "/f/Files('%2Fa.txt')/$value"
    const { status, headers } = await server.send(value, { method: 'PUT', body: 'new' })
    const found = await server.send(value)
    expect([status, found.text]).toEqual([204, 'of another process'])
    expect(headers.etag).toMatch(/^"[\w-]{27}"$/)
    expect(found.headers.etag).not.toBe(headers.etag)
    await server.stop()
  })

  it('MUST differ for another file with the same length and times', () => {
    const times = { size: 5n, mtimeNs: 1_000n, ctimeNs: 1_000n }
    const tags = [1n, 2n].map((ino) => etagOfFile({ ...times, ino } as Parameters<typeof etagOfFile>[0]))
    expect(tags[0]).not.toBe(tags[1])
  })
})
