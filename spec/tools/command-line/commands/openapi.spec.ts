import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../../../lib/tools/command-line/run.js'
import { memoryProvider, odataV2, openApiDocument, writeEdmx } from '../../../../lib/index.js'
import { northwindModel } from '../../../../sample-app/northwind/northwind-service.js'
import { serve } from '../../../support/audited-services.js'
import { commandIo } from '../../../support/command-io.js'
import { withHandlers } from '../../../support/with-handlers.js'

const directory = mkdtempSync(join(tmpdir(), 'openapi-'))
const edmx = join(directory, 'model.edmx')

beforeAll(() => {
  writeFileSync(edmx, writeEdmx(northwindModel))
})
afterAll(() => {
  rmSync(directory, { recursive: true })
})

describe('express-odata-v2 openapi', () => {
  it('MUST write the document of a model', async () => {
    const file = join(directory, 'openapi.json')
    const server = 'https://example.org/northwind/'
    const words = ['openapi', edmx, '--output', file, '--title', 'Northwind', '--server', server]
    expect(await run(words, commandIo())).toBe(0)
    const expected = openApiDocument(northwindModel, { title: 'Northwind', serviceRoot: server })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(expected)))
  })

  it('MUST print it without --output, and omit changes with --read-only', async () => {
    const io = commandIo()
    expect(await run(['openapi', edmx, '--read-only', '--api-version', '3.0.0'], io)).toBe(0)
    const { info, paths } = JSON.parse(io.printed()) as { info: object; paths: Record<string, object> }
    expect(info).toMatchObject({ version: '3.0.0' })
    expect(Object.keys(paths['/Products'] ?? {})).toEqual(['get'])
  })

  it('MUST name the service that it reads as the server, unless another is named', async () => {
    const service = await serve(
      odataV2(northwindModel, withHandlers(memoryProvider(northwindModel, {}), northwindModel)),
    )
    try {
      for (const address of [service.root, `${service.root}$metadata?sap-client=100`]) {
        const io = commandIo()
        expect(await run(['openapi', address.replace('http://', 'http://user:secret@')], io)).toBe(0)
        expect(JSON.parse(io.printed())).toMatchObject({
          servers: [{ url: service.root.replace(/\/$/, '') }],
        })
      }
    } finally {
      await service.close()
    }
  })

  it.each([['nowhere'], ['ftp://example.org/'], ['https://example.org/?a=b']])(
    'MUST reject an invalid address of a service: %s',
    async (server) => {
      const io = commandIo()
      expect(await run(['openapi', edmx, '--server', server], io)).toBe(2)
      expect(io.errors()).toContain('--server')
    },
  )
})
