import { createServer } from 'node:http'
import { auditChecks, AuditError, auditService } from '../../../lib/audit.js'
import type { CheckResult } from '../../../lib/audit.js'
import { memoryProvider, odataV2 } from '../../../lib/index.js'
import { northwindData, northwindModel } from '../../../sample-app/northwind/northwind-service.js'
import { listening } from '../../support/audited-services.js'
import { proxiedService } from '../../support/broken-proxy.js'
import { gate } from '../../support/failures.js'
import { withHandlers } from '../../support/with-handlers.js'

const served = proxiedService(() =>
  odataV2(northwindModel, withHandlers(memoryProvider(northwindModel, northwindData), northwindModel)),
)

describe('auditChecks', () => {
  it('MUST have unique IDs, a level, a sentence and a section', () => {
    expect(new Set(auditChecks.map(({ id }) => id)).size).toBe(auditChecks.length)
    for (const { id, level, title, spec } of auditChecks) {
      expect(id).toMatch(/^ODATA-[A-Z]+-\d{3}$/)
      expect(['MUST', 'SHOULD']).toContain(level)
      expect(title).toMatch(/\.$/)
      expect(spec).toMatch(/^(?:MS-ODATA|MC-CSDL|MC-EDMX|RFC|OData CSDL|SAP annotations|WHATWG)/)
    }
  })
})

