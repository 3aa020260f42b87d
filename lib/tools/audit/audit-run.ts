import type { Answer } from './answer.js'
import type { AuditedService } from './audited-service.js'

/** What a request has beside its address. */
export interface RequestParts {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

export const acceptJson = { Accept: 'application/json' } as const
const acceptAtom = { Accept: 'application/atom+xml' } as const
const acceptXml = { Accept: 'application/xml' } as const

/** One check while it runs: it sends requests, and remembers them for the report. */
export class AuditRun {
  readonly answers: Answer[] = []
  private readonly cleanUps: (() => Promise<void>)[] = []

  constructor(readonly service: AuditedService) {}

  /**
   * Sends a request.
   *
   * @param address relative to the root of the service, or absolute; encoded already
   */
  async send(method: string, address: string, { headers = {}, body }: RequestParts = {}): Promise<Answer> {
    const url = this.service.addressOf(address)
    const answer = await this.service.send({ method, url, headers, body })
    this.answers.push(answer)
    return answer
  }

  get(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.send('GET', address, { headers })
  }

  getJson(address: string): Promise<Answer> {
    return this.get(address, acceptJson)
  }

  getAtom(address: string): Promise<Answer> {
    return this.get(address, acceptAtom)
  }

  getXml(address: string): Promise<Answer> {
    return this.get(address, acceptXml)
  }

  /** What is done when the check is over, however it ends; the last first. */
  finally(cleanUp: () => Promise<void>): void {
    this.cleanUps.push(cleanUp)
  }

  async cleanUp(): Promise<void> {
    for (const one of this.cleanUps.reverse()) await one()
  }
}
