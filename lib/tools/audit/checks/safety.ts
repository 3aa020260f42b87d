import type { AuditRun } from '../audit-run.js'
import type { Answer } from '../answer.js'
import type { Check } from '../check.js'
import { check } from '../check.js'
import { demand, demandClientError } from '../demands.js'
import { entities, nothing } from '../needs.js'
import { setAddress } from '../sample.js'

const spec = 'MS-ODATA 5.1 (security considerations)'

/** Places in files, lines of stack traces, and texts of database drivers. */
const leaks = [
  /\bat [\w.<>$ ]+\([^)]*:\d+:\d+\)/,
  /\bat [\w.]+\([\w.]+\.(?:java|cs):\d+\)/,
  /Traceback \(most recent call last\)/,
  /(?:\/(?:home|usr|var|opt|srv)\/[\w./-]+\.(?:js|ts|py|rb|php|java)|[A-Z]:\\[\w\\.-]+\.(?:cs|dll|js))\b/,
  /\b(?:SQLITE_[A-Z]+|ORA-\d{5}|SQLSTATE\[|System\.Data\.SqlClient|node_modules)\b/,
]

/** Demands that what is said of a fault tells nothing about the inside of the service. */
function demandQuiet(answer: Answer): void {
  if (answer.status < 400) return
  const leak = leaks.map((pattern) => pattern.exec(answer.text)?.[0]).find((one) => one !== undefined)
  demand(leak === undefined, `The error must not tell about the inside of the service: '${leak}'.`, answer)
}

function demandQuietError(answer: Answer): void {
  demandClientError(answer)
  demandQuiet(answer)
}

/** Demands that something which is too much ends in no failure of the service. */
function demandStanding(answer: Answer): void {
  const { status } = answer
  demand(status < 500 || status === 501, `The service must not fail: ${status}.`, answer)
}

async function faults(audit: AuditRun, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) demandQuietError(await audit.getJson(address))
}

const prototypeNames = ['constructor', '__proto__', 'toString', 'hasOwnProperty']

/** What a service must stand, and must not tell. */
export const safetyChecks: readonly Check[] = [
  check({
    id: 'ODATA-SAFE-001',
    level: 'MUST',
    title: 'Errors tell nothing about the inside of the service: no stack traces, no files, no database.',
    spec,
    needs: entities(),
    run: async (audit, { set }) => {
      const path = setAddress(set)
      const queries = [
        '$filter=%27',
        '$filter=a%20eq%20',
        '$orderby=1%20eq',
        '$top=9e9',
        '$skiptoken=%27%27%27',
      ]
      for (const address of [
        'AuditNoSuchSet',
        `${path}(%27)`,
        ...queries.map((query) => `${path}?${query}`),
      ]) {
        demandQuiet(await audit.getJson(address))
      }
    },
  }),
  check({
    id: 'ODATA-SAFE-002',
    level: 'MUST',
    title: 'Names that objects of programming languages have are names like any other: not found.',
    spec,
    needs: entities(),
    run: async (audit, { set }) => {
      const path = setAddress(set)
      for (const name of prototypeNames) {
        const queries = [`$filter=${name}%20eq%201`, `$orderby=${name}`, `$expand=${name}`]
        await faults(audit, [name, ...queries.map((query) => `${path}?${query}`)])
      }
    },
  }),
  check({
    id: 'ODATA-SAFE-003',
    level: 'MUST',
    title: 'A very long address is answered.',
    spec: 'RFC 9110 15.5.15',
    needs: entities(),
    run: async (audit, { set }) => {
      demandStanding(
        await audit.getJson(`${setAddress(set)}?$filter=${'1%20eq%201%20and%20'.repeat(400)}true`),
      )
    },
  }),
  check({
    id: 'ODATA-SAFE-004',
    level: 'MUST',
    title: 'An expression with very many parentheses is answered.',
    spec,
    needs: entities(),
    run: async (audit, { set }) => {
      const depth = 1500
      demandStanding(
        await audit.getJson(`${setAddress(set)}?$filter=${'('.repeat(depth)}true${')'.repeat(depth)}`),
      )
    },
  }),
  check({
    id: 'ODATA-SAFE-005',
    level: 'MUST',
    title: 'Percent signs that encode nothing are refused.',
    spec: 'RFC 3986 2.1',
    needs: entities(),
    run: async (audit, { set }) => {
      await faults(audit, ['Audit%ZZ', `${setAddress(set)}?$filter=%ZZ`, `${setAddress(set)}(%FF)`])
    },
  }),
  check({
    id: 'ODATA-SAFE-006',
    level: 'MUST',
    title: 'Paths that lead upwards find nothing.',
    spec: 'RFC 3986 5.2.4',
    needs: nothing,
    run: async (audit) => {
      for (const address of ['%2e%2e%2f%2e%2e%2fetc%2fpasswd', '..%5c..%5cwindows%5cwin.ini']) {
        demandQuietError(await audit.get(address))
      }
    },
  }),
  check({
    id: 'ODATA-SAFE-007',
    level: 'MUST',
    title: 'Numbers beyond every type are refused or answered, and nothing fails.',
    spec,
    needs: entities(),
    run: async (audit, { set }) => {
      const huge = '9'.repeat(400)
      for (const query of [
        `$top=${huge}`,
        `$skip=${huge}`,
        `$filter=${huge}%20eq%201`,
        '$filter=1%20div%200%20eq%201',
      ]) {
        demandStanding(await audit.getJson(`${setAddress(set)}?${query}`))
      }
    },
  }),
  check({
    id: 'ODATA-SAFE-008',
    level: 'MUST',
    title: 'Texts that would be commands elsewhere are nothing but texts.',
    spec,
    needs: entities(),
    run: async (audit, { set }) => {
      const text = encodeURIComponent("'x'' or ''1''=''1'")
      const answer = await audit.getJson(`${setAddress(set)}?$top=1&$filter=${text}%20eq%20%27y%27`)
      demand(
        answer.status === 200 || answer.status === 400,
        `The status must be 200 or 400, not ${answer.status}.`,
        answer,
      )
      demand(!/"results":\[\{/.test(answer.text), 'Nothing must come: the text is equal to no other.', answer)
    },
  }),
  check({
    id: 'ODATA-SAFE-009',
    level: 'SHOULD',
    title: 'What is sent is taken for its type and no other: X-Content-Type-Options: nosniff.',
    spec: 'WHATWG Fetch (X-Content-Type-Options)',
    needs: entities(),
    run: async (audit, { set }) => {
      const answer = await audit.getJson(`${setAddress(set)}?$top=1`)
      demand(answer.header('x-content-type-options') === 'nosniff', 'The header must be nosniff.', answer)
    },
  }),
]
