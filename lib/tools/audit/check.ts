import { skip } from './check-outcome.js'
import type { AuditRun } from './audit-run.js'

/** A requirement that can be checked. */
export interface Check extends CheckDescription {
  /** Resolves when it is met; rejects with CheckFailure or CheckSkipped else. */
  readonly run: (audit: AuditRun) => Promise<void>
}

/** What of a service a check looks at: an entity set with entities, a property of some type. */
export interface Need<Subject> {
  /** What the service would have to have: `an entity set with entities`. */
  readonly description: string
  /** Undefined when the service has no such thing. */
  readonly find: (audit: AuditRun) => Promise<Subject | undefined>
  /** Why there is none, as a sentence. Default: the service does not have it. */
  readonly missing?: (audit: AuditRun) => Promise<string>
}

/** What is found by one need, or else by another. */
export function orElse<Subject>(first: Need<Subject>, second: Need<Subject>): Need<Subject> {
  return {
    ...second,
    find: async (audit) => (await first.find(audit)) ?? (await second.find(audit)),
  }
}

export interface CheckDefinition<Subject> {
  readonly id: string
  readonly level: 'MUST' | 'SHOULD'
  readonly title: string
  readonly spec: string
  readonly writes?: boolean
  readonly needs: Need<Subject>
  readonly run: (audit: AuditRun, subject: Subject) => Promise<void> | void
}

/** A check from its parts; it is left out where the service does not have what it needs. */
export function check<Subject>({ needs, run, writes = false, ...rest }: CheckDefinition<Subject>): Check {
  return {
    ...rest,
    writes,
    run: async (audit) => {
      const subject = await needs.find(audit)
      if (subject === undefined) skip(await reasonOf(needs, audit))
      else await run(audit, subject)
    },
  }
}

async function reasonOf({ description, missing }: Need<unknown>, audit: AuditRun): Promise<string> {
  return missing === undefined
    ? `This needs ${description}, which the service does not have.`
    : `This needs ${description}. ${await missing(audit)}`
}

/** What a requirement is called and where it stands. */
export interface CheckDescription {
  /** `ODATA-META-003`; never given to another requirement. */
  readonly id: string
  readonly level: 'MUST' | 'SHOULD'
  /** The requirement in one sentence. */
  readonly title: string
  /** The section it is from: `MS-ODATA 2.2.3.7.1`. */
  readonly spec: string
  /** True for what changes data, and is left out unless the audit may write. */
  readonly writes: boolean
}
