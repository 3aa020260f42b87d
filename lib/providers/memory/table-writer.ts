import type { EntityType, ReferentialConstraint } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { entityName, missingPrincipal, neededBy, takenPrincipal } from '../../edm/relations.js'
import { ODataError } from '../../errors/odata-error.js'
import { keyText } from '../../evaluation/key-text.js'
import type { Row } from '../../evaluation/row.js'
import { typeOfRow } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import { raiseVersion } from '../../evaluation/next-version.js'
import type { LinkChange, WriteCondition } from '../../provider/provider.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import { DataFaults } from './data-faults.js'
import type { EntityTable } from './entity-table.js'
import { generateKey } from './generated-values.js'
import { oppositeOf } from './link-table.js'
import { requireLinks } from './mandatory-links.js'
import type { MemoryStore, Route } from './memory-store.js'
import type { NewRow, RowShape } from './row-shape.js'
import { entityShape } from './row-shape.js'

/** Changes the entities of one set, each change wholly or not at all. */
export class TableWriter {
  private readonly shapes = new Map<EntityType, RowShape>()

  constructor(
    private readonly store: MemoryStore,
    private readonly table: EntityTable,
  ) {}

  insert(entity: Row, call: ProviderCall): PromiseOrValue<Row> {
    return this.store.journal.change(call, () => {
      const { table } = this
      const type = typeOfRow(entity, table.set.entityType)
      const row = this.stored(entity, type)
      generateKey(row, table, this.store.foreignKeys)
      raiseVersion(row, undefined, type)
      const text = table.keyText(row) ?? ''
      if (table.find(text) !== undefined) throw conflict(`There already is ${entityName(table.set, row)}.`)
      this.checkForeignKeys(row)
      table.put(text, row)
      requireLinks(this.store, table, text)
      return row
    })
  }

  update(
    key: Row,
    values: Row,
    condition: WriteCondition,
    call: ProviderCall,
  ): PromiseOrValue<Row | undefined> {
    return this.store.journal.change(call, () => {
      const { table } = this
      const text = table.keyText(key)
      const before = table.find(text)
      if (text === undefined || before === undefined) return undefined
      const type = typeOfRow(before, table.set.entityType)
      checkVersion(before, type, condition)
      const row = this.stored({ ...before, ...values }, type)
      if (table.keyText(row) !== text)
        throw conflict(`The key of ${entityName(table.set, before)} cannot change.`)
      raiseVersion(row, before, type)
      this.checkForeignKeys(row, before)
      table.put(text, row)
      return row
    })
  }

  delete(key: Row, condition: WriteCondition, call: ProviderCall): PromiseOrValue<boolean> {
    return this.store.journal.change(call, () => {
      const row = this.table.find(this.table.keyText(key))
      if (row === undefined) return false
      checkVersion(row, typeOfRow(row, this.table.set.entityType), condition)
      this.remove(this.table, row)
      return true
    })
  }

  link({ entitySet, navigation, key, targetKey }: LinkChange, call: ProviderCall): PromiseOrValue<void> {
    return this.store.journal.change(call, () => {
      const route = this.store.route(entitySet, navigation)
      const links = this.store.linksOf(route)
      const { sourceEnd } = route
      const source = route.source.keyText(key) ?? ''
      const target = route.target.keyText(targetKey) ?? ''
      // Where only one entity can be linked, the new one takes the place of the old one, on either side.
      if (route.navigation.toEnd.multiplicity !== '*') {
        for (const other of [...links.linkedTo(sourceEnd, source)]) this.separate(route, source, other)
      }
      if (route.navigation.fromEnd.multiplicity !== '*') {
        for (const other of [...links.linkedTo(oppositeOf(sourceEnd), target)])
          this.separate(route, other, target)
      }
      links.link(sourceEnd === 0 ? [source, target] : [target, source])
    })
  }

  unlink({ entitySet, navigation, key, targetKey }: LinkChange, call: ProviderCall): PromiseOrValue<boolean> {
    return this.store.journal.change(call, () => {
      const route = this.store.route(entitySet, navigation)
      const source = route.source.keyText(key) ?? ''
      const target = route.target.keyText(targetKey) ?? ''
      return this.separate(route, source, target)
    })
  }

