import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The shop of `cap/shop`, served by CAP in a process of its own. */
export interface CapShop {
  /** Without a trailing slash. */
  readonly url: string
  stop(): Promise<void>
}

/** Starts CAP, with its V2 adapter at `/odata/v2`. */
export async function startCapShop(): Promise<CapShop> {
  const child = spawn(process.execPath, [join(__dirname, '../cap/shop/serve.cjs'), '--adapter'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const errors: string[] = []
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()))
  const exited = once(child, 'exit')
  const started = (async () => {
    for await (const line of createInterface(child.stdout)) if (line.startsWith('http://')) return line
    throw new Error(`CAP did not start: ${errors.join('')}`)
  })()
  const url = await started
  child.stdout.resume()
  return {
    url,
    async stop() {
      child.kill()
      await exited
    },
  }
}
