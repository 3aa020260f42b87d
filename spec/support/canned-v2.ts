import http from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { ServiceOptions } from '../../lib/index.js'
import { odataV2 } from '../../lib/index.js'
import type { V2Options } from '../../lib/v2.js'
import { openV2 } from '../../lib/v2.js'
import { TestServer } from './http-exchange.js'

/** The content of a response, or the response itself with status and headers. */
export type Canned = string | { readonly status?: number; readonly headers?: object; readonly body: string }

/** Serves a V2 service of canned responses again. It knows nothing of OData. */
export class CannedV2 {
  /** Method and URL of the requests, except those for the metadata document. */
  readonly received: string[] = []
  /** The messages of errors, and of their causes. */
  readonly causes: string[] = []
  respond: (url: string, method: string) => Canned = () => ''
  private served: TestServer | undefined
  private close: () => void = () => undefined
  private readonly server = http.createServer((request, response) => {
    const { url = '', method = '' } = request
    this.received.push(`${method} ${url}`)
    if (url.includes('$metadata')) {
      response.end(this.metadata)
      return
    }
    const canned = this.respond(url, method)
    const { status = 200, headers = {}, body } = typeof canned === 'string' ? { body: canned } : canned
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body)
  })

  constructor(readonly metadata: string) {}

  /** @param query of the address that is opened */
  async start(query = '', options: V2Options = {}, serviceOptions: ServiceOptions = {}): Promise<void> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    const opened = await openV2(
      `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/up${query}`,
      options,
    )
    this.close = () => opened.close()
    const onError = (error: unknown): void => {
      for (let one = error; one instanceof Error; one = one.cause) this.causes.push(one.message)
    }
    this.served = await TestServer.start(
      express().use('/n', odataV2(opened.model, opened.provider, { ...serviceOptions, onError })),
    )
  }

  /** Sends a batch whose parts are separated by `b`. */
  async sendBatch(body: string): Promise<{ status: number; text: string }> {
    const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
    if (this.served === undefined) throw new Error('not started')
    return this.served.send('/n/$batch', { method: 'POST', headers, body })
  }

  async send(path: string, method = 'GET', body?: string): Promise<{ status: number; text: string }> {
    const headers = { Accept: 'application/json, */*;q=0.1', 'Content-Type': 'application/json' }
    if (this.served === undefined) throw new Error('not started')
    return this.served.send(`/n${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
  }

  async stop(): Promise<void> {
    await this.served?.stop()
    this.close()
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }
}
