import type { EntitySet, Property } from '../../lib/edm/edm-model.js'
import type { WriteContext } from '../../lib/formats/format.js'
import { valueText } from '../../lib/formats/json/properties.js'
import { escapeText } from '../../lib/xml/escape-xml.js'
import type { PlainRow } from '../contracts/contract-data.js'
import type { Random } from '../fuzz/mutation/random.js'
import { entryOf } from '../support/payload-documents.js'
import type { World } from './worlds.js'
import { serviceRoot } from './worlds.js'

/** A request below the root of a service. `{etag PATH}` in its headers is the ETag that the entity at PATH has. */
export interface WorldRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Generates changes of the entities, properties and links of a world. Many of them must be rejected. */
export class RandomChanges {
  constructor(
    private readonly random: Random,
    private readonly world: World,
  ) {}

  next(): WorldRequest {
    const set = this.pick(this.world.model.defaultContainer.entitySets)
    const target = `${set.name}(${this.world.requests.key(set)})`
    switch (this.random.below(12)) {
      case 0:
      case 1:
        return this.change('POST', set.name, this.entity(set))
      case 2:
        return this.change('PUT', target, this.entity(set, false), target)
      case 3:
        return this.change('DELETE', target, undefined, target)
      case 4:
      case 5:
        return this.changeProperty(set, target)
      case 6:
      case 7:
        return this.changeLink(set, target)
      default:
        return this.change('MERGE', target, this.entity(set, false, 2), target)
    }
  }

  private changeProperty({ entityType }: EntitySet, target: string): WorldRequest {
    const property = this.pick(entityType.properties)
    const value = this.random.below(5) === 0 ? null : this.pick(this.rowsOf(entityType.name))[property.name]
    const headers = this.ifMatch(target)
    const path = `${target}/${property.name}`
    if (this.random.below(2) === 0) return { method: 'DELETE', path: `${path}/$value`, headers }
    return this.change('PUT', path, { [property.name]: jsonValue(property, value) }, target)
  }

  private changeLink(set: EntitySet, target: string): WorldRequest {
    const ways = set.entityType.navigationProperties
    const way = ways[this.random.below(ways.length || 1)]
    const other = way && set.targetOf(way)
    if (way === undefined || other === undefined) return this.change('DELETE', target, undefined, target)
    const key = `(${this.world.requests.key(other)})`
    const uri = `${serviceRoot}${other.name}${key}`
    const path = `${target}/$links/${way.name}`
    if (this.random.below(4) === 0) return this.change('POST', `${target}/${way.name}`, this.entity(other))
    if (this.random.below(3) > 0) return this.change(way.isCollection ? 'POST' : 'PUT', path, { uri })
    return this.change('DELETE', way.isCollection ? `${path}${key}` : path)
  }

  private change(method: string, path: string, body?: object, entity?: string): WorldRequest {
    const headers = entity === undefined ? {} : this.ifMatch(entity)
    if (body === undefined) return { method, path, headers }
    const isAtom = typeof body === 'object' && !('uri' in body) && this.random.below(5) === 0
    const type = isAtom ? 'application/atom+xml' : 'application/json'
    const text = isAtom ? atomEntry(body) : JSON.stringify(body)
    const isBroken = this.random.below(30) === 0
    return {
      ...{ method, path },
      headers: { ...headers, 'Content-Type': type },
      body: isBroken ? text.slice(0, this.random.below(text.length)) : text,
    }
  }

  private ifMatch(entity: string): Record<string, string> {
    const tag = this.random.oneOf([undefined, `{etag ${entity}}`, `{etag ${entity}}`, '*', 'W/"1"', '"x'])
    return tag === undefined ? {} : { 'If-Match': tag }
  }

  /** @param left omits each property with a probability of 1 in `left`; 0 omits none */
  private entity(set: EntitySet, hasKey = true, left = 0, depth = 1): Record<string, unknown> {
    const row = this.pick(this.rowsOf(set.entityType.name))
    const entity: Record<string, unknown> = {}
    for (const property of set.entityType.properties) {
      if (property.isKey ? !hasKey : this.random.below(left || 1) > 0) continue
      const isNew = property.isKey && property.type === 'Edm.Int32' && this.random.below(2) === 0
      entity[property.name] = isNew ? 30 + this.random.below(40) : jsonValue(property, row[property.name])
    }
    for (const way of set.entityType.navigationProperties) {
      const other = set.targetOf(way)
      if (other === undefined || depth === 0 || this.random.below(10) > 0) continue
      const uri = `${serviceRoot}${other.name}(${this.world.requests.key(other)})`
      const member =
        this.random.below(2) === 0 ? { __metadata: { uri } } : this.entity(other, true, 0, depth - 1)
      entity[way.name] = way.isCollection ? [member] : member
    }
    if (this.random.below(20) === 0) entity.Unknown = 1
    return entity
  }

  /** Returns rows of some set of an entity type. */
  private rowsOf(type: string): readonly PlainRow[] {
    const { entitySets } = this.world.model.defaultContainer
    const rows = entitySets.flatMap(({ name, entityType }) =>
      entityType.name === type ? (this.world.otherRows?.[name] ?? []) : [],
    )
    return rows.length === 0 ? [{}] : rows
  }

  private pick<T>(choices: readonly T[]): T {
    return this.random.oneOf(choices as readonly [T, ...T[]])
  }
}

/** Converts a value of a row to JSON. */
function jsonValue({ type }: Property, value: unknown): unknown {
  if (value === undefined) return undefined
  return JSON.parse(valueText(type, value, { doubleAsNumber: false } as WriteContext))
}

/** Returns an entry with the members that Atom represents as JSON does. */
function atomEntry(entity: object): string {
  const properties = Object.entries(entity).flatMap(([name, value]) => {
    if (value === null) return [`<d:${name} m:null="true"/>`]
    return typeof value === 'object' ? [] : [`<d:${name}>${escapeText(String(value))}</d:${name}>`]
  })
  return entryOf(
    `<content type="application/xml"><m:properties>${properties.join('')}</m:properties></content>`,
  )
}
