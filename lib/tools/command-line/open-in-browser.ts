import { spawn } from 'node:child_process'
import type { CommandIo } from './command.js'

/** Opens an address in the browser of the user, if there is one. */
export function openInBrowser(address: string, { complain }: CommandIo): void {
  const commands: Readonly<Record<string, readonly [string, ...string[]]>> = {
    darwin: ['open'],
    win32: ['cmd', '/c', 'start', '""'],
  }
  const [command, ...words] = commands[process.platform] ?? ['xdg-open']
  const browser = spawn(command, [...words, address], { stdio: 'ignore', detached: true })
  browser.on('error', () => {
    complain(`No browser could be opened. The service is at ${address}`)
  })
  browser.unref()
}
