import { groupIdOf } from '../../edm/analytical-set.js'
import type { EntityType, Property } from '../../edm/edm-model.js'
import { entityName } from '../../edm/relations.js'
import { didYouMean } from '../../errors/suggestions.js'
import { isRecord } from '../../util/is-record.js'
import { describeValue } from '../../util/describe-value.js'
import type { EntityTable } from './entity-table.js'
import type { LinkedRow } from './load-links.js'
import { loadLinks } from './load-links.js'
import { StoredMedia } from './media-table.js'
import type { MemoryStore } from './memory-store.js'
import type { GivenObject, NewRow } from './row-shape.js'
import { DataErrors, ownMember, toRow } from './row-shape.js'

/**
 * Copies rows into the store.
 *
 * @param data rows by entity set
 * @throws TypeError with all errors in the data
 */
export function loadData(store: MemoryStore, data: unknown): void {
  const errors = new DataErrors()
  if (!isRecord(data)) {
    throw new TypeError(
      `The data of the memory provider must be an object of the form { EntitySet: [row, …] }, not ${describeValue(data)}.`,
    )
  }
  const linked: LinkedRow[] = []
  for (const [path, rows] of Object.entries(data)) {
    const table = store.tables.get(path)
    if (table === undefined) {
      errors.add(path, `The entity set does not exist.${didYouMean(path, store.tables.keys())}`)
    } else if (Array.isArray(rows)) {
      new RowLoader(table, errors, linked).load(rows)
    } else if (rows !== undefined) {
      errors.add(path, `Expected an array of rows, not ${describeValue(rows)}.`)
    }
  }
  loadLinks(store, linked, errors)
  errors.check()
}

/** Copies the rows of one entity set into its table. */
class RowLoader {
  private readonly types: ReadonlyMap<string, EntityType>
  private readonly groupId: Property | undefined
  /** The index of the first row with each key. */
  private readonly indexes = new Map<string, number>()

  /** @param linked receives the rows that have links to entities */
  constructor(
    private readonly table: EntityTable,
    private readonly errors: DataErrors,
    private readonly linked: LinkedRow[],
  ) {
    const { entityType } = table.set
    this.groupId = groupIdOf(table.set)
    this.types = new Map([entityType, ...entityType.derivedTypes].map((type) => [type.qualifiedName, type]))
  }

  load(rows: readonly unknown[]): void {
    for (const [index, given] of rows.entries()) {
      const path = `${this.table.path}[${index}]`
      if (isRecord(given)) this.loadRow(given, path, index)
      else this.errors.add(path, `Expected a row object, not ${describeValue(given)}.`)
    }
  }

  private loadRow(given: GivenObject, path: string, index: number): void {
    const { table, errors } = this
    const type = this.typeOf(given, path)
    if (type === undefined) return
    const row = toRow(given, type, table.set, path, errors)
    this.setRowId(row, index)
    const key = this.checkedKey(row, given, path)
    if (key === undefined) return
    const first = this.indexes.get(key)
    if (first !== undefined) {
      errors.add(path, `${entityName(table.set, row)} already exists: row ${first} has the same key.`)
      return
    }
    this.indexes.set(key, index)
    table.put(key, row)
    this.loadMedia(given, type, key, `${path}.$media`)
    if (type.navigationProperties.some(({ name }) => (ownMember(given, name) ?? null) !== null)) {
      this.linked.push({ table, type, given, row, path })
    }
  }

  /** Sets a missing id of a row of an analytical set to its index. Clients do not see it: they receive ids of groups. */
  private setRowId(row: NewRow, index: number): void {
    const { groupId } = this
    if (groupId !== undefined && row[groupId.name] === null) row[groupId.name] = String(index)
  }

  private typeOf(given: GivenObject, path: string): EntityType | undefined {
    const name = ownMember(given, '$type') ?? this.table.set.entityType.qualifiedName
    const type = typeof name === 'string' ? this.types.get(name) : undefined
    if (type !== undefined && !type.abstract) return type
    const accepted = [...this.types.values()].filter(({ abstract }) => !abstract)
    const names = accepted.map(({ qualifiedName }) => `'${qualifiedName}'`).join(' or ')
    const reason = type === undefined ? 'not a type of this entity set' : 'an abstract type'
    this.errors.add(`${path}.$type`, `${describeValue(name)} is ${reason}. Expected ${names}.`)
    return undefined
  }

  private checkedKey(row: NewRow, given: GivenObject, path: string): string | undefined {
    let isComplete = true
    for (const { name } of this.table.set.entityType.key) {
      if (row[name] !== null && !Number.isNaN(row[name])) continue
      isComplete = false
      const value = ownMember(given, name) ?? null
      // Values of the wrong type have been reported.
      if (value !== null && !Number.isNaN(value)) continue
      const hint = value === null ? didYouMean(name, Object.keys(given)) : ''
      this.errors.add(`${path}.${name}`, `The key property must have a value.${hint}`)
    }
    return isComplete ? this.table.keyText(row) : undefined
  }

  private loadMedia(given: GivenObject, type: EntityType, key: string, path: string): void {
    const media = ownMember(given, '$media') ?? undefined
    if (media === undefined) return
    if (!type.hasStream) {
      this.errors.add(path, `'${type.qualifiedName}' is not a media link entry. Set hasStream in the model.`)
      return
    }
    const { contentType, bytes, fileName } = isRecord(media) ? media : {}
    if (typeof contentType !== 'string' || contentType === '' || !(bytes instanceof Uint8Array)) {
      this.errors.add(path, 'Expected { contentType: string, bytes: Uint8Array }.')
      return
    }
    const name = typeof fileName === 'string' ? fileName : undefined
    this.table.media.set(key, new StoredMedia(contentType, new Uint8Array(bytes), new Date(), name))
  }
}
