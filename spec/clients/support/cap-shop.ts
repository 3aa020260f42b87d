import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A server in a process of its own, such as CAP with a folder of `cap`. */
export interface CapServer {
  /** Without a trailing slash. */
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/** The shop of `cap/shop`, served by CAP. */
export type CapShop = CapServer

/** Starts CAP with the shop, and with its V2 adapter at `/odata/v2`. */
export function startCapShop(): Promise<CapShop> {
  return startCap('shop', '--adapter')
}

/** Starts CAP. @param folder in `cap` */
export function startCap(folder: string, ...options: readonly string[]): Promise<CapServer> {
  return startScript('cap/serve.cjs', folder, ...options)
}

/** Starts a script that prints the URL of its server. @param script path in `spec/clients` */
export async function startScript(script: string, ...options: readonly string[]): Promise<CapServer> {
  const child = spawn(process.execPath, [join(__dirname, '..', script), ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const errors: string[] = []
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()))
  const exited = once(child, 'exit')
  const started = (async () => {
    for await (const line of createInterface(child.stdout)) if (line.startsWith('http://')) return line
    throw new Error(`${script} did not start: ${errors.join('')}`)
  })()
  const url = await started
  child.stdout.resume()
  return {
    url,
    pid: Number(child.pid),
    async stop() {
      child.kill()
      await exited
    },
  }
}
