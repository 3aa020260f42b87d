/** `$metadata` of a large model for clients that accept compressed responses, as all browsers do. */
import { goal, ours } from './variants.mjs'

const byMiddleware = {
  name: 'Express with compression',
  server: 'hand-coded',
  settings: { compression: true },
}
const ready = { name: 'ready compressed bytes, node:http', server: 'ready', settings: { compression: true } }
const large = (host) => ({ ...ours('memory', host), server: 'metadata' })
const express = large('express')

export const metadataWorkloads = [
  {
    name: 'compressed-metadata',
    title: '$metadata of 1.4 MB, compressed',
    response: 'metadata',
    connections: 1,
    resources: [],
    request: () => ({
      path: '/shop/$metadata',
      headers: { accept: 'application/xml', 'accept-encoding': 'gzip, deflate, br' },
    }),
    variants: [
      byMiddleware,
      ready,
      express,
      { ...express, name: 'memory provider, Express with compression', settings: { host: 'compressing' } },
      large('node'),
    ],
    goals: [goal(express, 10)],
    maxCpu: 1000,
  },
]
