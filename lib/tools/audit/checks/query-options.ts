import { nameOfType } from '../../../edm/edm-model.js'
import { skip } from '../check-outcome.js'
import type { AuditRun } from '../audit-run.js'
import type { Check } from '../check.js'
import { check } from '../check.js'
import { demand, demandClientError, demandRefusal, demandMediaType, demandStatus, shown } from '../demands.js'
import { demandSameOrder, jsonFeed, walkFeed } from '../feeds.js'
import { integers } from '../filter-check.js'
import type { PropertySubject } from '../needs.js'
import { entities, isSortable, nothing, property } from '../needs.js'
import type { Row, Sample } from '../sample.js'
import { identityOf, setAddress } from '../sample.js'
import { compareNumbers, numberIn } from '../values.js'

const evaluation = 'MS-ODATA 2.2.3.6.1.2 (order of evaluation)'
const top = 'MS-ODATA 2.2.3.6.1.8 ($top)'
const skipOption = 'MS-ODATA 2.2.3.6.1.7 ($skip)'
const orderBy = 'MS-ODATA 2.2.3.6.1.6 ($orderby)'

const numbers = property('a property of numbers to sort by', {
  types: ['Edm.Int32', 'Edm.Int16', 'Edm.Byte', 'Edm.Decimal'],
  // Entities often stand in the order of their keys without being asked for it.
  where: (one) => isSortable(one) && !one.isKey,
})

const numbersAndKeys = property('a property of numbers to sort by, beside a key that is a number', {
  types: ['Edm.Int32', 'Edm.Int16', 'Edm.Byte', 'Edm.Decimal'],
  where: (one, { set: { entityType } }) =>
    isSortable(one) && !one.isKey && entityType.key.every(({ type }) => /Int/.test(nameOfType(type))),
})

const nullableNumbers = property('a property to sort by that is null in some entities', {
  types: ['Edm.Int32', 'Edm.Int16', 'Edm.Byte', 'Edm.Decimal'],
  where: (one, { rows }) => isSortable(one) && rows.some((row) => row[one.name] === null),
})

async function rowsOf(audit: AuditRun, { set }: Sample, query: string): Promise<readonly Row[]> {
  return (await walkFeed(audit, `${setAddress(set)}?${query}`, 10)).rows
}

/** Demands that the numbers rise, or with a factor of -1 fall; null has no place in that. */
function demandOrder(rows: readonly Row[], { name }: PropertySubject, factor: 1 | -1): void {
  const present = rows.filter((row) => row[name] !== null)
  for (const [index, row] of present.slice(1).entries()) {
    const order = compareNumbers(numberIn(present[index] ?? {}, name), numberIn(row, name)) ?? 0
    demand(
      order * factor <= 0,
      `'${name}' must ${factor === 1 ? 'rise' : 'fall'}: ${shown(present[index]?.[name])} stands before ${shown(row[name])}.`,
    )
  }
}

/** A request with an option that means nothing. */
function refused(id: string, title: string, spec: string, query: string, level: 'MUST' | 'SHOULD'): Check {
  return check({
    id,
    level,
    title,
    spec,
    needs: entities(),
    run: async (audit, { set }) => {
      demandRefusal(await audit.getJson(`${setAddress(set)}?${query}`))
    },
  })
}

const window: readonly Check[] = [
  check({
    id: 'ODATA-QUERY-001',
    level: 'MUST',
    title: '$top=n gives the first n entities.',
    spec: top,
    needs: entities(3),
    run: async (audit, sample) => {
      const all = await rowsOf(audit, sample, '$top=5')
      const rows = await rowsOf(audit, sample, '$top=2')
      demandSameOrder(sample.set, all.slice(0, 2), rows, '$top=2')
    },
  }),
  check({
    id: 'ODATA-QUERY-002',
    level: 'MUST',
    title: '$skip=n leaves out the first n entities.',
    spec: skipOption,
    needs: entities(3),
    run: async (audit, sample) => {
      const all = await rowsOf(audit, sample, '$top=5')
      const rows = await rowsOf(audit, sample, '$skip=2&$top=3')
      demandSameOrder(sample.set, all.slice(2), rows, '$skip=2&$top=3')
    },
  }),
  check({
    id: 'ODATA-QUERY-003',
    level: 'MUST',
    title: 'Windows of $skip and $top together give each entity once.',
    spec: evaluation,
    needs: entities(4),
    run: async (audit, sample) => {
      const seen = new Set<string>()
      let count = 0
      for (let skipped = 0; skipped < 8; skipped += 2) {
        const rows = await rowsOf(audit, sample, `$skip=${skipped}&$top=2`)
        for (const row of rows) seen.add(identityOf(sample.set, row))
        count += rows.length
      }
      demand(seen.size === count, `${count} entities came, but only ${seen.size} different ones.`)
      const wanted = Math.min(8, sample.rows.length)
      demand(count === wanted, `${wanted} entities must come, not ${count}.`)
    },
  }),
  check({
    id: 'ODATA-QUERY-004',
    level: 'MUST',
    title: '$top=0 gives an empty feed.',
    spec: top,
    needs: entities(),
    run: async (audit, { set }) => {
      const answer = await audit.getJson(`${setAddress(set)}?$top=0`)
      demand(jsonFeed(answer).rows.length === 0, 'There must be no entity.', answer)
    },
  }),
  check({
    id: 'ODATA-QUERY-005',
    level: 'MUST',
    title: '$skip beyond the last entity gives an empty feed.',
    spec: skipOption,
    needs: entities(),
    run: async (audit, { set }) => {
      const answer = await audit.getJson(`${setAddress(set)}?$skip=2000000000`)
      demand(jsonFeed(answer).rows.length === 0, 'There must be no entity.', answer)
    },
  }),
]

