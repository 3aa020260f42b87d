import { isFunction } from '../edm/edm-model.js'
import type { EntitySet } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { isRecord } from '../util/is-record.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { catchValue, mapValue } from '../util/promise-or-value.js'
import { typeOfRow } from '../evaluation/row.js'
import type { InsertCheck } from './insert-check.js'
import type { HooksBySet } from './check-hooks.js'
import type { ColumnRights } from './column-rights.js'
import type { HookPlace } from './hook-values.js'
import { frozenCopy, hookError, hookValues } from './hook-values.js'
import type { EntityHooks, HookCall } from '../provider/hooks.js'
import type { ProviderCall } from '../provider/provider-call.js'
import type { AutocommitMethod } from './can-write.js'
import type { EntityVersion, ProviderCalls } from './provider-calls.js'
import { ChangedCall } from '../provider/provider-call.js'
import { keyOf } from './provider-calls.js'
import type { Completeness, NewValues } from '../evaluation/write-values.js'
import { completeInsert, completeReplacement } from '../evaluation/write-values.js'

/** An update of an entity. */
interface EntityUpdate {
  readonly values: Row
  /** The version that the entity must still have. */
  readonly version?: EntityVersion
  /** True if the update sets every property, after hooks have added values. */
  readonly isReplacement?: boolean
}

/** Changes entities by calls of the provider, with calls of the hooks of their set before and after. */
export class HookedWriter {
  private slug: string | undefined

  /** True if errors must not name hidden columns. */
  readonly isConcealing: boolean

  constructor(
    private readonly calls: ProviderCalls,
    private readonly hooks: HooksBySet | undefined,
    private readonly columns?: ColumnRights,
  ) {
    this.isConcealing = columns !== undefined
  }

  /** Makes a change whose errors do not name hidden columns. */
  concealing<Result extends PromiseOrValue<unknown>>(change: () => Result): Result {
    const { columns } = this
    if (columns === undefined) return change()
    const conceal = (thrown: unknown): never => {
      throw columns.conceal(thrown)
    }
    // A promise remains a promise.
    return catchValue(change, conceal) as Result
  }

  /** Inserts a media link entry; its hooks get the `Slug` header of the request. */
  async withSlug(slug: string | undefined, insert: () => Promise<Row>): Promise<Row> {
    this.slug = slug
    try {
      return await insert()
    } finally {
      this.slug = undefined
    }
  }

  /** Returns true if a hook may still add required values. */
  completeness({ path }: EntitySet, hook: HookPlace['hook']): Completeness {
    return this.hooks?.get(path)?.[hook] === undefined ? 'complete' : 'given'
  }

  /**
   * Calls the hook `beforeInsert` and completes an entity with its values.
   *
   * @param place of the entity in the body, for messages
   * @throws ODataError BadRequest when neither client nor hook has set a required value
   */
  async beforeInsert(set: EntitySet, entity: Row, place = ''): Promise<Row> {
    const hooks = this.hooks?.get(set.path)
    if (hooks?.beforeInsert === undefined) return entity
    const type = typeOfRow(entity, set.entityType)
    const returned = await hooks.beforeInsert(frozenCopy(type, entity), this.callFor(set))
    const values: NewValues = {
      ...entity,
      ...hookValues(returned, { set, hook: 'beforeInsert', type }, entity),
    }
    completeInsert(type, values, place, await this.calls.storeDefaults(set))
    return values
  }

  hasHooks({ path }: EntitySet, method: AutocommitMethod): boolean {
    const hooks = this.hooks?.get(path)
    if (hooks === undefined) return false
    switch (method) {
      case 'insert':
        return hooks.beforeInsert !== undefined || hooks.afterInsert !== undefined
      case 'update':
        return hooks.beforeUpdate !== undefined || hooks.afterUpdate !== undefined
      case 'delete':
        return hooks.beforeDelete !== undefined || hooks.afterDelete !== undefined
    }
  }