  /** @returns false when they were not linked */
  private separate(route: Route, source: string, target: string): boolean {
    const texts = route.sourceEnd === 0 ? ([source, target] as const) : ([target, source] as const)
    if (!this.store.linksOf(route).unlink(texts)) return false
    requireLinks(this.store, route.source, source)
    requireLinks(this.store, route.target, target)
    return true
  }

  /** Removes an entity together with its links, and what the model says goes with it. */
  private remove(table: EntityTable, row: Row): void {
    const text = table.keyText(row)
    if (text === undefined || table.find(text) === undefined) return
    table.remove(text)
    table.media.set(text, undefined)
    for (const foreignKey of this.store.foreignKeys) {
      if (foreignKey.principal !== table) continue
      for (const dependent of [...foreignKey.dependentsOf(row)]) {
        const { cascades, isOptional } = foreignKey.definition
        if (cascades) this.remove(foreignKey.dependent, dependent)
        else if (isOptional) this.clear(foreignKey.dependent, dependent, foreignKey.names)
        else throw neededBy(table.set, foreignKey.dependent.set)
      }
    }
    this.removeLinks(table, text)
  }

  private removeLinks(table: EntityTable, text: string): void {
    for (const links of this.store.linkTables) {
      const { association, tables } = links
      for (const end of [0, 1] as const) {
        if (tables[end] !== table) continue
        const other = tables[oppositeOf(end)]
        for (const partner of [...links.linkedTo(end, text)]) {
          links.unlink(end === 0 ? [text, partner] : [partner, text])
          const { multiplicity, onDelete } = association.ends[end]
          const partnerRow = other.find(partner)
          if (partnerRow === undefined) continue
          if (onDelete === 'Cascade') this.remove(other, partnerRow)
          else if (multiplicity === '1') throw neededBy(table.set, other.set)
        }
      }
    }
  }

  private clear(table: EntityTable, row: Row, names: readonly string[]): void {
    const text = table.keyText(row)
    if (text === undefined) return
    const type = typeOfRow(row, table.set.entityType)
    const cleared = { ...row, ...Object.fromEntries(names.map((name) => [name, null])) }
    raiseVersion(cleared, row, type)
    table.put(text, cleared)
  }

  private checkForeignKeys(row: Row, before?: Row): void {
    const { table } = this
    for (const foreignKey of this.store.foreignKeys) {
      if (foreignKey.dependent !== table) continue
      const text = foreignKey.textIn(row)
      if (text === undefined || (before !== undefined && foreignKey.textIn(before) === text)) continue
      const { names, constraint, isSingle } = foreignKey.definition
      // An entity may be its own principal.
      const isOwn = foreignKey.principal === table && foreignKey.textIn(row) === table.keyText(row)
      if (!isOwn && !this.hasPrincipal(constraint, text)) {
        throw missingPrincipal(names, foreignKey.principal.set)
      }
      if (isSingle && foreignKey.dependentsWith(text).length > 0) throw takenPrincipal(names, table.set)
    }
  }

  /** An association may have several sets. A dependent that they share has its principal in one of them. */
  private hasPrincipal(constraint: ReferentialConstraint, text: string): boolean {
    const { table, store } = this
    return store.foreignKeys.some(
      (one) => one.dependent === table && one.definition.constraint === constraint && one.hasPrincipal(text),
    )
  }

  private stored(given: Row, type: EntityType): NewRow {
    let shape = this.shapes.get(type)
    if (shape === undefined) {
      shape = entityShape(type)
      this.shapes.set(type, shape)
    }
    const faults = new DataFaults()
    const copy = shape.store(given, this.table.path, faults)
    faults.check()
    return type === this.table.set.entityType ? copy : { $type: type.qualifiedName, ...copy }
  }
}

function checkVersion(row: Row, { concurrencyTokens }: EntityType, { version }: WriteCondition): void {
  if (version === undefined) return
  const names = concurrencyTokens.map(({ name }) => name)
  const types = concurrencyTokens.map(({ type }) => type as PrimitiveTypeName)
  const isSame = names.every((name, index) => {
    const one = types.slice(index, index + 1)
    return keyText(row, [name], one) === keyText(version, [name], one)
  })
  if (!isSame) throw new ODataError('PreconditionFailed')
}

function conflict(message: string): ODataError {
  return new ODataError('Conflict', { message })
}
