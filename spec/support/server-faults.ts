import type { Violation, ProxiedResponse, ProxiedRequest } from './broken-proxy.js'

/** Changes the body of responses. */
export function text(change: (body: string, sent: ProxiedRequest) => string): Violation {
  return {
    response: (response, sent) => {
      const before = response.body.toString('utf8')
      const after = change(before, sent)
      // Bytes that are no text stay as they are.
      if (after !== before) response.body = Buffer.from(after)
    },
  }
}

/** Replaces parts of responses. */
export function replaced(pattern: RegExp, by: string): Violation {
  return text((body) => body.replace(pattern, by))
}

/** Sets a header of responses; undefined removes it. */
export function header(name: string, value: string | undefined): Violation {
  return {
    response: ({ headers }) => {
      if (value === undefined) delete headers[name]
      else headers[name] = value
    },
  }
}

/** Replaces the status of responses. */
export function status(
  when: (response: ProxiedResponse, sent: ProxiedRequest) => boolean,
  becomes: number,
): Violation {
  return {
    response: (response, sent) => {
      if (when(response, sent)) response.status = becomes
    },
  }
}

/** Overlooks a header of requests, or takes another value for it. */
export function overlooked(name: string, instead?: string): Violation {
  return {
    request: (sent) => {
      if (instead === undefined) delete sent.headers[name]
      else if (sent.headers[name] !== undefined) sent.headers[name] = instead
      return undefined
    },
  }
}

/** Overlooks a query option. */
export function withoutOption(name: string): Violation {
  return {
    request: (sent) => {
      const [path = '', query] = sent.url.split('?')
      if (query === undefined) return undefined
      const kept = query.split('&').filter((one) => !decodeURIComponent(one).startsWith(`${name}=`))
      sent.url = kept.length === 0 ? path : `${path}?${kept.join('&')}`
      return undefined
    },
  }
}

/** Understands the value of a query option as another one. */
export function option(name: string, change: (value: string) => string): Violation {
  return {
    request: (sent) => {
      const [path = '', query] = sent.url.split('?')
      if (query === undefined) return undefined
      const options = query.split('&').map((one) => {
        const [given = '', value = ''] = one.split('=')
        const isIt = decodeURIComponent(given) === name
        return isIt ? `${name}=${encodeURIComponent(change(decodeSafely(value)))}` : one
      })
      sent.url = `${path}?${options.join('&')}`
      return undefined
    },
  }
}

/** Understands `$filter` in another way. */
export function filter(pattern: RegExp, by: string | ((...parts: string[]) => string)): Violation {
  return option('$filter', (value) =>
    typeof by === 'string' ? value.replace(pattern, by) : value.replace(pattern, by),
  )
}

/** Writes values of JSON in another way. */
export function json(change: (value: unknown, name: string) => unknown): Violation {
  return {
    response: (response) => {
      if (!String(response.headers['content-type']).startsWith('application/json')) return
      const document = JSON.parse(response.body.toString('utf8')) as unknown
      response.body = Buffer.from(JSON.stringify(document, (name, value: unknown) => change(value, name)))
    },
  }
}

/** Does not find some addresses. */
export function notFound(pattern: RegExp): Violation {
  return {
    request: ({ url }) =>
      pattern.test(url)
        ? { status: 404, headers: { 'content-type': 'text/plain' }, body: Buffer.from('') }
        : undefined,
  }
}

function decodeSafely(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
