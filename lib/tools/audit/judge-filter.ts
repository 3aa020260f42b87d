import type { AuditRun } from './audit-run.js'
import { demand } from './demands.js'
import { walkFeed } from './feeds.js'
import type { Row, Sample } from './sample.js'
import { identityOf, setAddress } from './sample.js'

/** Whether a condition is true of an entity; undefined where the specification leaves it open. */
export type Verdict = boolean | undefined

/** A condition, and what it means. */
export interface Condition {
  /** As it stands in `$filter`, not encoded. */
  readonly filter: string
  readonly isTrue: (row: Row) => Verdict
}

/**
 * Asks for the entities of which a condition is true, and compares them with those of the sample of which it is.
 *
 * Of a set that is larger than the sample only what comes is looked at: what is missing may stand on later pages.
 */
export async function judgeFilter(
  audit: AuditRun,
  sample: Sample,
  { filter, isTrue }: Condition,
): Promise<void> {
  const { set, rows, complete } = sample
  const walk = await walkFeed(audit, `${setAddress(set)}?$filter=${encodeURIComponent(filter)}`, 10)
  const answer = walk.pages[0]
  const given = new Set(walk.rows.map((row) => identityOf(set, row)))
  const wrong = walk.rows.filter((row) => isTrue(row) === false).map((row) => identityOf(set, row))
  const title = `$filter=${filter}`
  demand(wrong.length === 0, `${title} is not true of what came: ${listed(wrong)}.`, answer)
  const missing = rows
    .filter((row) => isTrue(row) === true && !given.has(identityOf(set, row)))
    .map((row) => identityOf(set, row))
  if (complete)
    demand(missing.length === 0, `${title} is true of what did not come: ${listed(missing)}.`, answer)
  else if (missing.length > 0)
    demand(given.size > 0, `${title} is true of something, but nothing came.`, answer)
}

function listed(identities: readonly string[]): string {
  const [first = '', second = '', third = ''] = identities
  const some = [first, second, third].filter((one) => one !== '').join(' ')
  return identities.length > 3 ? `${some} and ${identities.length - 3} more` : some
}
