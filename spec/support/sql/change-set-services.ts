import express from 'express'
import { odataV2 } from '../../../lib/odata-v2.js'
import type { ServiceOptions } from '../../../lib/options.js'
import type { Provider } from '../../../lib/provider/provider.js'
import { required } from '../../../lib/util/required.js'
import type { PartResponse } from '../batch-exchange.js'
import { batchBody, postBatch, responsesIn } from '../batch-exchange.js'
import { TestServer } from '../http-exchange.js'
import { changeSetModel, changeSetNames } from './change-set-model.js'
import type { AnyDatabase } from './model-tables.js'

export type Responses = readonly (PartResponse | readonly PartResponse[])[]

/** A service at `/s` whose responses do not name its port. */
export class ChangeSetService {
  private constructor(
    private readonly server: TestServer,
    private readonly db: AnyDatabase | undefined,
  ) {}

  static async of(
    provider: Provider,
    options: ServiceOptions = {},
    db?: AnyDatabase,
  ): Promise<ChangeSetService> {
    const service = odataV2(changeSetModel, provider as never, { pageSize: 0, ...options } as never)
    return new ChangeSetService(await TestServer.start(express().use('/s', service)), db)
  }

  async send(...changes: readonly string[]): Promise<Responses> {
    return this.sendParts(changes)
  }

  /** Sends a batch. @param requests change sets are arrays */
  async sendParts(...requests: readonly (string | readonly string[])[]): Promise<Responses> {
    const body = Buffer.from(batchBody(...requests)).toString('latin1')
    const exchange = await postBatch(this.server.port, body, {}, '/s/$batch')
    if (exchange.status !== 202) throw new Error(`${String(exchange.status)} ${exchange.text}`)
    const withoutPort = (one: PartResponse): PartResponse =>
      JSON.parse(JSON.stringify(one).replaceAll(`:${String(this.server.port)}/`, '/')) as PartResponse
    return responsesIn(exchange).map((one) => ('status' in one ? withoutPort(one) : one.map(withoutPort)))
  }

  /** Returns the status of the batch itself. */
  async statusOf(...changes: readonly string[]): Promise<number> {
    return (await postBatch(this.server.port, batchBody(changes), {}, '/s/$batch')).status
  }

  /** Returns all rows. */
  async rows(): Promise<Readonly<Record<string, unknown>>> {
    const all: Record<string, unknown> = {}
    for (const name of changeSetNames) {
      const { text } = await this.server.send(`/s/${name}`, { headers: { Accept: 'application/json' } })
      all[name] = (JSON.parse(text.replaceAll(`:${String(this.server.port)}/`, '/')) as { d: unknown }).d
    }
    return all
  }

  async stop(): Promise<void> {
    await this.server.stop()
    await this.db?.destroy()
  }
}

/** A provider whose change sets have no queue. */
export function oneByOne(provider: Provider): Provider {
  return { ...provider, beginChangeSet: (call) => required(provider.beginChangeSet?.(call)) }
}

const partOf = ({ status, headers, body }: PartResponse): unknown => [
  status,
  headers.location,
  headers.etag,
  headers['content-id'],
  body,
]

/** Everything of responses but the lengths of bodies, which contain the port. */
export const parts = (responses: Responses): unknown =>
  responses.map((one) => ('status' in one ? partOf(one) : one.map(partOf)))

/** Replaces the messages of errors. */
export const withoutMessages = (outcome: unknown): unknown =>
  JSON.parse(JSON.stringify(outcome).replace(/\\"value\\":\\".*?(?<!\\)\\"\}/g, '\\"value\\":\\"\\"}'))

export const statuses = (responses: Responses): unknown =>
  responses.map((one) => ('status' in one ? one.status : one.map(({ status }) => status)))