  /**
   * @param createOther creates the entity to insert if another one has the key of the first
   * @param check called with the stored entity, before the hook
   */
  insert(
    set: EntitySet,
    entity: Row,
    createOther?: () => PromiseOrValue<Row>,
    check?: InsertCheck,
  ): PromiseOrValue<Row> {
    const hooks = this.hooks?.get(set.path)
    const inserted =
      createOther === undefined
        ? this.calls.insert(set, entity)
        : this.insertWithFallback(set, entity, createOther)
    const checked =
      check === undefined
        ? inserted
        : mapValue(inserted, async (row) => {
            await check(row)
            return row
          })
    return hooks?.afterInsert === undefined ? checked : this.afterInsert(set, hooks, checked)
  }

  /**
   * Inserts an entity that its store creates together with the media resource. The hook is called by the store, before
   * the entity is visible.
   *
   * @param insert calls its argument with the entity before it is visible
   * @param authorize throws when the caller may not insert the entity
   */
  async insertMedia(
    set: EntitySet,
    insert: (check: (row: Row) => Promise<void>) => Promise<Row>,
    authorize: (row: Row) => Promise<void>,
  ): Promise<Row> {
    const hooks = this.hooks?.get(set.path)
    if (hooks === undefined) return insert(authorize)
    let values: NewValues | undefined
    const check = async (row: Row): Promise<void> => {
      values = await this.valuesForMedia(set, hooks, row)
      await authorize({ ...row, ...values })
    }
    const row = await insert(check)
    if (values === undefined) await check(row)
    const inserted = this.setAfterwards(set, row, values)
    return this.afterInsert(set, hooks, inserted)
  }

  /** @returns the entity as it is stored */
  update(set: EntitySet, current: Row, update: EntityUpdate): Promise<Row> {
    const hooks = this.hooks?.get(set.path)
    const updating =
      hooks?.beforeUpdate === undefined && hooks?.afterUpdate === undefined
        ? this.calls.update(set, keyOf(set, current), update.values, update.version)
        : this.hookedUpdate(set, hooks, current, update)
    return this.isConcealing ? this.concealing(() => updating) : updating
  }

  /** Changes the media resource of an entity, and sets the values that a hook returns. */
  async updateMedia(set: EntitySet, current: Row, work: () => Promise<void>): Promise<void> {
    const hooks = this.hooks?.get(set.path)
    if (hooks?.beforeUpdate === undefined && hooks?.afterUpdate === undefined) return work()
    const previous = copyOf(set, current)
    const values = await this.valuesForUpdate(set, hooks, {}, previous, true)
    await work()
    const row = await this.setAfterwards(set, current, values)
    if (hooks.afterUpdate === undefined) return
    const isSame = row === current && this.calls.canReadByKey(set)
    const now = isSame ? await this.calls.readByKey(set, keyOf(set, current), {}) : row
    await hooks.afterUpdate(copyOf(set, now ?? row), previous, this.callFor(set, true))
  }

  delete(set: EntitySet, current: Row, version: EntityVersion): Promise<void> {
    const hooks = this.hooks?.get(set.path)
    const deleting =
      hooks?.beforeDelete === undefined && hooks?.afterDelete === undefined
        ? this.calls.delete(set, keyOf(set, current), version)
        : this.hookedDelete(set, hooks, current, version)
    return this.isConcealing ? this.concealing(() => deleting) : deleting
  }

  private async insertWithFallback(
    set: EntitySet,
    entity: Row,
    createOther: () => PromiseOrValue<Row>,
  ): Promise<Row> {
    try {
      return await this.calls.insert(set, entity)
    } catch (error) {
      if (!(error instanceof ODataError) || error.code !== 'Conflict') throw error
    }
    return this.calls.insert(set, await createOther())
  }

  private async afterInsert(set: EntitySet, hooks: EntityHooks, inserted: PromiseOrValue<Row>): Promise<Row> {
    const row = await inserted
    return withVirtual(row, set, await hooks.afterInsert?.(copyOf(set, row), this.callFor(set)))
  }

