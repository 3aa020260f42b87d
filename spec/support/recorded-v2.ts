import type { RequestHandler } from 'express'
import express from 'express'
import type { ODataV2Options } from '../../lib/odata-v2.js'
import { odataV2 } from '../../lib/odata-v2.js'
import type { EdmModel } from '../../lib/edm/edm-model.js'
import type { Provider } from '../../lib/provider/provider.js'
import type { V2Options } from '../../lib/v2.js'
import { openV2 } from '../../lib/v2.js'
import { TestServer } from './http-exchange.js'

/** A V2 service at `/up` that records its requests, and a bridge to it at `/n` of another server. */
export class RecordedV2 {
  /** Methods and decoded URLs. */
  received: string[] = []
  /** The service refuses requests whose method and URL match it with 501. */
  refused = /^$/
  private served: TestServer | undefined
  private close: (() => void) | undefined

  private constructor(readonly upstream: TestServer) {}

  static async start(model: EdmModel, provider: Provider, options: ODataV2Options = {}): Promise<RecordedV2> {
    const app = express()
    const recorded = new RecordedV2(await TestServer.start(app))
    const record: RequestHandler = (req, res, next) => {
      const line = `${req.method} ${decodeURIComponent(req.originalUrl)}`
      recorded.received.push(line)
      if (recorded.refused.test(line))
        res.status(501).json({ error: { code: '', message: { value: 'Not this.' } } })
      else next()
    }
    app.use(record).use('/up', odataV2(model, provider, options))
    return recorded
  }

  get url(): string {
    return `http://${this.upstream.host}/up`
  }

  /** Serves it again, and forgets all requests. */
  async open(options: V2Options = {}, serviceOptions: ODataV2Options = {}): Promise<void> {
    const opened = await openV2(this.url, options)
    this.close = () => opened.close()
    const { model, options: own, provider } = opened
    const service = odataV2(model, provider, { ...own, ...serviceOptions })
    this.served = await TestServer.start(express().use('/n', service))
    this.received = []
  }

  /** The server with the bridge. */
  get server(): TestServer {
    if (this.served === undefined) throw new Error('It has not been opened.')
    return this.served
  }

  async stop(): Promise<void> {
    this.close?.()
    await this.served?.stop()
    await this.upstream.stop()
  }
}
