import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'
import type { ODataError } from '../../lib/index.js'
import { fileModel, fileProvider, memoryProvider, odataV2 } from '../../lib/index.js'
import { TestServer } from './http-exchange.js'
import type { Statuses } from './parallel-writers.js'
import { countTogether, inOrder, uploadTogether } from './parallel-writers.js'
import { photoData, photoModel } from './services/photo-service.js'

/** The results of concurrent writers. */
interface Outcome {
  readonly statuses: Statuses
  readonly failures: readonly ODataError[]
}

/** @returns also the value that the counter has in the end */
export async function counted(clients: number): Promise<Outcome & { readonly value: number }> {
  const failures: ODataError[] = []
  const onError = (error: ODataError): void => void failures.push(error)
  const service = odataV2(photoModel, memoryProvider(photoModel, photoData()), { onError })
  const server = await TestServer.start(express().use('/p', service))
  const statuses = await countTogether(server.port, '/p/Counters(1)', clients)
  const { text } = await server.send('/p/Counters(1)/Value/$value')
  await server.stop()
  return { statuses, failures, value: Number(text) }
}

/**
 * @param root an empty directory
 * @returns also how many uploads hang together, and whether the last of them is what the file holds in the end
 */
export async function uploaded(
  root: string,
  clients: number,
): Promise<Outcome & { readonly inOrder: number; readonly isLast: boolean }> {
  const failures: ODataError[] = []
  const onError = (error: ODataError): void => void failures.push(error)
  writeFileSync(join(root, 'a.txt'), 'first')
  const service = odataV2(fileModel, fileProvider(root, { writable: true }), { onError })
  const server = await TestServer.start(express().use('/f', service))
  const value = "/f/Files('%2Fa.txt')/$value"
  const first = (await server.send(value)).headers.etag ?? ''
  const { statuses, uploads } = await uploadTogether(server.port, value, clients)
  const order = inOrder(uploads, first)
  const last = (await server.send(value)).headers.etag
  await server.stop()
  const isLast =
    order.at(-1)?.etag === last && readFileSync(join(root, 'a.txt'), 'utf8') === order.at(-1)?.bytes
  return { statuses, failures, inOrder: order.length, isLast }
}
