import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { ServiceOptions } from '../../../lib/index.js'
import { odataV2 } from '../../../lib/index.js'
import type { V4Options } from '../../../lib/v4.js'
import { openV4 } from '../../../lib/v4.js'
import type { HttpResponse, Question } from '../http-exchange.js'
import { TestServer } from '../http-exchange.js'

/** Returns the metadata document of an entity container with `Items`. */
export const metadataOf = (
  content: string,
  sets = '<EntitySet Name="Items" EntityType="S.Item"/>',
): string => `<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
<Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">${content}
<EntityContainer Name="C">${sets}</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`

const items = metadataOf(`<EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
<Property Name="ID" Type="Edm.Int32" Nullable="false"/>
<Property Name="Name" Type="Edm.String"/><Property Name="Big" Type="Edm.Int64"/><Property Name="Day" Type="Edm.Date"/></EntityType>`)

export type Respond = (request: http.IncomingMessage, response: http.ServerResponse) => void

/** Returns a function that responds with a body, or with an error. */
export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Respond =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

/** Responds with canned bytes, or with an error. It knows nothing of OData. */
export class FaultyServer {
  respond: Respond = () => undefined
  metadata = items
  metadataStatus = 200
  readonly received: string[] = []
  readonly headers: http.IncomingHttpHeaders[] = []
  /** The messages of the errors of the last request, and of their causes. */
  readonly causes: string[] = []
  root = ''
  private served: TestServer | undefined
  private close: () => void = () => undefined
  private readonly server = http.createServer((request, response) => {
    if (request.url?.endsWith('$metadata') === true) {
      response.writeHead(this.metadataStatus).end(this.metadata)
      return
    }
    this.received.push(`${request.method ?? ''} ${decodeURIComponent(request.url ?? '')}`)
    this.headers.push(request.headers)
    this.respond(request, response)
  })

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    this.root = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v4/`
  }

  /** Serves it as V2, without what an earlier service has learned. */
  async serve(options: V4Options = {}, serviceOptions: ServiceOptions = {}): Promise<TestServer> {
    await this.reset()
    const opened = await openV4(this.root, options)
    const { model, provider, options: own } = opened
    this.close = () => opened.close()
    const onError = (error: unknown): void => {
      for (let one = error; one instanceof Error; one = one.cause) this.causes.push(one.message)
    }
    this.served = await TestServer.start(
      express().use('/n', odataV2(model, provider, { ...own, ...serviceOptions, onError })),
    )
    return this.served
  }

  /** Sends a request to the V2 service, which is served first if it is not. */
  async send(path: string, options: V4Options = {}, question: Question = {}): Promise<HttpResponse> {
    const served = this.served ?? (await this.serve(options))
    return served.send(`/n${path}`, { headers: { Accept: 'application/json' }, ...question })
  }

  /** Stops the V2 service, and forgets all requests. */
  async reset(): Promise<void> {
    await this.served?.stop()
    this.close()
    this.served = undefined
    for (const list of [this.received, this.headers, this.causes]) list.length = 0
  }

  async stop(): Promise<void> {
    await this.reset()
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }
}