const ordering: readonly Check[] = [
  check({
    id: 'ODATA-QUERY-010',
    level: 'MUST',
    title: '$orderby sorts, from the smallest value unless it says desc.',
    spec: orderBy,
    needs: numbers,
    run: async (audit, subject) => {
      const rows = await rowsOf(audit, subject.sample, `$orderby=${subject.name}`)
      demandOrder(rows, subject, 1)
      const same = await rowsOf(audit, subject.sample, `$orderby=${subject.name}%20asc`)
      demandOrder(same, subject, 1)
    },
  }),
  check({
    id: 'ODATA-QUERY-011',
    level: 'MUST',
    title: '$orderby with desc sorts from the greatest value.',
    spec: orderBy,
    needs: numbers,
    run: async (audit, subject) => {
      demandOrder(await rowsOf(audit, subject.sample, `$orderby=${subject.name}%20desc`), subject, -1)
    },
  }),
  check({
    id: 'ODATA-QUERY-012',
    level: 'MUST',
    title: '$orderby gives as many entities as there are without it.',
    spec: orderBy,
    needs: numbers,
    run: async (audit, { sample, name }) => {
      if (!sample.complete) skip('The entity set is too large.')
      const rows = await rowsOf(audit, sample, `$orderby=${name}`)
      const keys = new Set(rows.map((row) => identityOf(sample.set, row)))
      demand(
        keys.size === sample.rows.length && rows.length === keys.size,
        `${sample.rows.length} entities must come, each once, not ${rows.length}.`,
      )
    },
  }),
  check({
    id: 'ODATA-QUERY-013',
    level: 'MUST',
    title: 'Further terms of $orderby sort what is equal in the first.',
    spec: orderBy,
    needs: numbersAndKeys,
    run: async (audit, { sample, name }) => {
      const [key] = sample.set.entityType.key
      if (key === undefined) return
      const rows = await rowsOf(audit, sample, `$orderby=${name},${key.name}%20desc`)
      for (const [index, row] of rows.slice(1).entries()) {
        const before = rows[index] ?? {}
        if (row[name] !== before[name]) continue
        const order = compareNumbers(numberIn(before, key.name), numberIn(row, key.name)) ?? 0
        demand(order >= 0, `'${key.name}' must fall where '${name}' is ${shown(row[name])}.`)
      }
    },
  }),
  check({
    id: 'ODATA-QUERY-014',
    level: 'MUST',
    title: '$skip and $top count in the order that $orderby makes.',
    spec: evaluation,
    needs: numbers,
    run: async (audit, { sample, name }) => {
      const all = await rowsOf(audit, sample, `$orderby=${name}%20desc&$top=5`)
      const rows = await rowsOf(audit, sample, `$orderby=${name}%20desc&$skip=1&$top=2`)
      demandSameOrder(sample.set, all.slice(1, 3), rows, '$skip=1&$top=2')
    },
  }),
  check({
    id: 'ODATA-QUERY-015',
    level: 'SHOULD',
    title: 'Null is the smallest value: it comes first, with desc last.',
    spec: orderBy,
    needs: nullableNumbers,
    run: async (audit, { sample, name }) => {
      if (!sample.complete) skip('The entity set is too large.')
      const rising = await rowsOf(audit, sample, `$orderby=${name}`)
      demand(rising[0]?.[name] === null, `The first '${name}' must be null, not ${shown(rising[0]?.[name])}.`)
      const falling = await rowsOf(audit, sample, `$orderby=${name}%20desc`)
      demand(falling.at(-1)?.[name] === null, `With desc the last '${name}' must be null.`)
    },
  }),
  check({
    id: 'ODATA-QUERY-016',
    level: 'MUST',
    title: '$filter comes before $skip and $top.',
    spec: evaluation,
    needs: integers,
    run: async (audit, { sample, name, literal }) => {
      const filter = `$filter=${name}%20ge%20${literal}`
      const all = await rowsOf(audit, sample, `${filter}&$top=4`)
      const rows = await rowsOf(audit, sample, `${filter}&$skip=1&$top=2`)
      demandSameOrder(sample.set, all.slice(1, 3), rows, '$filter with $skip=1&$top=2')
    },
  }),
]