  private async hookedUpdate(
    set: EntitySet,
    hooks: EntityHooks,
    current: Row,
    { values: given, version, isReplacement }: EntityUpdate,
  ): Promise<Row> {
    const key = keyOf(set, current)
    const previous = copyOf(set, current)
    const values = { ...given, ...(await this.valuesForUpdate(set, hooks, given, previous, false)) }
    if (isReplacement === true) {
      const defaults = await this.calls.storeDefaults(set, true)
      completeReplacement(typeOfRow(current, set.entityType), values, defaults)
    }
    const row = await this.calls.update(set, key, values, version)
    return withVirtual(row, set, await hooks.afterUpdate?.(copyOf(set, row), previous, this.callFor(set)))
  }

  private async hookedDelete(
    set: EntitySet,
    hooks: EntityHooks,
    current: Row,
    version: EntityVersion,
  ): Promise<void> {
    const key = keyOf(set, current)
    const previous = copyOf(set, current)
    await hooks.beforeDelete?.(previous, this.callFor(set))
    await this.calls.delete(set, key, version)
    await hooks.afterDelete?.(previous, this.callFor(set))
  }

  private async valuesForUpdate(
    set: EntitySet,
    hooks: EntityHooks,
    changes: Row,
    current: Row,
    media: boolean,
  ): Promise<NewValues> {
    if (hooks.beforeUpdate === undefined) return {}
    const place: HookPlace = { set, hook: 'beforeUpdate', type: typeOfRow(current, set.entityType) }
    const returned = await hooks.beforeUpdate(
      frozenCopy(place.type, changes),
      current,
      this.callFor(set, media),
    )
    const values = hookValues(returned, place, { ...current, ...changes }, current)
    if (media) this.checkSettable(place, values)
    return values
  }

  private async valuesForMedia(set: EntitySet, hooks: EntityHooks, row: Row): Promise<NewValues> {
    if (hooks.beforeInsert === undefined) return {}
    const place: HookPlace = { set, hook: 'beforeInsert', type: typeOfRow(row, set.entityType) }
    const returned = await hooks.beforeInsert(copyOf(set, row), this.callFor(set))
    const values = hookValues(returned, place, row, row)
    this.checkSettable(place, values)
    return values
  }

  /** Checks that the provider can set values of a media link entry, which needs a second call. */
  private checkSettable(place: HookPlace, values: NewValues): void {
    if (Object.keys(values).length === 0 || this.calls.canUpdate(place.set)) return
    throw hookError(
      place,
      `returned values, but the provider of '${place.set.path}' has no method 'update' to set them`,
    )
  }

  private async setAfterwards(set: EntitySet, row: Row, values: NewValues | undefined): Promise<Row> {
    if (values === undefined || Object.keys(values).length === 0) return row
    return this.calls.update(set, keyOf(set, row), values, undefined)
  }

  private callFor({ path }: EntitySet, media = false): HookCall {
    return new CallOfHook(this.calls.call, path, media, this.slug)
  }
}

function copyOf({ entityType }: EntitySet, row: Row): Row {
  return frozenCopy(typeOfRow(row, entityType), row)
}

/** Returns a row with the values of virtual properties that a hook has returned. */
function withVirtual(row: Row, { entityType }: EntitySet, returned: unknown): Row {
  const { computedProperties } = entityType
  if (computedProperties.length === 0 || !isRecord(returned)) return row
  const virtual = computedProperties.filter(
    ({ computed = {}, name }) =>
      computed.expression === undefined && !isFunction(computed) && Object.hasOwn(returned, name),
  )
  return { ...row, ...Object.fromEntries(virtual.map(({ name }) => [name, returned[name]])) }
}

/** The call object of a hook. */
class CallOfHook extends ChangedCall implements HookCall {
  constructor(
    call: ProviderCall,
    readonly entitySet: string,
    readonly media: boolean,
    readonly slug: string | undefined,
  ) {
    super(call, {})
  }
}
