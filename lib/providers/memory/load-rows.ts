import type { EntityType } from '../../edm/edm-model.js'
import { entityName } from '../../edm/relations.js'
import { didYouMean } from '../../errors/suggestions.js'
import { isRecord } from '../../util/is-record.js'
import type { DataFaults } from './data-faults.js'
import type { EntityTable } from './entity-table.js'
import { StoredMedia } from './media-table.js'
import type { GivenObject, NewRow, RowShape } from './row-shape.js'
import { entityShape, ownMember } from './row-shape.js'
import { describeValue } from './stored-value.js'

/** A row that is in its table, together with what the user wrote. */
export interface LoadedRow {
  readonly table: EntityTable
  readonly type: EntityType
  readonly given: GivenObject
  readonly row: NewRow
  /** `Products[3]` */
  readonly place: string
}

/** Puts the rows of one entity set into its table. */
export class RowLoader {
  private readonly types: ReadonlyMap<string, EntityType>
  private readonly shapes = new Map<EntityType, RowShape>()
  /** Where each key was first seen. */
  private readonly places = new Map<string, number>()

  constructor(
    private readonly table: EntityTable,
    private readonly faults: DataFaults,
  ) {
    const { entityType } = table.set
    this.types = new Map([entityType, ...entityType.derivedTypes].map((type) => [type.qualifiedName, type]))
  }

  /** @returns the rows in which there are keys of linked entities */
  load(rows: readonly unknown[]): LoadedRow[] {
    const linked: LoadedRow[] = []
    for (const [index, given] of rows.entries()) {
      const place = `${this.table.path}[${index}]`
      if (!isRecord(given)) {
        this.faults.add(place, `${describeValue(given)} is no row. Write an object.`)
        continue
      }
      const type = this.typeOf(given, place)
      if (type === undefined) continue
      const row = this.store(given, type, place, index)
      if (row === undefined) continue
      if (type.navigationProperties.some(({ name }) => (ownMember(given, name) ?? null) !== null)) {
        linked.push({ table: this.table, type, given, row, place })
      }
    }
    return linked
  }

  /** @returns undefined when the row cannot be in the table */
  private store(given: GivenObject, type: EntityType, place: string, index: number): NewRow | undefined {
    const declared = this.table.set.entityType
    const copy = this.shapeOf(type).store(given, place, this.faults)
    const row = type === declared ? copy : { $type: type.qualifiedName, ...copy }
    const text = this.checkedKey(row, given, place)
    if (text === undefined) return undefined
    const first = this.places.get(text)
    if (first !== undefined) {
      const name = entityName(this.table.set, row)
      this.faults.add(place, `there already is ${name}: row ${first} has the same key.`)
      return undefined
    }
    this.places.set(text, index)
    this.table.put(text, row)
    this.storeMedia(given, type, text, place)
    return row
  }

  private typeOf(given: GivenObject, place: string): EntityType | undefined {
    const { entityType } = this.table.set
    const name = ownMember(given, '$type') ?? entityType.qualifiedName
    const type = typeof name === 'string' ? this.types.get(name) : undefined
    if (type !== undefined && !type.abstract) return type
    const names = [...this.types.values()].filter(({ abstract }) => !abstract)
    const choice = names.map(({ qualifiedName }) => `'${qualifiedName}'`).join(' or ')
    const what =
      type === undefined ? `there is no type ${describeValue(name)} here` : `'${type.name}' is abstract`
    this.faults.add(`${place}.$type`, `${what}. Write ${choice}.`)
    return undefined
  }

  private checkedKey(row: NewRow, given: GivenObject, place: string): string | undefined {
    let complete = true
    for (const { name } of this.table.set.entityType.key) {
      const value = row[name]
      if (value !== null && !Number.isNaN(value)) continue
      complete = false
      const written = ownMember(given, name) ?? null
      // A value of the wrong type has been reported already.
      if (written !== null && !Number.isNaN(written)) continue
      const hint = written === null ? didYouMean(name, Object.keys(given)) : ''
      this.faults.add(`${place}.${name}`, `it is part of the key and must have a value.${hint}`)
    }
    return complete ? this.table.keyText(row) : undefined
  }

  private storeMedia(given: GivenObject, type: EntityType, text: string, place: string): void {
    const media = ownMember(given, '$media')
    if (media === undefined || media === null) return
    const inside = `${place}.$media`
    if (!type.hasStream) {
      this.faults.add(
        inside,
        `entities of '${type.qualifiedName}' have no media resource: set HasStream in the model.`,
      )
      return
    }
    const contentType = isRecord(media) ? media.contentType : undefined
    const bytes = isRecord(media) ? media.bytes : undefined
    if (typeof contentType !== 'string' || contentType === '' || !(bytes instanceof Uint8Array)) {
      this.faults.add(inside, 'write { contentType: string, bytes: Uint8Array }.')
      return
    }
    const fileName = isRecord(media) && typeof media.fileName === 'string' ? media.fileName : undefined
    this.table.media.set(text, new StoredMedia(contentType, new Uint8Array(bytes), new Date(), fileName))
  }

  private shapeOf(type: EntityType): RowShape {
    let shape = this.shapes.get(type)
    if (shape === undefined) {
      shape = entityShape(type)
      this.shapes.set(type, shape)
    }
    return shape
  }
}
