import { randomUUID } from 'node:crypto'
import type { EntityType, Property } from '../../edm/edm-model.js'
import { isPrimitive, isStoreGenerated } from '../../edm/edm-model.js'
import { isRecord } from '../../util/is-record.js'
import { assert, assertStatus, skip } from './assertions.js'
import type { AuditRun, Need, Section } from './check.js'
import { section } from './check.js'
import { jsonEntry } from './json-documents.js'
import { inSamples, isAllowed } from './needs.js'
import type { AuditResponse } from './response.js'
import type { Row, Sample } from './sample.js'

/** A set in which the audit can create entities. */
export interface Creatable {
  readonly sample: Sample
  /** The name of a string property that can have any value. */
  readonly text: string
}

/** An entity that the audit created. */
export interface Created {
  readonly row: Row
  readonly uri: string
  readonly etag: string | undefined
}

const jsonHeaders = { Accept: 'application/json', 'Content-Type': 'application/json' } as const

/**
 * Finds an entity set whose entities can be copied: they have a key that can be generated and a string that can be
 * changed.
 */
export function creatable(
  description: string,
  fits: (type: EntityType) => boolean = () => true,
): Need<Creatable> {
  return inSamples(description, (sample) => {
    const { set, type } = sample
    if (type.key.length !== 1 || type.hasStream || !fits(type)) return undefined
    const isWritable = ['creatable', 'updatable', 'deletable'].every((one) => isAllowed(set, one))
    const text = isWritable ? type.properties.find((one) => isFreeText(one, type)) : undefined
    return text === undefined ? undefined : { sample, text: text.name }
  })
}

const anyCreatable = creatable('an entity set in which entities can be created')

function isFreeText(property: Property, type: EntityType): boolean {
  const { name, isKey, maxLength = 'Max' } = property
  if (property.type !== 'Edm.String' || isKey || type.concurrencyTokens.includes(property)) return false
  if (!isAllowed(property, 'updatable') || !isAllowed(property, 'creatable')) return false
  const isForeignKey = type.navigationProperties.some(({ association: { referentialConstraint } }) =>
    referentialConstraint?.dependentProperties.some((one) => one.name === name),
  )
  return !isForeignKey && (maxLength === 'Max' || maxLength >= 12)
}

/** Returns a copy of an existing entity with a new key. */
export function newBody({ sample, text }: Creatable): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const property of sample.type.properties) {
    const { name, isKey, type } = property
    if (!isAllowed(property, 'creatable') || isStoreGenerated(property) || type === 'Edm.Binary') continue
    body[name] = isKey ? newKey(property) : sample.first[name]
  }
  return { ...body, [text]: 'audit' }
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
  const large = 1_900_000_000 + number
  return type === 'Edm.Int64' || type === 'Edm.Decimal' ? String(large) : large
}

/** Sends a POST request without judging the response. */
export function insert(audit: AuditRun, { sample }: Creatable, body: unknown): Promise<AuditResponse> {
  return audit.send('POST', sample.address, { headers: jsonHeaders, body: JSON.stringify(body) })
}

/** Creates an entity and deletes it after the check. Skips the check if the service rejects the entity. */
async function create(audit: AuditRun, subject: Creatable): Promise<Created> {
  const response = await insert(audit, subject, newBody(subject))
  const { status } = response
  if ([400, 401, 403, 405, 409, 501].includes(status)) {
    skip(`The service rejects a copy of an entity of ${subject.sample.set.path} with status ${status}.`)
  }
  const uri = assertCreated(audit, response)
  const document = response.json()
  const row = isRecord(document) ? document['d'] : undefined
  assert(isRecord(row), 'The response must contain the new entity.')
  const metadata = row['__metadata']
  const etag = response.header('etag') ?? (isRecord(metadata) ? metadata['etag'] : undefined)
  return { row, uri, etag: typeof etag === 'string' ? etag : undefined }
}

/** Returns the address of a new entity and deletes the entity after the check. */
export function assertCreated(audit: AuditRun, response: AuditResponse): string {
  assertStatus(response, 201)
  const uri = response.header('location')
  assert(uri !== undefined, 'There must be a Location header.')
  deleteLater(audit, uri)
  return uri
}

export function deleteLater(audit: AuditRun, uri: string): void {
  audit.finally(() => audit.send('DELETE', uri, { headers: { 'If-Match': '*' } }))
}

/** Changes or deletes an entity, with its ETag as the condition. */
export function change(
  audit: AuditRun,
  method: string,
  { uri, etag }: Pick<Created, 'uri' | 'etag'>,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<AuditResponse> {
  return audit.send(method, uri, {
    headers: {
      ...(body === undefined ? { Accept: 'application/json' } : jsonHeaders),
      ...(etag === undefined ? {} : { 'If-Match': etag }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
}

export async function reread(audit: AuditRun, { uri }: Pick<Created, 'uri'>): Promise<Row> {
  return jsonEntry(await audit.getJson(uri))
}

/** Creates checks that change data. */
export function writeSection(spec: string, needs: Need<Creatable> = anyCreatable): Section<Creatable> {
  return section(spec, needs, true)
}

type DefineChangeCheck = (
  id: string,
  title: string,
  run: (audit: AuditRun, created: Created, subject: Creatable) => Promise<void>,
) => ReturnType<Section<Creatable>['must']>

/** Creates checks of one section that start with a new entity. */
export function changeSection(
  spec: string,
  needs?: Need<Creatable>,
): Record<'must' | 'should', DefineChangeCheck> {
  const { must, should } = writeSection(spec, needs)
  const define =
    (defineCheck: typeof must): DefineChangeCheck =>
    (id, title, run) =>
      defineCheck(id, title, async (audit, subject) => run(audit, await create(audit, subject), subject))
  return { must: define(must), should: define(should) }
}
