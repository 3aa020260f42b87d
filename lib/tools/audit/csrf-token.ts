import type { AuditRequest, ReceivedAnswer } from './answer.js'

type Send = (request: AuditRequest) => Promise<ReceivedAnswer>

const reading = ['GET', 'HEAD', 'OPTIONS']

/** The token that services of SAP, and others by their custom, want of requests that are not for reading. */
export class CsrfToken {
  private headers: Promise<Readonly<Record<string, string>>> | undefined

  /** @param root where the token is fetched */
  constructor(
    private readonly root: string,
    private readonly send: Send,
  ) {}

  /** Sends a request, and again with a token when the service says that it wants one. */
  async sendWithToken(request: AuditRequest): Promise<ReceivedAnswer> {
    if (reading.includes(request.method)) return this.send(request)
    const known = this.headers
    const answer = await this.send(await withHeaders(request, known))
    if (answer.status !== 403 || answer.headers.get('x-csrf-token')?.toLowerCase() !== 'required')
      return answer
    // Another request may have fetched a new one meanwhile.
    if (this.headers === known) this.headers = this.fetchToken(request)
    return this.send(await withHeaders(request, this.headers))
  }

  private async fetchToken({ headers }: AuditRequest): Promise<Readonly<Record<string, string>>> {
    const wanted = Object.entries(headers).filter(
      ([name]) => !/^(?:content-|if-|x-http-|accept$)/i.test(name),
    )
    const fetching = { ...Object.fromEntries(wanted), 'X-CSRF-Token': 'Fetch' }
    const answer = await this.send({ method: 'GET', url: this.root, headers: fetching })
    const token = answer.headers.get('x-csrf-token')
    const cookies = (answer.headers.get('set-cookie') ?? '')
      .split('\n')
      .map((one) => one.replace(/;.*$/s, ''))
      .filter((one) => one !== '')
    return {
      ...(token === undefined ? {} : { 'X-CSRF-Token': token }),
      ...(cookies.length === 0 ? {} : { Cookie: cookies.join('; ') }),
    }
  }
}

async function withHeaders(
  request: AuditRequest,
  added: Promise<Readonly<Record<string, string>>> | undefined,
): Promise<AuditRequest> {
  return added === undefined ? request : { ...request, headers: { ...request.headers, ...(await added) } }
}
