import type { App } from './app.js'
import type { Operation } from './batch.js'
import { table } from './components.js'
import type { Property, StructuralType } from './model.js'
import { resourceOf } from './model.js'
import type { Entity } from './payload.js'
import { isEntity, metadataOf, parseDocument } from './payload.js'
import type { PendingChange, Values } from './pending-changes.js'
import { valueField } from './value-field.js'
import { valueView } from './value-view.js'

/** Creates a request with values of properties in JSON. */
export function jsonRequest(
  method: 'POST' | 'MERGE',
  values: Values,
  etag?: unknown,
): Omit<Operation, 'address'> {
  const condition = typeof etag === 'string' ? { 'If-Match': etag } : {}
  const headers = { 'Content-Type': 'application/json', ...condition }
  return { method, headers, body: JSON.stringify(values) }
}

/** Returns true for properties whose values a user may set. */
export function isEditable(annotation: 'sap:creatable' | 'sap:updatable'): (property: Property) => boolean {
  return ({ annotations }) => !annotations.some(([name, value]) => name === annotation && value === 'false')
}

/** Returns true for properties of existing entities that a user may change. */
export function isUpdatable(property: Property): boolean {
  return !property.isKey && isEditable('sap:updatable')(property)
}

/** An entity, and the changes of a user that are not sent yet. */
export class EntityChanges {
  private etag: unknown

  constructor(
    private readonly app: App,
    readonly address: string,
    private readonly entity: Entity,
    private readonly type: StructuralType,
  ) {
    this.etag = metadataOf(entity).etag
  }

  get pending(): PendingChange | undefined {
    return this.app.changes.of(this.address)
  }

  /** The entity as it will be after the changes. */
  get current(): Entity {
    return { ...this.entity, ...this.pending?.values }
  }

  request(values: Values): Omit<Operation, 'address'> {
    return jsonRequest('MERGE', values, this.etag)
  }

  /** Returns those of the values that differ from the stored ones. */
  async differing(values: Values): Promise<Values> {
    const all = Object.entries(values).map(async ([name, value]) => {
      const property = this.type.properties.find((one) => one.name === name)
      if (property === undefined || !isUpdatable(property)) return []
      // A field reads the stored value as it reads an entered one.
      const stored: unknown = await valueField(this.app, property, this.entity[name], true).read()
      return JSON.stringify(value) === JSON.stringify(stored) ? [] : [[name, value] as const]
    })
    return Object.fromEntries((await Promise.all(all)).flat())
  }

  /** Replaces the pending change of the entity by one with these values. */
  replace(values: Values): void {
    if (Object.keys(values).length === 0) this.app.changes.remove(this.pending)
    else this.app.changes.add({ address: this.address, ...this.request(values) }, values)
  }

  /** Compares values with those that another user has stored since, which later requests may overwrite. */
  async compare(values: Values): Promise<HTMLElement | undefined> {
    const comparison = await compareWithStored(this.app, this.address, values)
    if (comparison === undefined) return undefined
    this.etag = comparison.etag
    return comparison.table
  }
}

interface Comparison {
  readonly table: HTMLElement
  /** The ETag of the stored entity. */
  readonly etag: unknown
}

/** Creates a table of values and of those that are stored; undefined if the entity no longer exists. */
export async function compareWithStored(
  app: App,
  address: string,
  values: Values,
): Promise<Comparison | undefined> {
  const exchange = await app.client.send(address)
  const stored = exchange.status < 400 ? parseDocument(exchange.text) : undefined
  if (!isEntity(stored)) return undefined
  const rows = (resourceOf(app.model, address).type?.properties ?? [])
    .filter(({ name }) => name in values)
    .map((one) => [one.name, ...[values, stored].map((from) => valueView(app, from[one.name], one))])
  return {
    table: table('Conflicts', ['Property', 'Your value', 'Stored value'], rows),
    etag: metadataOf(stored).etag,
  }
}
