import type { CheckDescription } from './check.js'

/** `skipped` is a check that the service has no place for. */
export type CheckOutcome = 'passed' | 'failed' | 'skipped'

/** What came of a check. */
export interface CheckResult extends CheckDescription {
  readonly outcome: CheckOutcome
  /** Why it failed or was left out. */
  readonly reason?: string
  /** Of a check that failed: what was sent, and the part of the answer that shows it. */
  readonly exchange?: AuditExchange
  /** How many requests it has sent. */
  readonly requests: number
  /** Milliseconds. */
  readonly duration: number
}

/** A request and the answer to it, as text for people. */
export interface AuditExchange {
  /** `GET http://localhost:4004/shop/Products?$top=1`, with the headers of the check below. */
  readonly request: string
  /** The status and the headers, and the beginning of the body. */
  readonly answer: string
}

/** How many checks came to what. */
export interface OutcomeCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** What an audit has found. */
export interface AuditReport {
  /** The address of the service, with a slash at the end. */
  readonly service: string
  /** When the audit began: `2024-05-29T09:13:28.000Z`. */
  readonly date: string
  /** Milliseconds. */
  readonly duration: number
  /** True when no check of level MUST has failed. */
  readonly conforms: boolean
  readonly counts: Readonly<Record<'MUST' | 'SHOULD', OutcomeCounts>>
  readonly checks: readonly CheckResult[]
}

export function countOutcomes(checks: readonly CheckResult[], level: 'MUST' | 'SHOULD'): OutcomeCounts {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const one of checks) {
    if (one.level === level) counts[one.outcome]++
  }
  return counts
}
