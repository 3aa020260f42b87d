#!/usr/bin/env node
import { run } from './run.js'
import type { CommandIo } from './command.js'
import { progressOn, hasColors, textStyle } from './terminal.js'

/** A terminal signals the whole process group and npm forwards signals: one that follows this soon is a duplicate. */
const SAME_SIGNAL_MS = 1_000

/** Interval at which the program checks if npm still runs. */
const PARENT_POLL_MS = 500

process.exitCode = await run(process.argv.slice(2), processIo())

/** Returns the input and output of this process. */
function processIo(): CommandIo {
  const { stdout, stderr, env } = process
  endWithReader(stdout)
  endWithReader(stderr)
  return {
    print: (line) => void stdout.write(`${line}\n`),
    write: (text) => void stdout.write(text),
    error: (line) => void stderr.write(`${line}\n`),
    style: textStyle(hasColors(stdout, env)),
    errorStyle: textStyle(hasColors(stderr, env)),
    progress: progressOn(stderr),
    get input() {
      return process.stdin
    },
    signal: endSignal(),
  }
}

/** Exits when the reader of a pipe closes it: `express-odata-v2 docs model.edmx | head`. */
function endWithReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 2)
  })
}

/** Aborts at the first SIGINT or SIGTERM; the second one exits immediately. */
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
 * Ends the program with its parent. npx and npm start it through a shell; a signal to npm alone would end the shell and
 * leave an orphaned service.
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
