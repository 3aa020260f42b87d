import type { EntitySet } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import type { CollectionSource, EntitySource, FunctionCall, KeyValues } from '../query/request-target.js'
import type { MaybePromise } from '../util/maybe-promise.js'
import { whenThere } from '../util/maybe-promise.js'
import type { Permissions } from './authorization.js'
import type { Collection } from './collection.js'
import type { CollectionRows } from './collection-rows.js'
import { everything } from './collection-rows.js'
import { noHandler, returnedRows } from './function-results.js'
import { joinCondition } from './join.js'
import { functionOperation } from './operation-on.js'
import type { ProviderCalls } from './provider-calls.js'
import type { Conditions } from './pushdown.js'
import { isEmpty, unconditional } from './pushdown.js'
import type { RelatedRows } from './related-rows.js'
import { collect } from './related-rows.js'
import { meets } from './row-filter.js'

/** What the caller may see of the entities on the way to others. */
interface VisibleEntities {
  /** @throws ODataError ResourceNotFound when there is none, or none that the caller may see */
  entity(source: EntitySource): MaybePromise<Row>
}

/** Finds what a resource path addresses, by keys, navigation properties and functions. */
export class AddressedRows {
  constructor(
    private readonly calls: ProviderCalls,
    private readonly permissions: Permissions<unknown>,
    private readonly related: RelatedRows,
    private readonly collections: CollectionRows,
    private readonly visible: VisibleEntities,
  ) {}

  /**
   * One entity.
   *
   * @param properties what is needed of it; undefined for everything
   * @returns null or undefined when no entity meets the conditions
   */
  row(
    source: EntitySource,
    conditions: Conditions,
    properties: ReadonlySet<string> | undefined,
  ): MaybePromise<Row | null | undefined> {
    if (source.kind !== 'KeyedEntity') return this.rowBehind(source, conditions)
    return source.collection.kind === 'EntitySet'
      ? this.rowByKey(source.set, source.key, conditions, properties)
      : this.rowAmong(source.collection, source.key, conditions)
  }

  private async rowBehind(
    source: Exclude<EntitySource, { readonly kind: 'KeyedEntity' }>,
    conditions: Conditions,
  ): Promise<Row | null | undefined> {
    const { set } = source
    switch (source.kind) {
      case 'RelatedEntity': {
        const over = { navigation: source.navigation, source: source.source.set, target: set }
        const row = await this.visible.entity(source.source)
        const [rows = []] = await this.related.read(over, [row], {
          ...everything(set),
          ...conditions,
          limit: 1,
        })
        return rows[0]
      }
      case 'ReturnedEntity': {
        const own = await this.permissions.filters(functionOperation(source.call), set)
        const row = await this.result(source.call)
        if (row === null || row === undefined) return undefined
        const [entity] = returnedRows([row], source.call.functionImport)
        const all = { ...conditions, restrictions: [...own, ...conditions.restrictions] }
        return entity !== undefined && (await this.meets(entity, all, set)) ? entity : undefined
      }
    }
  }

  private rowByKey(
    set: EntitySet,
    key: KeyValues,
    conditions: Conditions,
    properties: ReadonlySet<string> | undefined,
  ): MaybePromise<Row | null | undefined> {
    if (!this.calls.canReadByKey(set)) return this.rowAmong({ kind: 'EntitySet', set }, key, conditions)
    const query = properties === undefined ? {} : { properties }
    const found = this.calls.readByKey(set, key, query)
    if (isEmpty(conditions)) return found
    return whenThere(found, (row) => {
      if (row === null || row === undefined) return row
      return whenThere(this.meets(row, conditions, set), (isMeant) => (isMeant ? row : undefined))
    })
  }

  /** Looks for a key among entities that cannot be read by key, or of which only some are meant. */
  private async rowAmong(
    source: CollectionSource,
    key: KeyValues,
    conditions: Conditions,
  ): Promise<Row | undefined> {
    const { set } = source
    const condition = joinCondition({ targetProperties: set.entityType.key, valuesOf: () => [] }, [key])
    // At most one entity has the key: the first that is found will do.
    const filters = condition === undefined ? conditions.filters : [condition, ...conditions.filters]
    const query = { ...everything(set), ...conditions, filters, orderBy: [], limit: 1 }
    const { rows } = await this.collections.read(await this.collection(source), query)
    const [row] = await collect(rows)
    return row
  }

  /** Reads what is on the way to entities; functions are called here. */
  async collection(source: CollectionSource): Promise<Collection> {
    const { set } = source
    switch (source.kind) {
      case 'EntitySet':
        return { set, ...unconditional }
      case 'RelatedEntities': {
        const over = { navigation: source.navigation, source: source.source.set, target: set }
        return this.related.collection(over, await this.visible.entity(source.source))
      }
      case 'ReturnedEntities': {
        const restrictions = await this.permissions.filters(functionOperation(source.call), set)
        const { functionImport } = source.call
        return {
          set,
          rows: returnedRows((await this.result(source.call)) ?? [], functionImport),
          restrictions,
          filters: [],
        }
      }
    }
  }

  /** What a function returns. */
  async result({ functionImport, parameters }: FunctionCall): Promise<unknown> {
    if (!this.calls.hasFunction(functionImport.path)) throw noHandler(functionImport)
    return await this.calls.callFunction(functionImport.path, parameters)
  }

  /** Whether an entity meets conditions of the application or the client. */
  meets(row: Row, conditions: Conditions, set: EntitySet): Promise<boolean> | boolean {
    return isEmpty(conditions) || meets(row, conditions, set.entityType, () => this.related.prefetch(set))
  }
}
