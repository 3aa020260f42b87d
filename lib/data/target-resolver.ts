import type { EntitySet } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import type { CollectionSource, EntitySource, FunctionCall, KeyValues } from '../query/request-target.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { mapValue } from '../util/promise-or-value.js'
import type { AccessLimits } from './access-limits.js'
import type { Collection } from './collection.js'
import { CollectionReader, everything } from './collection-reader.js'
import { noHandler, returnedRows } from './function-results.js'
import { joinCondition } from './join.js'
import type { Authorized, Restrictions } from './permissions.js'
import type { ProviderCalls } from './provider-calls.js'
import type { Conditions } from './pushdown.js'
import { isEmpty, unconditional } from './pushdown.js'
import { collect, RelatedRows } from './related-rows.js'
import { meets } from './row-filter.js'

/** Finds what a resource path addresses, by keys, navigation properties and functions. */
export class TargetResolver {
  private ownRelated: RelatedRows | undefined
  private ownCollections: CollectionReader | undefined

  constructor(
    private readonly calls: ProviderCalls,
    private readonly limits: AccessLimits,
  ) {}

  /** Created on first access: most paths address an entity by its key. */
  get related(): RelatedRows {
    this.ownRelated ??= new RelatedRows(this.calls, this.limits)
    return this.ownRelated
  }

  get collections(): CollectionReader {
    this.ownCollections ??= new CollectionReader(this.calls, this.related, this.limits)
    return this.ownCollections
  }

  /**
   * Reads one entity.
   *
   * @param properties the properties that are needed; undefined for all
   * @returns null or undefined when no entity meets the conditions
   */
  row(
    source: EntitySource,
    { conditions, restrictions }: Authorized,
    properties: ReadonlySet<string> | undefined,
  ): PromiseOrValue<Row | null | undefined> {
    if (source.kind !== 'KeyedEntity') return this.rowBehind(source, conditions, restrictions)
    return source.collection.kind === 'EntitySet'
      ? this.rowByKey(source.set, source.key, conditions, properties)
      : this.rowAmong(source.collection, source.key, conditions, restrictions)
  }

  private async rowBehind(
    source: Exclude<EntitySource, { readonly kind: 'KeyedEntity' }>,
    conditions: Conditions,
    restrictions: Restrictions,
  ): Promise<Row | null | undefined> {
    const { set } = source
    switch (source.kind) {
      case 'RelatedEntity': {
        const over = { navigation: source.navigation, source: source.source.set, target: set }
        const row = await this.rowOnPath(source.source, restrictions)
        const query = { ...everything(set), ...conditions, limit: 1 }
        const [rows = []] = await this.related.read(over, [row], query)
        return rows[0]
      }
      case 'ReturnedEntity': {
        const row = await this.result(source.call)
        if (row === null || row === undefined) return undefined
        const [entity] = returnedRows([row], source.call.functionImport)
        const own = restrictions.of(source.call)
        const all = { ...conditions, restrictions: [...own, ...conditions.restrictions] }
        return entity !== undefined && (await this.meets(entity, all, set)) ? entity : undefined
      }
    }
  }

  /** @throws ODataError ResourceNotFound when there is no such entity, or none that the caller may see */
  private async rowOnPath(source: EntitySource, restrictions: Restrictions): Promise<Row> {
    const conditions = { restrictions: restrictions.of(source), filters: [] }
    return presentRow(await this.row(source, { conditions, restrictions }, undefined), source)
  }

  private rowByKey(
    set: EntitySet,
    key: KeyValues,
    conditions: Conditions,
    properties: ReadonlySet<string> | undefined,
  ): PromiseOrValue<Row | null | undefined> {
    if (!this.calls.canReadByKey(set)) return this.rowOfSet(set, key, conditions)
    const query = properties === undefined ? {} : { properties }
    const found = this.calls.readByKey(set, key, query)
    if (isEmpty(conditions)) return found
    return mapValue(found, (row) => {
      if (row === null || row === undefined) return row
      return mapValue(this.meets(row, conditions, set), (isMeant) => (isMeant ? row : undefined))
    })
  }

  private rowOfSet(set: EntitySet, key: KeyValues, conditions: Conditions): Promise<Row | undefined> {
    return this.rowWithKey({ set, ...unconditional }, key, conditions)
  }

  /** Looks for a key among entities that cannot be read by key, or of which only some are meant. */
  private async rowAmong(
    source: CollectionSource,
    key: KeyValues,
    conditions: Conditions,
    restrictions: Restrictions,
  ): Promise<Row | undefined> {
    return this.rowWithKey(await this.collection(source, restrictions), key, conditions)
  }

  private async rowWithKey(
    collection: Collection,
    key: KeyValues,
    conditions: Conditions,
  ): Promise<Row | undefined> {
    const { set } = collection
    const condition = joinCondition({ targetProperties: set.entityType.key, valuesOf: () => [] }, [key])
    // At most one entity has the key: the first that is found will do.
    const filters = condition === undefined ? conditions.filters : [condition, ...conditions.filters]
    const query = { ...everything(set), ...conditions, filters, orderBy: [], limit: 1 }
    const { rows } = await this.collections.read(collection, query)
    const [row] = await collect(rows)
    return row
  }

  /** Reads what is on the path to entities; functions are called here. */
  async collection(source: CollectionSource, restrictions: Restrictions): Promise<Collection> {
    const { set } = source
    switch (source.kind) {
      case 'EntitySet':
        return { set, ...unconditional }
      case 'RelatedEntities': {
        const over = { navigation: source.navigation, source: source.source.set, target: set }
        return this.related.collection(over, await this.rowOnPath(source.source, restrictions))
      }
      case 'ReturnedEntities': {
        const rows = returnedRows((await this.result(source.call)) ?? [], source.call.functionImport)
        return { set, rows, restrictions: restrictions.of(source.call), filters: [] }
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

/** @throws ODataError ResourceNotFound for an absent entity, with the same message whatever the reason */
export function presentRow(row: Row | null | undefined, source: EntitySource): Row {
  if (row === undefined || row === null) throw absentEntity(source)
  return row
}

export function absentEntity(source: EntitySource): ODataError {
  const message =
    source.kind === 'RelatedEntity'
      ? `There is no entity behind '${source.navigation.name}'.`
      : 'There is no entity with this key.'
  return new ODataError('ResourceNotFound', { message })
}
