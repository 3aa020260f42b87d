import express from 'express'
import type { ServiceOptions } from '../../../lib/index.js'
import { odataV2 } from '../../../lib/index.js'
import { openV4 } from '../../../lib/v4.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { TestServer } from '../../support/http-exchange.js'
import { startCap } from './cap-shop.js'

/** An order of the shop. */
export const ada = "/Orders(guid'11111111-1111-4111-8111-111111111111')"

/** A service of version 2 at `/n`, in front of the shop of CAP. */
export class ServedCap {
  private constructor(
    readonly server: TestServer,
    readonly stop: () => Promise<void>,
  ) {}

  /** @param capOptions of `cap/serve.cjs` */
  static async start(
    capOptions: readonly string[],
    options: Pick<ServiceOptions, 'onError'> = {},
  ): Promise<ServedCap> {
    const shop = await startCap('shop', ...capOptions)
    const opened = await openV4(`${shop.url}/odata/v4/catalog`, { dialect: 'cap' })
    const service = odataV2(opened.model, opened.provider, { ...opened.options, ...options })
    const server = await TestServer.start(express().use('/n', service))
    return new ServedCap(server, async () => {
      opened.close()
      await server.stop()
      await shop.stop()
    })
  }

  /** Sends a request with a body of JSON, and accepts JSON. */
  send(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<HttpResponse> {
    const content = body === undefined ? {} : { 'Content-Type': 'application/json' }
    return this.server.send(`/n${path}`, {
      method,
      headers: { Accept: 'application/json', ...content, ...headers },
      ...(body === undefined ? {} : { body }),
    })
  }
}

/** Returns the entity of a response. */
export function entryOf({ text }: HttpResponse): Record<string, unknown> {
  return (JSON.parse(text) as { d: Record<string, unknown> }).d
}
