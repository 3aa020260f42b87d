import { skip } from './assertions.js'
import type { AuditedService } from './audited-service.js'
import type { AuditResponse } from './response.js'

/**
 * A requirement of the specification.
 *
 * @example const titles = auditChecks.map(({ id, level, title }: CheckDescription) => `${id} ${level}: ${title}`)
 */
export interface CheckDescription {
  /** The identifier, such as `ODATA-META-003`; never reused for another requirement. */
  readonly id: string
  /** MUST for requirements of the protocol, SHOULD for recommendations. */
  readonly level: 'MUST' | 'SHOULD'
  /** The requirement in one sentence. */
  readonly title: string
  /** The section of the specification: `MS-ODATA 2.2.3.7.1`. */
  readonly spec: string
  /** True for checks that change data. They run only with the option `write`. */
  readonly writes: boolean
}

export interface Check extends CheckDescription {
  /** Rejects with CheckFailure or CheckSkipped. */
  readonly run: (audit: AuditRun) => Promise<void>
}

/** The part of a service that a check needs: an entity set with entities, a property of some type. */
export interface Need<Subject> {
  /** A noun phrase: `an entity set with entities`. */
  readonly description: string
  /** Resolves to undefined if the service has no such part. */
  readonly find: (audit: AuditRun) => Promise<Subject | undefined>
  /** A sentence that explains why the audit found no such resource. */
  readonly missing?: (audit: AuditRun) => Promise<string>
}

/** Falls back to a second need. */
export function orElse<Subject>(first: Need<Subject>, second: Need<Subject>): Need<Subject> {
  return {
    ...second,
    find: async (audit) => (await first.find(audit)) ?? (await second.find(audit)),
  }
}

type Run<Subject> = (audit: AuditRun, subject: Subject) => Promise<void> | void
type DefineCheck<Subject> = (id: string, title: string, run: Run<Subject>) => Check

/** Creates the checks of one section of the specification. */
export interface Section<Subject> {
  readonly must: DefineCheck<Subject>
  readonly should: DefineCheck<Subject>
}

/** @param needs the checks are skipped for services without it */
export function section<Subject>(spec: string, needs: Need<Subject>, writes = false): Section<Subject> {
  const define =
    (level: 'MUST' | 'SHOULD'): DefineCheck<Subject> =>
    (id, title, run) => ({
      id,
      level,
      title,
      spec,
      writes,
      run: async (audit) => run(audit, (await needs.find(audit)) ?? skip(await reasonFor(needs, audit))),
    })
  return { must: define('MUST'), should: define('SHOULD') }
}

async function reasonFor({ description, missing }: Need<unknown>, audit: AuditRun): Promise<string> {
  return missing === undefined
    ? `This needs ${description}, which the service does not have.`
    : `This needs ${description}. ${await missing(audit)}`
}

type Headers = Readonly<Record<string, string>>

/** Headers and body of a request. */
interface RequestParts {
  readonly headers?: Headers
  readonly body?: string | undefined
}

/** The run of one check. It sends the requests of the check and records the responses for the report. */
export class AuditRun {
  readonly responses: AuditResponse[] = []
  private readonly cleanUps: (() => Promise<unknown>)[] = []

  constructor(readonly service: AuditedService) {}

  /** @param address relative to the service root, or absolute; percent-encoded */
  async send(
    method: string,
    address: string,
    { headers = {}, body }: RequestParts = {},
  ): Promise<AuditResponse> {
    const url = this.service.urlOf(address)
    const response = await this.service.send({ method, url, headers, body })
    this.responses.push(response)
    return response
  }

  get(address: string, headers: Headers = {}): Promise<AuditResponse> {
    return this.send('GET', address, { headers })
  }

  getJson(address: string, headers: Headers = {}): Promise<AuditResponse> {
    return this.get(address, { Accept: 'application/json', ...headers })
  }

  getAtom(address: string): Promise<AuditResponse> {
    return this.get(address, { Accept: 'application/atom+xml' })
  }

  getXml(address: string): Promise<AuditResponse> {
    return this.get(address, { Accept: 'application/xml' })
  }

  /** Registers a function that runs after the check, also if the check fails. The last one runs first. */
  finally(cleanUp: () => Promise<unknown>): void {
    this.cleanUps.push(cleanUp)
  }

  async cleanUp(): Promise<void> {
    for (const cleanUp of this.cleanUps.reverse()) await cleanUp()
  }
}
