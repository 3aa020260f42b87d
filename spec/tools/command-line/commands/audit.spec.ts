import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditChecks } from '../../../../lib/audit.js'
import { run } from '../../../../lib/tools/command-line/run.js'
import { memoryProvider, odataV2 } from '../../../../lib/index.js'
import { northwindData, northwindModel } from '../../../../sample-app/northwind/northwind-service.js'
import { proxiedService } from '../../../support/broken-proxy.js'
import { commandIo } from '../../../support/command-io.js'
import { withHandlers } from '../../../support/with-handlers.js'

const directory = mkdtempSync(join(tmpdir(), 'audit-'))
const served = proxiedService(() =>
  odataV2(northwindModel, withHandlers(memoryProvider(northwindModel, northwindData), northwindModel)),
)

afterAll(() => {
  rmSync(directory, { recursive: true })
})

const metadata = ['--only', 'ODATA-META']

describe('express-odata-v2 audit', () => {
  it('MUST print a report and end with 0 when the service conforms', async () => {
    const io = commandIo()
    expect(await run(['audit', served.service.root, ...metadata], io)).toBe(0)
    expect(io.printed()).toContain(`OData V2 audit of ${served.service.root}`)
    expect(io.printed()).toMatch(/MUST +\d+ passed, 0 failed/)
  })

  it('MUST end with 1 when a MUST has failed, and print request and response', async () => {
    served.proxy.violation = {
      response: ({ headers }) => {
        headers['content-type'] = 'text/plain'
      },
    }
    const io = commandIo()
    expect(await run(['audit', served.proxy.root, ...metadata], io)).toBe(1)
    expect(io.printed()).toContain('failed ODATA-META-002 MUST')
    expect(io.printed()).toContain(`> GET ${served.proxy.root}$metadata`)
    expect(io.printed()).toContain('< content-type: text/plain')
  })

  it('MUST end with 0 when no more than a SHOULD has failed', async () => {
    served.proxy.violation = {
      response: ({ headers }) => {
        delete headers.allow
      },
    }
    const io = commandIo()
    expect(await run(['audit', served.proxy.root, '--only', 'ODATA-ERROR'], io)).toBe(0)
    expect(io.printed()).toContain('failed ODATA-ERROR-007 SHOULD')
  })

  it.each([
    ['json', '{'],
    ['junit', '<?xml'],
  ])('MUST write %s to a file', async (format, start) => {
    const file = join(directory, `report.${format}`)
    const words = ['audit', served.service.root, ...metadata, '--format', format, '--output', file]
    expect(await run(words, commandIo())).toBe(0)
    expect(readFileSync(file, 'utf8').startsWith(start)).toBe(true)
  })

  it('MUST send the headers that are given', async () => {
    const seen = new Set<string | undefined>()
    served.proxy.violation = {
      request: ({ headers }) => {
        seen.add(headers.authorization)
        return undefined
      },
    }
    await run(
      ['audit', served.proxy.root, ...metadata, '--header', 'Authorization: Bearer secret'],
      commandIo(),
    )
    expect([...seen]).toEqual(['Bearer secret'])
  })

  it('MUST list every check', async () => {
    const io = commandIo()
    expect(await run(['audit', '--list'], io)).toBe(0)
    for (const { id } of auditChecks) expect(io.printed()).toContain(id)
  })

  it.each([
    ['no service', ['http://127.0.0.1:9/']],
    ['what is no address', ['northwind.edmx']],
    ['no address at all', []],
    ['checks that are not there', ['http://127.0.0.1:9/', '--only', 'ODATA-FILTR']],
    ['a format that is not there', ['http://127.0.0.1:9/', '--format', 'html']],
  ])('MUST exit with 2 and the reason: %s', async (_what, words) => {
    const io = commandIo()
    expect(await run(['audit', ...words], io)).toBe(2)
    expect(io.errors()).not.toBe('')
  })
})