describe('auditService', () => {
  it('MUST not change data by default', async () => {
    const methods = new Set<string>()
    served.proxy.violation = {
      request: ({ method, url }) => {
        if (!url.endsWith('$batch')) methods.add(`${method} ${method === 'DELETE' ? url : ''}`.trim())
        return undefined
      },
    }
    const { checks } = await auditService(served.proxy.root)
    expect(checks.filter(({ writes }) => writes)).toEqual([])
    // Services reject DELETE of the metadata document and POST to functions for GET.
    expect([...methods].sort()).toEqual(
      ['DELETE /service/$metadata', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PROPFIND'].sort(),
    )
  })

  it('MUST delete the entities that it creates with write', async () => {
    const count = async (set: string): Promise<string> =>
      (await fetch(`${served.service.root}${set}/$count`)).text()
    const sets = ['Categories', 'Products', 'Customers']
    const before = await Promise.all(sets.map(count))
    await auditService(served.service.root, {
      write: true,
      checks: ['ODATA-WRITE', 'ODATA-COND', 'ODATA-BATCH'],
    })
    expect(await Promise.all(sets.map(count))).toEqual(before)
  })

  it('MUST call onCheck after every check', async () => {
    const results: CheckResult[] = []
    const { checks, counts, conforms } = await auditService(served.service.root, {
      checks: ['ODATA-META', 'ODATA-ROOT-001'],
      onCheck: (result) => results.push(result),
    })
    expect(results.map(({ id }) => id).sort()).toEqual(checks.map(({ id }) => id).sort())
    expect(conforms).toBe(true)
    expect(counts.MUST.passed + counts.SHOULD.passed).toBe(checks.length)
  })

  it('MUST send its requests with the option fetch', async () => {
    const urls: string[] = []
    const { conforms } = await auditService('https://service.example/odata', {
      checks: ['ODATA-META', 'ODATA-SET'],
      fetch: async (input, init) => {
        const url = (input as string).replace('https://service.example/odata/', served.service.root)
        urls.push(url)
        return fetch(url, init)
      },
    })
    expect(conforms).toBe(true)
    expect(urls).toContain(`${served.service.root}$metadata`)
  })

  it('MUST not report the option headers', async () => {
    served.proxy.violation = {
      response: (response) => {
        response.status = 500
      },
    }
    const headers = { Authorization: 'Bearer secret' }
    const report = await auditService(served.proxy.root, { headers, checks: ['ODATA-ROOT', 'ODATA-ERROR'] })
    expect(report.counts.MUST.failed).toBeGreaterThan(5)
    expect(JSON.stringify(report)).not.toContain('secret')
  })

  it('MUST not send the option headers to other hosts', async () => {
    const seen: (string | undefined)[] = []
    const elsewhere = await listening(
      createServer((req, res) => {
        seen.push(req.headers.authorization)
        res.writeHead(404).end()
      }),
      '/',
    )
    served.proxy.violation = {
      response: (response) => {
        const body = response.body
          .toString('utf8')
          .replaceAll(/"uri":"[^"]*\/service\//g, `"uri":"${elsewhere.root}`)
        response.body = Buffer.from(body)
      },
    }
    const { checks } = await auditService(served.proxy.root, {
      headers: { Authorization: 'Bearer secret' },
      checks: ['ODATA-ENTITY-003'],
    })
    await elsewhere.close()
    expect(checks.map(({ outcome }) => outcome)).toEqual(['failed'])
    expect(seen).toEqual([undefined])
  })

  it('MUST fail a check whose response exceeds the timeout', async () => {
    const ended = gate()
    served.proxy.violation = {
      request: async ({ url }) => {
        if (url.endsWith('$metadata')) await ended.opened
        return undefined
      },
    }
    // The audit throws an AuditError where the limit is too short for the first response of a slow machine.
    const audit = async (timeout: number): Promise<readonly [number, CheckResult | undefined]> => {
      try {
        const { checks } = await auditService(served.proxy.root, { timeout, checks: ['ODATA-META-001'] })
        return [timeout, checks[0]]
      } catch (error) {
        expect(error).toBeInstanceOf(AuditError)
        return audit(timeout * 2)
      }
    }
    const [timeout, check] = await audit(100)
    ended.open()
    const reason = expect.stringContaining(`within ${timeout} ms`) as string
    expect(check).toMatchObject({ outcome: 'failed', reason })
  })

  it('MUST fail a check whose response is too large', async () => {
    const { checks } = await auditService(served.service.root, { maxBytes: 3000, checks: ['ODATA-META-001'] })
    expect(checks[0]).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('3000 bytes') })
  })

  it('MUST fail checks, but not the audit, for unexpected responses', async () => {
    served.proxy.violation = {
      response: (response, { url }) => {
        if (!url.endsWith('$metadata'))
          response.body = Buffer.from('{"d":{"results":[null,{"__metadata":7,"ID":{}}],"__next":"http://"}}')
      },
    }
    const { checks, counts } = await auditService(served.proxy.root, { write: true })
    expect(checks).toHaveLength(auditChecks.length)
    expect(counts.MUST.failed).toBeGreaterThan(30)
  })

  it('MUST abort with the reason of the signal', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const audit = auditService(served.service.root, {
      signal: controller.signal,
      onCheck: () => {
        controller.abort(reason)
      },
    })
    await expect(audit).rejects.toBe(reason)
  })

  it.each(['', 'northwind.edmx', 'ftp://host/service/', 'http://', 'http://host/service/?a=b'])(
    'MUST reject an invalid address: %s',
    async (url) => {
      await expect(auditService(url)).rejects.toThrow(AuditError)
    },
  )

  it('MUST reject unknown checks with a suggestion', async () => {
    const audit = auditService(served.service.root, { checks: ['ODATA-FILTR'] })
    await expect(audit).rejects.toThrow("There is no check 'ODATA-FILTR'. Did you mean 'ODATA-FILTER'?")
  })

  it.each(['text/html', 'application/xml'])(
    'MUST reject an address without a service that returns %s',
    async (type) => {
      const server = createServer((_req, res) => {
        res.writeHead(type === 'text/html' ? 404 : 200, { 'Content-Type': type }).end('<html></html>')
      })
      const elsewhere = await listening(server, '/')
      const audit = auditService(elsewhere.root)
      await expect(audit).rejects.toThrow(/^No OData service found at http:/)
      await elsewhere.close()
    },
  )

  it('MUST reject without a response, and for a service that requires authentication', async () => {
    await expect(auditService('http://127.0.0.1:9/')).rejects.toThrow(AuditError)
    served.proxy.violation = {
      response: (response) => {
        response.status = 401
      },
    }
    await expect(auditService(served.proxy.root)).rejects.toThrow('Authorization')
  })
})
