import type { Exchange } from './service-client.js'

/** What the service did not like about a request. */
export interface Problem {
  readonly title: string
  readonly message: string
  /** The query option that it speaks of, with the place in its value. */
  readonly option?: string
  readonly position?: number
}

/** @returns undefined for answers that are none */
export function problemOf(exchange: Exchange): Problem | undefined {
  const { status, statusText, text } = exchange
  if (status < 400) return undefined
  const error = errorIn(text)
  if (error === undefined) return { title: `${String(status)} ${statusText}`, message: text.slice(0, 2000) }
  const { code, message } = error
  const option = /^(\$\w+): /.exec(message)?.[1]
  // The caret that is drawn for people who see nothing but text goes; the place is shown in the field.
  const [, plain = message, position] = /^([^]*?) ?At position (\d+):\n[^]*$/.exec(message) ?? []
  return {
    title: `${String(status)} ${code}`,
    message: plain,
    ...(option === undefined ? {} : { option }),
    ...(position === undefined ? {} : { position: Number(position) }),
  }
}

function errorIn(text: string): { code: string; message: string } | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown; message?: { value?: unknown } } }
    if (error === undefined) return undefined
    return { code: textOf(error.code), message: textOf(error.message?.value) }
  } catch {
    return undefined
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
