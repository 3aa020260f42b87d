import type { RequestListener } from 'node:http'
import type { CommandIo } from './command.js'

/** Prints a line for each request: method, address, status, time. */
export function withRequestLines(listener: RequestListener, { print, style }: CommandIo): RequestListener {
  const stateOf = (status: number): string => {
    const paint = status >= 500 ? style.red : status >= 400 ? style.yellow : style.green
    return paint(String(status))
  }
  return (req, res) => {
    const start = performance.now()
    res.on('close', () => {
      const state = res.writableFinished ? stateOf(res.statusCode) : style.red('broken off')
      print(`${req.method ?? ''} ${req.url ?? ''} ${state} ${(performance.now() - start).toFixed(1)} ms`)
    })
    listener(req, res)
  }
}
