import { skip } from '../check-outcome.js'
import { isPrimitive } from '../../../edm/edm-model.js'
import type { Property } from '../../../edm/edm-model.js'
import type { Check, Need } from '../check.js'
import { check } from '../check.js'
import { demand, demandClientError, demandMediaType, demandStatus, shown } from '../demands.js'
import { integers, plainTexts } from '../filter-check.js'
import { entities, inSamples, nothing, sampleWhere, toMany, missingValues } from '../needs.js'
import type { Row, Sample } from '../sample.js'
import { entityAddress, presentValues, setAddress } from '../sample.js'
import { walkFeed } from '../feeds.js'
import { rowsFrom } from '../values.js'

const count = 'MS-ODATA 2.2.3.5 (URI 15)'
const raw = 'MS-ODATA 2.2.6.4.1 (raw values)'
const wholeSets = sampleWhere('an entity set that can be read to its end', ({ complete }) => complete)

/** An entity and one of its properties. */
interface PropertyOfRow {
  readonly sample: Sample
  readonly property: Property
  readonly row: Row
}

const nullProperties: Need<PropertyOfRow> = inSamples('an entity with a property that is null', (sample) => {
  for (const row of sample.rows) {
    const { properties } = sample.set.entityType
    const property = properties.find(({ name, type }) => isPrimitive(type) && row[name] === null)
    if (property !== undefined) return { sample, property, row }
  }
  return undefined
})

const binaryValues: Need<PropertyOfRow> = inSamples('a property of type Edm.Binary', (sample) => {
  const property = sample.set.entityType.properties.find(
    (one) => one.type === 'Edm.Binary' && presentValues(sample, one).length > 0,
  )
  const row =
    property && sample.rows.find(({ [property.name]: value }) => typeof value === 'string' && value !== '')
  return property === undefined || row === undefined ? undefined : { sample, property, row }
})

const binaries: Need<PropertyOfRow> = {
  ...binaryValues,
  missing: missingValues(['Edm.Binary'], 'without a value in the entities that were read'),
}

/** `$count` and `$value`. */
export const countValueChecks: readonly Check[] = [
  check({
    id: 'ODATA-COUNT-010',
    level: 'MUST',
    title: '$count is the number of entities of the set.',
    spec: count,
    needs: wholeSets,
    run: async (audit, { set, rows }) => {
      const answer = await audit.get(`${setAddress(set)}/$count`)
      demandStatus(answer, 200)
      demand(
        answer.text === String(rows.length),
        `The number must be ${rows.length}, not ${shown(answer.text)}.`,
        answer,
      )
    },
  }),
  check({
    id: 'ODATA-COUNT-011',
    level: 'MUST',
    title: '$count is of type text/plain, and nothing but digits.',
    spec: count,
    needs: entities(),
    run: async (audit, { set }) => {
      const answer = await audit.get(`${setAddress(set)}/$count`)
      demandStatus(answer, 200)
      demandMediaType(answer, 'text/plain')
      demand(/^\d+$/.test(answer.text), `The body must be a number, not ${shown(answer.text)}.`, answer)
    },
  }),
  check({
    id: 'ODATA-COUNT-012',
    level: 'MUST',
    title: '$count counts what $filter is true of.',
    spec: count,
    needs: integers,
    run: async (audit, { sample, name, literal, value }) => {
      if (!sample.complete) skip('The entity set is too large.')
      const wanted = rowsFrom(sample, name, value)
      const answer = await audit.get(`${setAddress(sample.set)}/$count?$filter=${name}%20ge%20${literal}`)
      demandStatus(answer, 200)
      demand(
        answer.text === String(wanted.length),
        `The number must be ${wanted.length}, not ${answer.text}.`,
        answer,
      )
    },
  }),
  check({
    id: 'ODATA-COUNT-013',
    level: 'MUST',
    title: '$count behind a navigation property is the number of what it leads to.',
    spec: count,
    needs: toMany,
    run: async (audit, { sample, row, navigation }) => {
      const address = `${entityAddress(sample.set, row)}/${navigation.name}`
      const walk = await walkFeed(audit, address, 10)
      if (!walk.complete) skip('It leads to too many.')
      const answer = await audit.get(`${address}/$count`)
      demandStatus(answer, 200)
      demand(
        answer.text === String(walk.rows.length),
        `The number must be ${walk.rows.length}, not ${answer.text}.`,
        answer,
      )
    },
  }),
  check({
    id: 'ODATA-VALUE-001',
    level: 'MUST',
    title: '$value is the value of a property as plain text.',
    spec: raw,
    needs: plainTexts,
    run: async (audit, { sample, name }) => {
      const row = sample.rows.find((one) => typeof one[name] === 'string' && one[name] !== '') ?? {}
      const answer = await audit.get(`${entityAddress(sample.set, row)}/${name}/$value`)
      demandStatus(answer, 200)
      demandMediaType(answer, 'text/plain')
      demand(
        answer.text === row[name],
        `The text must be ${shown(row[name])}, not ${shown(answer.text)}.`,
        answer,
      )
    },
  }),
  check({
    id: 'ODATA-VALUE-002',
    level: 'MUST',
    title: '$value of a number is the number itself.',
    spec: raw,
    needs: integers,
    run: async (audit, { sample, name }) => {
      const row = sample.rows.find((one) => one[name] !== null) ?? {}
      const answer = await audit.get(`${entityAddress(sample.set, row)}/${name}/$value`)
      demandStatus(answer, 200)
      demand(
        answer.text === String(row[name]),
        `The text must be ${shown(row[name])}, not ${shown(answer.text)}.`,
        answer,
      )
    },
  }),
  check({
    id: 'ODATA-VALUE-003',
    level: 'MUST',
    title: '$value of null is answered with 404 or 204.',
    spec: raw,
    needs: nullProperties,
    run: async (audit, { sample, row, property }) => {
      demandStatus(await audit.get(`${entityAddress(sample.set, row)}/${property.name}/$value`), 404, 204)
    },
  }),
  check({
    id: 'ODATA-VALUE-004',
    level: 'MUST',
    title: '$value of Edm.Binary is the bytes themselves.',
    spec: raw,
    needs: binaries,
    run: async (audit, { sample, row, property }) => {
      const answer = await audit.get(`${entityAddress(sample.set, row)}/${property.name}/$value`)
      demandStatus(answer, 200)
      const given = Buffer.from(answer.body).toString('base64')
      const wanted = Buffer.from(String(row[property.name]), 'base64').toString('base64')
      demand(given === wanted, 'The bytes must be those that JSON has in base64.', answer)
      if (property.mimeType !== undefined) demandMediaType(answer, property.mimeType.toLowerCase())
    },
  }),
  check({
    id: 'ODATA-VALUE-005',
    level: 'MUST',
    title: '$value behind something that does not exist is refused.',
    spec: raw,
    needs: nothing,
    run: async (audit) => {
      demandClientError(await audit.get('AuditNoSuchSet(1)/Name/$value'))
    },
  }),
]
