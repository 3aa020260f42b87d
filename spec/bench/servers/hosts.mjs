/** The ways in which a service of this package is reached. */
import express from 'express'
import { serve, settings } from './serve.mjs'

const hosts = {
  express: ({ odataV2 }, mountPath, ...service) => express().use(mountPath, odataV2(...service)),
  fast: ({ odataV2, createServer }, mountPath, ...service) =>
    createServer(express().use(mountPath, odataV2(...service))),
  node: ({ requestListener }, mountPath, model, provider, options) =>
    requestListener(model, provider, { ...options, mountPath }),
}

export const serveService = (odata, mountPath, model, provider, options = {}) =>
  serve(hosts[settings.host](odata, mountPath, model, provider, options))
