import createDebug from 'debug'
import express from 'express'
import { truncateSync } from 'node:fs'
import { format } from 'node:util'
import { readEdmx, writeEdmx } from '../../../lib/index.js'
import { fileModel, fileProvider, odataV2 } from '../../../lib/index.js'
import { TestServer } from '../../support/http-exchange.js'
import { temporaryDirectory, write } from './support.js'

const GIB = 2 ** 30
const root = temporaryDirectory()
for (const [name, size] of [
  ['a.bin', 3 * GIB + 1],
  ['b.bin', 3 * GIB],
  ['c.bin', 7],
  ['d.bin', 2 ** 31],
] as const)
  truncateSync(write(root, name), size)

const largeModel = readEdmx(
  writeEdmx(fileModel).replace('Name="size" Type="Edm.Int32"', 'Name="size" Type="Edm.Int64"'),
)

describe('Files of more than 2 GiB', () => {
  let server: TestServer

  beforeAll(async () => {
    const app = express()
    // A process reports one file. Spec files share their process, but not this copy.
    await jest.isolateModulesAsync(async () => {
      const copy = await import('../../../lib/index.js')
      app.use('/small', copy.odataV2(copy.fileModel, copy.fileProvider(root)))
    })
    app.use('/large', odataV2(largeModel, fileProvider(root, { model: largeModel, writable: true })))
    server = await TestServer.start(app)
  })

  afterAll(() => server.stop())

  const rows = async (path: string): Promise<readonly (readonly unknown[])[]> => {
    const { text } = await server.send(encodeURI(`${path}&$format=json`))
    const { d } = JSON.parse(text) as { d: { results: { name: string; size: unknown }[] } }
    return d.results.map(({ name, size }) => [name, size])
  }

  it('MUST have the size null in the model with Edm.Int32, and be reported once', async () => {
    const lines: string[] = []
    const { log } = createDebug
    createDebug.log = (...parts: unknown[]) => lines.push(format(...parts))
    createDebug.enable('odata-v2:files')
    try {
      const files = await rows('/small/Files?$filter=isDirectory eq false')
      expect(files).toEqual([
        ['a.bin', null],
        ['b.bin', null],
        ['c.bin', 7],
        ['d.bin', null],
      ])
      await rows('/small/Files?$filter=size eq null')
    } finally {
      createDebug.disable()
      createDebug.log = log
    }
    expect(lines).toEqual([expect.stringContaining("'/a.bin' is too large for 'size' as Edm.Int32")])
  })

  it('MUST have their exact size in a model with Edm.Int64', async () => {
    const [a, b, d] = [
      ['a.bin', '3221225473'],
      ['b.bin', '3221225472'],
      ['d.bin', '2147483648'],
    ]
    expect(await rows('/large/Files?$filter=size gt 3221225472L')).toEqual([a])
    expect(await rows('/large/Files?$filter=size ge 2147483648L&$orderby=size desc')).toEqual([a, b, d])
    expect(await rows('/large/Files?$filter=size ne null&$orderby=size&$top=2')).toEqual([['c.bin', '7'], d])
    const entity = await server.send("/large/Files('%2Fb.bin')/size/$value")
    expect(entity.text).toBe('3221225472')
  })

  it('MUST accept the unchanged size', async () => {
    const merge = (size: string) =>
      server.send("/large/Files('%2Fb.bin')", {
        method: 'MERGE',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ size }),
      })
    expect((await merge('3221225472')).status).toBe(204)
    expect((await merge('3221225473')).status).toBe(400)
  })

  it('MUST be rejected with a model that is not one of files', () => {
    const model = { ...largeModel, defaultContainer: { entitySet: () => undefined } } as never
    for (const wrong of [model, 1 as never])
      expect(() => fileProvider(root, { model: wrong })).toThrow(/model must be a model with the entity set/)
  })
})
