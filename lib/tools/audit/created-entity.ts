import { isRecord } from '../../util/is-record.js'
import { skip } from './check-outcome.js'
import { randomUUID } from 'node:crypto'
import { annotationValue, sapNamespace } from '../../edm/annotations.js'
import type { EntitySet, EntityType, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { Answer } from './answer.js'
import type { AuditRun } from './audit-run.js'
import type { Need } from './check.js'
import { demand, demandStatus } from './demands.js'
import { jsonEntry } from './feeds.js'
import { inSamples } from './needs.js'
import type { Row, Sample } from './sample.js'
import { setAddress } from './sample.js'

/** A set in which entities can be made, and what a new one has. */
export interface Creatable {
  readonly sample: Sample
  /** A text that can be changed as one likes. */
  readonly text: Property
}

/** An entity that the audit has made. */
export interface Created {
  readonly row: Row
  /** Its address. */
  readonly uri: string
  readonly etag: string | undefined
}

const jsonBody = { Accept: 'application/json', 'Content-Type': 'application/json' } as const

/** Sets that have what a copy of an entity needs: a key that can be made up, and a text that can be changed. */
export function creatable(
  description: string,
  fits: (type: EntityType) => boolean = () => true,
): Need<Creatable> {
  return inSamples(description, (sample) => {
    const { set } = sample
    const { entityType } = set
    const [key, ...others] = entityType.key
    if (key === undefined || others.length > 0 || entityType.hasStream || !fits(entityType)) return undefined
    if (isForbidden(set, 'creatable') || isForbidden(set, 'updatable') || isForbidden(set, 'deletable')) {
      return undefined
    }
    const text = entityType.properties.find((one) => isFreeText(one, entityType))
    return text === undefined ? undefined : { sample, text }
  })
}

export const anyCreatable: Need<Creatable> = creatable('an entity set in which entities can be made')

export const taggedCreatable: Need<Creatable> = creatable(
  'an entity set with concurrency tokens in which entities can be made',
  ({ concurrencyTokens }) => concurrencyTokens.length > 0,
)

export const chosenKeys: Need<Creatable> = creatable(
  'an entity set in which entities can be made under keys that clients choose',
  ({ key }) => key.every(({ storeGeneratedPattern = 'None' }) => storeGeneratedPattern === 'None'),
)

function isForbidden(element: EntitySet | Property, name: string): boolean {
  return annotationValue(element, sapNamespace, name) === 'false'
}

function isFreeText(property: Property, type: EntityType): boolean {
  const { isKey, maxLength } = property
  if (property.type !== 'Edm.String' || isKey || isForbidden(property, 'updatable')) return false
  if (isForbidden(property, 'creatable') || type.concurrencyTokens.includes(property)) return false
  const isForeignKey = type.navigationProperties.some(({ association: { referentialConstraint } }) =>
    referentialConstraint?.dependentProperties.some(({ name }) => name === property.name),
  )
  return !isForeignKey && (maxLength === undefined || maxLength === 'Max' || maxLength >= 12)
}

/** What a new entity is made of: a copy of one that is there, under a key of its own. */
export function bodyOf({ sample, text }: Creatable): Record<string, unknown> {
  const { entityType } = sample.set
  const [row = {}] = sample.rows
  const body: Record<string, unknown> = {}
  for (const property of entityType.properties) {
    const { name, isKey, type } = property
    const isGenerated = (property.storeGeneratedPattern ?? 'None') !== 'None'
    if (isForbidden(property, 'creatable') || isGenerated || type === 'Edm.Binary') continue
    body[name] = isKey ? newKey(property) : row[name]
  }
  return { ...body, [text.name]: 'audit' }
}

function newKey({ type, maxLength }: Property): unknown {
  const unique = randomUUID()
  if (type === 'Edm.Guid') return unique
  if (!isPrimitive(type) || type === 'Edm.String') {
    const length = typeof maxLength === 'number' ? Math.min(maxLength, 20) : 20
    return unique.replaceAll('-', '').toUpperCase().slice(0, length)
  }
  const number = Number.parseInt(unique.slice(0, 4), 16) % 30_000
  if (type === 'Edm.Byte' || type === 'Edm.SByte') return 100 + (number % 27)
  if (type === 'Edm.Int16') return number
  return type === 'Edm.Int64' || type === 'Edm.Decimal'
    ? String(1_900_000_000 + number)
    : 1_900_000_000 + number
}

/** Sends a new entity. */
export function insert(audit: AuditRun, { sample }: Creatable, body: unknown): Promise<Answer> {
  return audit.send('POST', setAddress(sample.set), { headers: jsonBody, body: JSON.stringify(body) })
}

/** Makes an entity, which is deleted when the check is over; the check is left out where that is not allowed. */
export async function create(audit: AuditRun, subject: Creatable): Promise<Created> {
  const answer = await insert(audit, subject, bodyOf(subject))
  if ([400, 401, 403, 405, 409, 501].includes(answer.status)) {
    skip(`The service does not take a copy of an entity of ${subject.sample.set.path}: ${answer.status}.`)
  }
  demandStatus(answer, 201)
  return createdIn(audit, answer)
}

/** The entity in the answer to an insert. */
function createdIn(audit: AuditRun, answer: Answer): Created {
  const uri = newAddress(audit, answer)
  const content = isRecord(answer.json()) ? (answer.json() as Row)['d'] : undefined
  demand(isRecord(content), 'The answer must have the new entity.', answer)
  const metadata = content['__metadata']
  const etag = answer.header('etag') ?? (isRecord(metadata) ? metadata['etag'] : undefined)
  return { row: content, uri, etag: typeof etag === 'string' ? etag : undefined }
}

/** Demands the entry of a new entity, which is deleted when the check is over. */
export function createdInAtom(audit: AuditRun, answer: Answer): void {
  newAddress(audit, answer)
  demand(answer.xml().name === 'entry', 'The answer must have the new entity.', answer)
}

/** The address of a new entity, at which it is deleted when the check is over. */
function newAddress(audit: AuditRun, answer: Answer): string {
  const uri = answer.header('location')
  demand(uri !== undefined, 'There must be the header Location.', answer)
  audit.finally(async () => {
    await audit.send('DELETE', uri, { headers: { 'If-Match': '*' } })
  })
  return uri
}

/** Sends a change of an entity, on the condition that it is as it was made. */
export function change(
  audit: AuditRun,
  method: string,
  { uri, etag }: Created,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const condition: Record<string, string> = etag === undefined ? {} : { 'If-Match': etag }
  return audit.send(method, uri, {
    headers: {
      ...(body === undefined ? { Accept: 'application/json' } : jsonBody),
      ...condition,
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
}

/** The entity as it is now. */
export async function reread(audit: AuditRun, { uri }: Created): Promise<Row> {
  return jsonEntry(await audit.getJson(uri))
}
