import type { RequestListener, ServerResponse } from 'node:http'
import { UsageError } from './errors.js'

/** Delays and errors of a slow or unreliable service, for tests of clients. */
export interface SimulatedProblems {
  /** The bounds of the delay of responses in milliseconds. Undefined for none. */
  readonly delay: readonly [least: number, greatest: number] | undefined
  /** The share of requests with an error, in percent. */
  readonly errorPercent: number
}

const MAX_DELAY_MS = 600_000

/** @throws UsageError unless the value is a number of milliseconds or a range */
export function parseDelay(text: string | undefined): SimulatedProblems['delay'] {
  if (text === undefined) return undefined
  const [, least = '', greatest = least] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? []
  const delay = [Number(least), Number(greatest)] as const
  if (least !== '' && delay[0] <= delay[1] && delay[1] <= MAX_DELAY_MS) return delay
  throw new UsageError(
    `--delay must be milliseconds up to ${String(MAX_DELAY_MS)}, or a range such as 200-800, not '${text}'.`,
  )
}

/** Delays all requests, and responds to some with 503. `$metadata` has no errors: without it, clients do not start. */
export function withProblems(
  listener: RequestListener,
  { delay, errorPercent }: SimulatedProblems,
): RequestListener {
  if (delay === undefined && errorPercent === 0) return listener
  return (request, response) => {
    const isError = Math.random() * 100 < errorPercent && !/\/\$metadata(?:\?|$)/.test(request.url ?? '')
    const respond = (): void => {
      if (isError) sendError(response)
      else listener(request, response)
    }
    if (delay === undefined) {
      respond()
      return
    }
    const [least, greatest] = delay
    const timer = setTimeout(respond, least + Math.random() * (greatest - least))
    response.on('close', () => {
      clearTimeout(timer)
    })
  }
}

function sendError(response: ServerResponse): void {
  const message = { lang: 'en', value: 'This error is simulated by --error-rate.' }
  response.writeHead(503, { 'Content-Type': 'application/json', DataServiceVersion: '1.0' })
  response.end(JSON.stringify({ error: { code: 'SimulatedError', message } }))
}
