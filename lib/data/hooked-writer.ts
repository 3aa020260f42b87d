import type { EntitySet } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { typeOfRow } from '../evaluation/row.js'
import type { HooksBySet } from './check-hooks.js'
import { DerivedCall } from './derived-call.js'
import type { HookPlace } from './hook-values.js'
import { frozenCopy, hookFault, hookValues } from './hook-values.js'
import type { EntityHooks, HookCall } from '../provider/hooks.js'
import { keyOf } from './key-of.js'
import type { ProviderCall } from '../provider/provider-call.js'
import type { ProviderCalls } from './provider-calls.js'
import type { Completeness, NewValues } from '../evaluation/write-values.js'
import { completeInsert, completeReplacement } from '../evaluation/write-values.js'

/** An update of an entity. */
export interface EntityUpdate {
  readonly values: Row
  /** The entity in the version that it must still have; absent when any will do. */
  readonly version?: Row | undefined
  /** Whether every property is to have a value in the end, or only those that change. */
  readonly isReplacement?: boolean
}

/** Changes entities, and calls the hooks of their set before and after. Without hooks it only calls the provider. */
export class HookedWriter {
  private slug: string | undefined

  constructor(
    private readonly calls: ProviderCalls,
    private readonly hooks: HooksBySet | undefined,
  ) {}

  /** Inserts a media link entry whose hooks are given the name that the client would like. */
  async insertNamed(slug: string | undefined, insert: () => Promise<Row>): Promise<Row> {
    this.slug = slug
    try {
      return await insert()
    } finally {
      this.slug = undefined
    }
  }

  /** Whether values that are needed may still come from a hook. */
  completeness({ path }: EntitySet, hook: HookPlace['hook']): Completeness {
    return this.hooks?.get(path)?.[hook] === undefined ? 'complete' : 'given'
  }

  /**
   * What is to be added, as the hook of its set wants it.
   *
   * @param entity the values that are known; of a derived type with its name in `$type`
   * @param place of the entity in the body, for messages
   * @throws ODataError BadRequest when a value is needed that neither client nor hook have given
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
    completeInsert(type, values, place)
    return values
  }

  /** Whether anybody wants to know of what is inserted, or to have a say in it. */
  areInsertsHooked({ path }: EntitySet): boolean {
    const hooks = this.hooks?.get(path)
    return hooks?.beforeInsert !== undefined || hooks?.afterInsert !== undefined
  }

  /** @param otherwise gives what to add when there is an entity with that key already */
  insert(set: EntitySet, entity: Row, otherwise?: () => PromiseOrValue<Row>): PromiseOrValue<Row> {
    const hooks = this.hooks?.get(set.path)
    const inserted =
      otherwise === undefined ? this.calls.insert(set, entity) : this.insertEither(set, entity, otherwise)
    return hooks?.afterInsert === undefined ? inserted : this.afterInsert(set, hooks, inserted)
  }

  /**
   * An entity that its store makes together with its media resource: its hook can only speak when the store knows it.
   *
   * @param make is given what to ask before anybody can see the entity
   * @param permit asks whether the caller may make such an entity
   */
  async insertMedia(
    set: EntitySet,
    make: (ask: (row: Row) => Promise<void>) => Promise<Row>,
    permit: (row: Row) => Promise<void>,
  ): Promise<Row> {
    const hooks = this.hooks?.get(set.path)
    if (hooks === undefined) return make(permit)
    let values: NewValues | undefined
    const ask = async (row: Row): Promise<void> => {
      values = await this.valuesForMedia(set, hooks, row)
      await permit({ ...row, ...values })
    }
    const row = await make(ask)
    if (values === undefined) await ask(row)
    const inserted = this.setAfterwards(set, row, values)
    return this.afterInsert(set, hooks, inserted)
  }

  /** @returns the entity as it is stored */
  update(set: EntitySet, current: Row, update: EntityUpdate): Promise<Row> {
    const hooks = this.hooks?.get(set.path)
    return hooks?.beforeUpdate === undefined && hooks?.afterUpdate === undefined
      ? this.calls.update(set, keyOf(set, current), update.values, update.version)
      : this.hookedUpdate(set, hooks, current, update)
  }

  /** A change of the media resource of an entity, whose values stay unless a hook sets some. */
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

  delete(set: EntitySet, current: Row, version: Row | undefined): Promise<void> {
    const hooks = this.hooks?.get(set.path)
    return hooks?.beforeDelete === undefined && hooks?.afterDelete === undefined
      ? this.calls.delete(set, keyOf(set, current), version)
      : this.hookedDelete(set, hooks, current, version)
  }

  private async insertEither(
    set: EntitySet,
    entity: Row,
    otherwise: () => PromiseOrValue<Row>,
  ): Promise<Row> {
    try {
      return await this.calls.insert(set, entity)
    } catch (error) {
      if (!(error instanceof ODataError) || error.code !== 'Conflict') throw error
    }
    return this.calls.insert(set, await otherwise())
  }

  private async afterInsert(set: EntitySet, hooks: EntityHooks, inserted: PromiseOrValue<Row>): Promise<Row> {
    const row = await inserted
    await hooks.afterInsert?.(copyOf(set, row), this.callFor(set))
    return row
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
    if (isReplacement === true) completeReplacement(typeOfRow(current, set.entityType), values)
    const row = await this.calls.update(set, key, values, version)
    await hooks.afterUpdate?.(copyOf(set, row), previous, this.callFor(set))
    return row
  }

  private async hookedDelete(
    set: EntitySet,
    hooks: EntityHooks,
    current: Row,
    version: Row | undefined,
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

  /** What a store of media resources makes or replaces takes a second call to get other values. */
  private checkSettable(place: HookPlace, values: NewValues): void {
    if (Object.keys(values).length === 0 || this.calls.canUpdate(place.set)) return
    throw hookFault(
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

/** What a hook is told of the request. */
class CallOfHook extends DerivedCall implements HookCall {
  constructor(
    call: ProviderCall,
    readonly entitySet: string,
    readonly media: boolean,
    readonly slug: string | undefined,
  ) {
    super(call, call.changeSet)
  }
}
