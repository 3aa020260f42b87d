import { randomUUID } from 'node:crypto'
import type { EntityType, ReferentialConstraint } from '../../edm/edm-model.js'
import { integerMaxima } from '../../edm/primitive-types/integer.js'
import { entityName, missingLink, missingPrincipal, neededBy, takenPrincipal } from '../../edm/relations.js'
import { ODataError } from '../../errors/odata-error.js'
import { keyShape, keyText } from '../../evaluation/key-text.js'
import { raiseVersion } from '../../evaluation/next-version.js'
import type { Row } from '../../evaluation/row.js'
import { typeOfRow } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { LinkChange, WriteCondition } from '../../provider/provider.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import type { EntityTable } from './entity-table.js'
import type { MemoryStore, Route } from './memory-store.js'
import type { LinkEnd, LinkTable, TableForeignKey } from './relation.js'
import { oppositeOf } from './relation.js'
import type { NewRow } from './row-shape.js'
import { DataErrors, toRow } from './row-shape.js'

/** Changes the entities of one set and their links. Each change is atomic. */
export class MemoryTableWriter {
  private readonly foreignKeys: readonly TableForeignKey[]
  private readonly links: readonly LinkTable[]

  constructor(
    private readonly store: MemoryStore,
    private readonly table: EntityTable,
  ) {
    this.foreignKeys = store.foreignKeysOf(table)
    this.links = store.linksFrom(table)
  }

  /** @param onInsert called with the entity as it is stored, before the commit */
  insert(entity: Row, call: ProviderCall, onInsert?: (row: Row) => void): PromiseOrValue<Row> {
    return this.store.undoLog.change(call, () => {
      const { table } = this
      const type = typeOfRow(entity, table.set.entityType)
      const row = this.newRow(entity, type)
      generateKey(row, table, this.foreignKeys)
      raiseVersion(row, undefined, type)
      const key = table.keyText(row) ?? ''
      if (table.find(key) !== undefined) throw conflict(`${entityName(table.set, row)} already exists.`)
      this.checkForeignKeys(row)
      table.put(key, row)
      this.requireLinks(this.links, table, key)
      onInsert?.(row)
      return row
    })
  }

  update(
    keyValues: Row,
    values: Row,
    condition: WriteCondition,
    call: ProviderCall,
  ): PromiseOrValue<Row | undefined> {
    return this.store.undoLog.change(call, () => {
      const { table } = this
      const key = table.keyText(keyValues)
      const before = table.find(key)
      if (key === undefined || before === undefined) return undefined
      const type = typeOfRow(before, table.set.entityType)
      checkVersion(before, type, condition)
      const row = this.newRow({ ...before, ...values }, type)
      if (table.keyText(row) !== key) {
        throw conflict(`The key of ${entityName(table.set, before)} cannot change.`)
      }
      raiseVersion(row, before, type)
      this.checkForeignKeys(row, before)
      table.put(key, row)
      return row
    })
  }

  delete(key: Row, condition: WriteCondition, call: ProviderCall): PromiseOrValue<boolean> {
    return this.store.undoLog.change(call, () => {
      const row = this.table.find(this.table.keyText(key))
      if (row === undefined) return false
      checkVersion(row, typeOfRow(row, this.table.set.entityType), condition)
      this.remove(this.table, row)
      return true
    })
  }

  link(change: LinkChange, call: ProviderCall): PromiseOrValue<void> {
    return this.store.undoLog.change(call, () => {
      const { route, source, target } = this.endsOf(change)
      const { navigation, sourceEnd } = route
      const links = this.store.linksOf(route)
      // If an end can have only one entity, the new link replaces the existing link.
      if (navigation.toEnd.multiplicity !== '*') {
        for (const other of [...links.linkedTo(sourceEnd, source)]) this.separate(route, source, other)
      }
      if (navigation.fromEnd.multiplicity !== '*') {
        for (const other of [...links.linkedTo(oppositeOf(sourceEnd), target)])
          this.separate(route, other, target)
      }
      links.link(sourceEnd, source, target)
    })
  }

  unlink(change: LinkChange, call: ProviderCall): PromiseOrValue<boolean> {
    return this.store.undoLog.change(call, () => {
      const { route, source, target } = this.endsOf(change)
      return this.separate(route, source, target)
    })
  }

  private endsOf({ entitySet, navigation, key, targetKey }: LinkChange): {
    readonly route: Route
    readonly source: string
    readonly target: string
  } {
    const route = this.store.route(entitySet, navigation)
    const source = route.source.keyText(key) ?? ''
    return { route, source, target: route.target.keyText(targetKey) ?? '' }
  }

  /** @returns false if the entities were not linked */
  private separate(route: Route, source: string, target: string): boolean {
    if (!this.store.linksOf(route).unlink(route.sourceEnd, source, target)) return false
    this.requireLinks(this.store.linksFrom(route.source), route.source, source)
    this.requireLinks(this.store.linksFrom(route.target), route.target, target)
    return true
  }

  /** Removes an entity with its links, and deletes or updates its dependents. */
  private remove(table: EntityTable, row: Row): void {
    const key = table.keyText(row)
    if (key === undefined || table.find(key) === undefined) return
    table.remove(key)
    table.media.set(key, undefined)
    for (const foreignKey of this.store.foreignKeysOf(table)) {
      if (foreignKey.principal !== table) continue
      const { definition, dependent: other, names } = foreignKey
      for (const dependent of [...foreignKey.dependentsOf(row)]) {
        if (definition.cascades) this.remove(other, dependent)
        else if (definition.isOptional) this.setToNull(other, dependent, names)
        else if (!definition.constraint.isInferred) throw neededBy(table.set, other.set)
      }
    }
    this.removeLinks(table, key)
  }

