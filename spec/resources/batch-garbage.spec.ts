import { connect } from 'node:net'
import express from 'express'
import { fc, runs } from '../support/random.js'
import { responsesIn, batchBody, get, postBatch, written } from '../support/batch-exchange.js'
import { clientBatches } from '../support/batch-clients.js'
import { turnEventLoop } from '../support/event-loop.js'
import { Failures } from '../support/failures.js'
import { TestServer } from '../support/http-exchange.js'
import { exampleService } from '../support/services/example-service.js'

describe('A batch that is garbage', () => {
  let server: TestServer
  let failures: Failures
  beforeEach(async () => {
    failures = new Failures()
    const service = exampleService({ readOnly: false, onError: failures.onError })
    server = await TestServer.start(express().use('/n', service))
  })
  afterEach(() => server.stop())

  const damage = fc.record({
    batch: fc.nat(clientBatches.length - 1),
    changes: fc.array(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        cut: fc.nat(40),
        put: fc.constantFrom(
          '',
          '\r\n',
          '\r\n\r\n',
          '--',
          ':',
          ' ',
          '\0',
          '$1',
          '%',
          "'",
          '(',
          '<',
          '{',
          '\xff',
        ),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  })

  it('MUST get a response other than 5xx, and leave the service working', async () => {
    await fc.assert(
      fc.asyncProperty(damage, async ({ batch, changes }) => {
        const { body, contentType } = clientBatches[batch] ?? { body: '', contentType: '' }
        const damaged = changes.reduce((text, { at, cut, put }) => {
          const start = Math.floor(at * text.length)
          return text.slice(0, start) + put + text.slice(start + cut)
        }, body)
        const exchange = await postBatch(server.port, damaged, { 'Content-Type': contentType })
        expect([202, 400]).toContain(exchange.status)
        if (exchange.status !== 202) return
        for (const response of responsesIn(exchange)) {
          for (const { status } of 'status' in response ? [response] : response) expect(status).not.toBe(500)
        }
      }),
      { numRuns: runs(300) },
    )
    expect(failures.errors).toEqual([])
    expect((await postBatch(server.port, batchBody([written('DELETE Categories(3)')]))).status).toBe(202)
  })

  it('MUST NOT be reported as a failure when the client disconnects during the request', async () => {
    const body = batchBody([written('DELETE Categories(4)')], get('Total'))
    const socket = connect(server.port, '127.0.0.1')
    socket.write(
      'POST /n/$batch HTTP/1.1\r\nHost: h\r\nContent-Type: multipart/mixed; boundary=b\r\n' +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, -5)}`,
    )
    await turnEventLoop()
    socket.destroy()
    await server.waitForDisconnects()
    expect(failures.errors).toEqual([])
    expect((await server.send('/n/Categories(4)')).status).toBe(200)
  })
})