const format: readonly Check[] = [
  check({
    id: 'ODATA-QUERY-020',
    level: 'MUST',
    title: '$format=json is stronger than Accept.',
    spec: 'MS-ODATA 2.2.3.6.1.5 ($format)',
    needs: entities(),
    run: async (audit, { set }) => {
      const answer = await audit.getAtom(`${setAddress(set)}?$top=1&$format=json`)
      demandStatus(answer, 200)
      demandMediaType(answer, 'application/json')
    },
  }),
  check({
    id: 'ODATA-QUERY-021',
    level: 'MUST',
    title: '$format=atom is stronger than Accept.',
    spec: 'MS-ODATA 2.2.3.6.1.5 ($format)',
    needs: entities(),
    run: async (audit, { set }) => {
      const answer = await audit.getJson(`${setAddress(set)}?$top=1&$format=atom`)
      demandStatus(answer, 200)
      demandMediaType(answer, 'application/atom+xml')
    },
  }),
  check({
    id: 'ODATA-QUERY-022',
    level: 'MUST',
    title: 'A format that the service does not know is refused.',
    spec: 'MS-ODATA 2.2.3.6.1.5 ($format)',
    needs: nothing,
    run: async (audit) => {
      demandClientError(await audit.get('?$format=audit'))
    },
  }),
]

const faults: readonly Check[] = [
  refused('ODATA-QUERY-030', '$top below zero is refused.', top, '$top=-1', 'MUST'),
  refused('ODATA-QUERY-031', '$top that is no number is refused.', top, '$top=audit', 'MUST'),
  refused('ODATA-QUERY-032', '$skip below zero is refused.', skipOption, '$skip=-1', 'MUST'),
  refused(
    'ODATA-QUERY-033',
    '$filter that is no expression is refused.',
    'MS-ODATA 2.2.3.6.1.4 ($filter)',
    '$filter=%28audit',
    'MUST',
  ),
  refused(
    'ODATA-QUERY-034',
    '$filter with a property that does not exist is refused.',
    'MS-ODATA 2.2.3.6.1.4 ($filter)',
    '$filter=AuditNoSuchProperty%20eq%201',
    'MUST',
  ),
  refused(
    'ODATA-QUERY-035',
    '$orderby with a property that does not exist is refused.',
    orderBy,
    '$orderby=AuditNoSuchProperty',
    'MUST',
  ),
  refused(
    'ODATA-QUERY-036',
    'A system query option that does not exist is refused.',
    'MS-ODATA 2.2.3.6.1 (system query options)',
    '$audit=1',
    'SHOULD',
  ),
  refused(
    'ODATA-QUERY-037',
    '$filter with a function that does not exist is refused.',
    'MS-ODATA 2.2.3.6.1.1.5 (canonical functions)',
    '$filter=auditnosuchfunction%281%29%20eq%201',
    'MUST',
  ),
  check({
    id: 'ODATA-QUERY-040',
    level: 'MUST',
    title: 'Query options that do not begin with $ change nothing that the protocol defines.',
    spec: 'MS-ODATA 2.2.3.6.3 (custom query options)',
    needs: entities(2),
    run: async (audit, { set }) => {
      const plain = jsonFeed(await audit.getJson(`${setAddress(set)}?$top=2`))
      const answer = await audit.getJson(`${setAddress(set)}?$top=2&auditOption=1`)
      demandSameOrder(set, plain.rows, jsonFeed(answer).rows, 'With a custom option', answer)
    },
  }),
]

/** $top, $skip, $orderby, $format, and options that are refused. */
export const queryOptionChecks: readonly Check[] = [...window, ...ordering, ...format, ...faults]