  private removeLinks(table: EntityTable, key: string): void {
    for (const links of this.store.linksFrom(table)) {
      for (const end of [0, 1] as const) {
        if (links.tables[end] !== table) continue
        const { multiplicity, onDelete } = links.association.ends[end]
        const other = links.tables[oppositeOf(end)]
        for (const partner of [...links.linkedTo(end, key)]) {
          links.unlink(end, key, partner)
          const partnerRow = other.find(partner)
          if (partnerRow === undefined) continue
          if (onDelete === 'Cascade') this.remove(other, partnerRow)
          else if (multiplicity === '1') throw neededBy(table.set, other.set)
        }
      }
    }
  }

  private setToNull(table: EntityTable, row: Row, names: readonly string[]): void {
    const updated = { ...row, ...Object.fromEntries(names.map((name) => [name, null])) }
    raiseVersion(updated, row, typeOfRow(row, table.set.entityType))
    table.put(table.keyText(row) ?? '', updated)
  }

  /** @param before the row before an update, whose unchanged foreign keys are not checked */
  private checkForeignKeys(row: Row, before?: Row): void {
    const { table } = this
    for (const { definition, dependent, dependents, principal } of this.foreignKeys) {
      if (dependent !== table || definition.constraint.isInferred) continue
      const text = dependents.textOf(row)
      if (text === undefined || (before !== undefined && dependents.textOf(before) === text)) continue
      // An entity can be its own principal.
      const isOwn = principal === table && text === table.keyText(row)
      if (!isOwn && !this.hasPrincipal(definition.constraint, text)) {
        throw missingPrincipal(definition.names, principal.set)
      }
      if (definition.isSingle && dependents.find(text).length > 0) {
        throw takenPrincipal(definition.names, table.set)
      }
    }
  }

  /** Looks in all sets of the association: a set of dependents can have principals in several sets. */
  private hasPrincipal(constraint: ReferentialConstraint, text: string): boolean {
    return this.foreignKeys.some(
      (one) =>
        one.dependent === this.table && one.definition.constraint === constraint && one.hasPrincipal(text),
    )
  }

  /**
   * Checks at commit that an entity has its mandatory links. Called only for new entities and those that lost a link,
   * since initial data may lack links.
   *
   * @spec MC-CSDL 2.1.9 (multiplicity)
   */
  private requireLinks(tables: readonly LinkTable[], table: EntityTable, key: string): void {
    for (const links of tables) {
      for (const end of [0, 1] as const) {
        const { association } = links
        if (links.tables[end] !== table || association.ends[oppositeOf(end)].multiplicity !== '1') continue
        this.store.undoLog.defer(`${association.qualifiedName}/${end}/${table.path}/${key}`, () => {
          this.checkLink(links, end, key)
        })
      }
    }
  }

  private checkLink({ association, tables }: LinkTable, end: LinkEnd, key: string): void {
    const table = tables[end]
    const row = table.find(key)
    if (row === undefined) return
    // The link can lead to any of the sets of the association.
    const isLinked = this.store
      .linksFrom(table)
      .some(
        (one) =>
          one.association === association && one.tables[end] === table && one.linkedTo(end, key).size > 0,
      )
    if (isLinked) return
    const type = typeOfRow(row, table.set.entityType)
    const error = missingLink(table.set, type, association.ends[end], association.ends[oppositeOf(end)])
    if (error !== undefined) throw error
  }

  private newRow(given: Row, type: EntityType): NewRow {
    const errors = new DataErrors()
    const row = toRow(given, type, this.table.set, this.table.path, errors)
    errors.check()
    return row
  }
}

function checkVersion(row: Row, { concurrencyTokens }: EntityType, { version }: WriteCondition): void {
  if (version === undefined) return
  for (const token of concurrencyTokens) {
    const { names, types } = keyShape([token])
    if (keyText(row, names, types) !== keyText(version, names, types)) {
      throw new ODataError('PreconditionFailed')
    }
  }
}

function conflict(message: string): ODataError {
  return new ODataError('Conflict', { message })
}

/**
 * Generates the missing key properties of a new entity: the next integer, or a random Guid.
 *
 * @throws ODataError BadRequest for a key property that cannot be generated
 */
function generateKey(row: NewRow, table: EntityTable, foreignKeys: readonly TableForeignKey[]): void {
  for (const { name, type } of table.set.entityType.key) {
    if (row[name] !== null && row[name] !== undefined) continue
    const max = integerMaxima.get(type)
    const refersTo = ({ dependent, names, definition }: TableForeignKey): boolean =>
      dependent === table && names.includes(name) && definition.constraint.isInferred !== true
    if (foreignKeys.some(refersTo)) {
      throw missingValue(name, 'refers to another entity')
    } else if (type === 'Edm.Guid') {
      row[name] = randomUUID()
    } else if (max !== undefined) {
      row[name] = nextInteger(name, type === 'Edm.Int64' ? max : Number(max), table)
    } else {
      throw missingValue(name, 'cannot be generated')
    }
  }
}

function missingValue(name: string, reason: string): ODataError {
  return new ODataError('BadRequest', {
    message: `Property '${name}': a value is required, because it is part of the key and ${reason}.`,
  })
}

/** Returns a number that no entity has had as its key, deleted entities included. */
function nextInteger(name: string, max: bigint | number, { largestKeys }: EntityTable): bigint | number {
  const largest = largestKeys.get(name) ?? 0
  if (largest >= max) {
    throw new ODataError('Conflict', {
      message: `Property '${name}': all numbers for generated keys are taken. Send a key that does not exist.`,
    })
  }
  return typeof max === 'bigint' ? BigInt(largest) + 1n : Number(largest) + 1
}
