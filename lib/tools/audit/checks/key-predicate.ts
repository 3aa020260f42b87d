import { nameOfType } from '../../../edm/edm-model.js'
import type { Check } from '../check.js'
import { check } from '../check.js'
import { demand, demandClientError, demandStatus } from '../demands.js'
import { jsonEntry } from '../feeds.js'
import { namedKeyPredicate } from '../literals.js'
import { entities, sampleWhere } from '../needs.js'
import type { Row, Sample } from '../sample.js'
import { entityAddress, identityOf, setAddress } from '../sample.js'
import type { AuditRun } from '../audit-run.js'

const spec = 'MS-ODATA 2.2.3.4 (key predicates)'

const singleKeys = sampleWhere(
  'entities with a key of one property',
  ({ set }) => set.entityType.key.length === 1,
)
const compoundKeys = sampleWhere(
  'entities with a key of several properties',
  ({ set }) => set.entityType.key.length > 1,
)
const numberKeys = sampleWhere(
  'entities with a number for their key',
  ({ set: { entityType } }) =>
    entityType.key.length === 1 && entityType.key.every(({ type }) => /Int/.test(nameOfType(type))),
)
const textKeys = sampleWhere(
  'entities with a text for their key',
  ({ set: { entityType } }) => entityType.key.length === 1 && entityType.key[0]?.type === 'Edm.String',
)

/** Demands that an address leads to an entity. */
async function demandAt(audit: AuditRun, address: string, { set }: Sample, row: Row): Promise<void> {
  const answer = await audit.getJson(address)
  const [wanted, given] = [row, jsonEntry(answer)].map((one) => identityOf(set, one))
  demand(wanted === given, `The entity there must have the key ${wanted}, not ${given}.`, answer)
}

/** All that is no letter or digit, encoded. */
function encodedFully(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** What stands in parentheses behind an entity set. */
export const keyPredicateChecks: readonly Check[] = [
  check({
    id: 'ODATA-KEY-001',
    level: 'MUST',
    title: 'A key of one property may be written with its name.',
    spec,
    needs: singleKeys,
    run: async (audit, sample) => {
      const row = sample.rows[0] ?? {}
      const { set } = sample
      await demandAt(audit, setAddress(set) + namedKeyPredicate(set.entityType.key, row), sample, row)
    },
  }),
  check({
    id: 'ODATA-KEY-002',
    level: 'MUST',
    title: 'The values of a key of several properties are named, in any order.',
    spec,
    needs: compoundKeys,
    run: async (audit, sample) => {
      const row = sample.rows[0] ?? {}
      const key = sample.set.entityType.key
      await demandAt(audit, setAddress(sample.set) + namedKeyPredicate(key, row), sample, row)
      await demandAt(audit, setAddress(sample.set) + namedKeyPredicate([...key].reverse(), row), sample, row)
    },
  }),
  check({
    id: 'ODATA-KEY-003',
    level: 'MUST',
    title: 'A key that lacks a property is answered with 400 or 404.',
    spec,
    needs: compoundKeys,
    run: async (audit, { set, rows }) => {
      const predicate = namedKeyPredicate(set.entityType.key.slice(0, 1), rows[0] ?? {})
      demandStatus(await audit.get(setAddress(set) + predicate), 400, 404)
    },
  }),
  check({
    id: 'ODATA-KEY-004',
    level: 'MUST',
    title: 'A text for a key that is a number is answered with 400 or 404.',
    spec,
    needs: numberKeys,
    run: async (audit, { set }) => {
      demandStatus(await audit.get(`${setAddress(set)}('audit')`), 400, 404)
    },
  }),
  check({
    id: 'ODATA-KEY-005',
    level: 'MUST',
    title: 'A key predicate that is none is answered with an error.',
    spec,
    needs: entities(),
    run: async (audit, { set }) => {
      demandClientError(await audit.get(`${setAddress(set)}(,)`))
    },
  }),
  check({
    id: 'ODATA-KEY-006',
    level: 'MUST',
    title: 'Quotes and parentheses of a key predicate may be percent-encoded.',
    spec: 'RFC 3986 2.1',
    needs: textKeys,
    run: async (audit, sample) => {
      const row = sample.rows[0] ?? {}
      const plain = decodeURIComponent(entityAddress(sample.set, row))
      await demandAt(audit, encodedFully(plain), sample, row)
    },
  }),
  check({
    id: 'ODATA-KEY-007',
    level: 'MUST',
    title: 'A quote in a key is written twice.',
    spec: 'MS-ODATA 2.2.2 (Edm.String)',
    needs: textKeys,
    run: async (audit, sample) => {
      const { set, rows } = sample
      const name = set.entityType.key[0]?.name ?? ''
      const row = rows.find((one) => String(one[name]).includes("'"))
      if (row !== undefined) await demandAt(audit, entityAddress(set, row), sample, row)
      else demandStatus(await audit.get(`${setAddress(set)}('o''audit''')`), 404)
    },
  }),
  check({
    id: 'ODATA-KEY-008',
    level: 'MUST',
    title: 'Every entity can be reached by its key, whatever signs are in it.',
    spec: 'RFC 3986 2.1',
    needs: textKeys,
    run: async (audit, sample) => {
      const { set, rows } = sample
      const name = set.entityType.key[0]?.name ?? ''
      const odd = rows.filter((row) => !/^[A-Za-z0-9]*$/.test(String(row[name])))
      for (const row of [...odd, ...rows].slice(0, 8)) {
        await demandAt(audit, entityAddress(set, row), sample, row)
      }
    },
  }),
]
