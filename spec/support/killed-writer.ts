import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { Random } from '../fuzz/mutation/random.js'
import { turnEventLoop } from './event-loop.js'
import { FileServiceProcess } from './file-service-process.js'
import { seed } from './random.js'

export interface WriteResponse {
  readonly status: number
  readonly text: string
}

/** Sends a whole body. @returns undefined when the connection breaks before the response */
export function sendBytes(
  port: number,
  method: string,
  path: string,
  body: Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<WriteResponse | undefined> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, agent: false, method, path }
    const sent = request({ ...options, headers: { 'Content-Length': body.length, ...headers } }, (res) => {
      let text = ''
      res.on('data', (chunk: Buffer) => (text += chunk.toString()))
      res.on('close', () => {
        resolve({ status: res.statusCode ?? 0, text })
      })
    })
    sent.on('error', () => {
      resolve(undefined)
    })
    sent.end(body)
  })
}

/** The states found after processes were killed, with the number of times each was found. */
interface KilledWriters {
  old: number
  new: number
  /** Neither the old bytes nor the new ones. */
  mixed: number
  /** The old bytes, although the service had said that the new ones are there. */
  lost: number
  /** Temporary files in the directory in the end. */
  leftOver: number
}

const megabytes = 4

/**
 * Has a file replaced by a service that is killed at any moment between the first byte and a little after the response,
 * over and over: before the upload, while its temporary file grows, while that takes its place, or after the response.
 *
 * @param root an empty directory
 */
export async function killWriters(root: string, rounds: number): Promise<KilledWriters> {
  const found: KilledWriters = { old: 0, new: 0, mixed: 0, lost: 0, leftOver: 0 }
  const bytesOf = (round: number): Buffer => Buffer.alloc(megabytes * 2 ** 20, `${round} `)
  const file = join(root, 'a.bin')
  writeFileSync(file, bytesOf(0))
  const random = new Random(seed)
  let before = bytesOf(0)
  for (let round = 1; round <= rounds; round++) {
    const after = bytesOf(round)
    const leftOver = new Set(readdirSync(root))
    const service = await FileServiceProcess.start(root)
    const responded = sendBytes(service.port, 'PUT', "/f/Files('%2Fa.bin')/$value", after)
    let hasResponded = false
    void responded.then(() => (hasResponded = true))
    const percent = random.below(140)
    const bytesWritten = Math.min(1, percent / 100) * after.length
    while (percent > 0 && !hasResponded && uploadSize(root, leftOver) < bytesWritten) await turnEventLoop(1)
    if (percent >= 130) await responded
    else if (percent >= 115) while (!hasResponded && uploadSize(root, leftOver) > 0) await turnEventLoop(1)
    else if (percent >= 100) await turnEventLoop(10 * (percent - 100))
    await service.kill()
    const response = await responded
    const bytes = readFileSync(file)
    const isNew = bytes.equals(after)
    if (isNew) found.new++
    else if (bytes.equals(before)) found.old++
    else found.mixed++
    if (response !== undefined && !isNew) found.lost++
    before = bytes
  }
  found.leftOver = readdirSync(root).length - 1
  return found
}

/** Returns the size of the temporary file of the current upload; 0 without such a file. */
function uploadSize(root: string, others: ReadonlySet<string>): number {
  const name = readdirSync(root).find((one) => !others.has(one))
  return name === undefined ? 0 : (statSync(join(root, name), { throwIfNoEntry: false })?.size ?? 0)
}
