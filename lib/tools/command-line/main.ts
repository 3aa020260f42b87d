#!/usr/bin/env node
import { run } from './run.js'
import type { CommandIo } from './command.js'
import { progressOn, hasColours, textStyle } from './terminal.js'

/** npm passes on the signals that it gets, and a terminal sends them to all: what comes this soon is the same one. */
const SAME_SIGNAL_MS = 1_000

/** How often it is looked whether npm is still there, in milliseconds. */
const PARENT_POLL_MS = 500

process.exitCode = await run(process.argv.slice(2), processIo())

/** The world as the process has it. */
function processIo(): CommandIo {
  const { stdout, stderr, env } = process
  endWithReader(stdout)
  endWithReader(stderr)
  return {
    print: (line) => {
      stdout.write(`${line}\n`)
    },
    write: (text) => {
      stdout.write(text)
    },
    error: (line) => {
      stderr.write(`${line}\n`)
    },
    style: textStyle(hasColours(stdout, env)),
    errorStyle: textStyle(hasColours(stderr, env)),
    progress: progressOn(stderr),
    get input() {
      return process.stdin
    },
    signal: endSignal(),
  }
}

/** Whoever reads what is written may have read enough: `express-odata-v2 docs model.edmx | head`. */
function endWithReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 2)
  })
}

/** Fires when the program is told to end. When it is told so again, it ends at once. */
function endSignal(): AbortSignal {
  const controller = new AbortController()
  let since = 0
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(signal, () => {
      if (!controller.signal.aborted) {
        since = performance.now()
        controller.abort()
      } else if (performance.now() - since > SAME_SIGNAL_MS) process.exit(code)
    })
  }
  if (process.env.npm_execpath !== undefined) endWithParent(controller)
  return controller.signal
}

/**
 * npx and npm start a shell that starts the program. A signal that only npm is sent ends the shell, and would leave a
 * service behind that nobody knows of.
 */
function endWithParent(controller: AbortController): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    controller.abort()
  }, PARENT_POLL_MS)
  timer.unref()
}
