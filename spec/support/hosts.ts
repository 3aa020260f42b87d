import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import express from 'express'
import type { EdmModel, ODataV2Options, Provider, RequestListenerOptions } from '../../lib/index.js'
import { odataV2, requestListener } from '../../lib/index.js'

/** A service as its host calls it. */
type Service = (req: express.Request, res: express.Response, next: express.NextFunction) => void

/** Makes a service; the functions in the options look at nothing that only Express has. */
export type Mount = (model: EdmModel, provider: Provider, options?: ODataV2Options) => Service

/** Services by the first segment of their path, each created at its first request. */
export type Services = Readonly<Record<string, (mount: Mount) => Service>>

/** All HTTP servers that services can be mounted in. */
export const hosts: readonly (readonly [name: string, host: (services: Services) => RequestListener])[] = [
  ['in Express', inExpress],
  ['without Express', withoutExpress],
]

function inExpress(services: Services): RequestListener {
  const app = express().disable('x-powered-by')
  for (const [name, make] of Object.entries(services)) {
    let service: Service | undefined
    app.use(`/${name}`, (req, res, next) => {
      service ??= make(odataV2)
      service(req, res, next)
    })
  }
  return app
}

function withoutExpress(services: Services): RequestListener {
  const made = new Map<string, Service>()
  return (req: IncomingMessage, res: ServerResponse) => {
    const name = /^\/([^/?]*)/.exec(req.url ?? '')?.[1] ?? ''
    const make = services[name]
    if (make === undefined) throw new Error(`There is no service '${name}'.`)
    const service =
      made.get(name) ??
      make((model, provider, options) => {
        const given = options as RequestListenerOptions | undefined
        return requestListener(model, provider, { ...given, mountPath: `/${name}` })
      })
    made.set(name, service)
    service(req as express.Request, res as express.Response, () => undefined)
  }
}
