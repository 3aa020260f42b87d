import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'
import { fileModel, fileProvider, odataV2 } from '../../../lib/index.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { TestServer } from '../../support/http-exchange.js'
import { temporaryDirectory, write } from './support.js'

describe('A file service that is writable', () => {
  let root: string
  let server: TestServer
  const failures: unknown[] = []
  beforeEach(async () => {
    failures.length = 0
    root = temporaryDirectory()
    write(root, 'a.txt', 'a')
    write(root, 'd/b.txt', 'b')
    const onError = (error: unknown): void => void failures.push(error)
    const service = odataV2(fileModel, fileProvider(root, { writable: true }), { onError })
    server = await TestServer.start(express().use('/f', service))
  })
  afterEach(() => server.stop())

  const send = (method: string, path: string, body?: string): Promise<HttpResponse> =>
    server.send(`/f/${path}`, {
      method,
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    })

  it.each([
    ['DELETE', "Files('%2Fa.txt')/$value", undefined],
    ['MERGE', "Files('%2Fa.txt')/$value", 'x'],
    ['PATCH', "Files('%2Fa.txt')/$value", 'x'],
    ['DELETE', "Files('%2Fa.txt')/$links/Parent", undefined],
    ['PUT', "Files('%2Fa.txt')/$links/Parent", '{"uri":"Files(\'%2Fd\')"}'],
    ['DELETE', "Files('%2F')/$links/Files('%2Fa.txt')", undefined],
    ['POST', "Files('%2Fd')/$links/Files", '{"uri":"Files(\'%2Fa.txt\')"}'],
    ['DELETE', "Files('%2Fa.txt')/Parent", undefined],
    ['DELETE', "Files('%2F')/Files('%2Fa.txt')", undefined],
  ])('%s %s MUST be rejected: 405 with Allow', async (method, path, body) => {
    const { status, headers } = await send(method, path, body)
    expect([status, headers.allow]).toEqual([405, expect.stringContaining('GET, HEAD')])
    expect(headers.allow).not.toContain(method)
    expect(failures).toEqual([])
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('a')
  })
})
