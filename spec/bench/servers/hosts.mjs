/** The ways in which a service of this package is reached. */
import compression from 'compression'
import express from 'express'
import { isSwitched, serve, settings } from './serve.mjs'

/** An application with the settings of the hand-coded one. */
const application = () => express().disable('x-powered-by')

const hosts = {
  express: ({ odataV2 }, mountPath, ...service) => application().use(mountPath, odataV2(...service)),
  compressing: ({ odataV2 }, mountPath, ...service) =>
    application()
      .use(compression())
      .use(mountPath, odataV2(...service)),
  fast: ({ odataV2, createServer }, mountPath, ...service) =>
    createServer(application().use(mountPath, odataV2(...service))),
  // Middleware could keep the chunks that it is given: their memory is not used again.
  wrapped: ({ odataV2 }, mountPath, ...service) =>
    application()
      .use((_req, res, next) => {
        const { write } = res
        res.write = (...chunk) => write.apply(res, chunk)
        next()
      })
      .use(mountPath, odataV2(...service)),
  // Two services take turns: one without `authorize`, and one with it.
  paired: ({ odataV2 }, mountPath, model, provider, { authorize, ...options }) => {
    const free = odataV2(model, provider, options)
    const authorized = odataV2(model, provider, { ...options, authorize })
    return application().use(mountPath, (...call) => (isSwitched() ? authorized : free)(...call))
  },
  node: ({ requestListener }, mountPath, model, provider, options) =>
    requestListener(model, provider, { ...options, mountPath }),
}

export const serveService = (odata, mountPath, model, provider, options = {}) =>
  serve(hosts[settings.host](odata, mountPath, model, provider, options))
