import type { RequestObservation } from '../diagnostics/request-observation.js'
import type { EntitySet } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import type { KeyValues } from '../query/request-target.js'
import type { BatchReader } from '../util/batch-reader.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { ChangeSet } from '../provider/change-set.js'
import type { MediaResource } from '../provider/media.js'
import type {
  AggregateQuery,
  CountQuery,
  KeyQuery,
  LinkChange,
  Provider,
  ReadQuery,
  RelatedQuery,
} from '../provider/provider.js'
import type { ProviderCall } from '../provider/provider-call.js'
import type { RunningChangeSet, Transact } from './provider-calls.js'
import { DerivedCall } from './derived-call.js'
import { ProviderCalls } from './provider-calls.js'

/** Calls of a provider that publish their duration to the subscribers of diagnostics. */
export class ObservedCalls extends ProviderCalls {
  constructor(
    provider: Provider,
    call: ProviderCall,
    private readonly observation: RequestObservation,
    changeSet?: RunningChangeSet,
    transact?: Transact,
  ) {
    super(provider, call, changeSet, transact)
  }

  override async openMedia(set: EntitySet, row: Row): Promise<MediaResource | undefined> {
    return this.one('media.open', set, () => super.openMedia(set, row))
  }

  override async read(set: EntitySet, query: ReadQuery, isPage?: boolean): Promise<BatchReader<Row>> {
    const calling = this.observation.calling('read', set.path)
    return calling.source<readonly Row[], BatchReader<Row>>(() => super.read(set, query, isPage), lengthOf)
  }

  override readByKey(
    set: EntitySet,
    key: KeyValues,
    query: KeyQuery,
    isShown?: boolean,
  ): PromiseOrValue<Row | undefined> {
    return this.one('readByKey', set, () => super.readByKey(set, key, query, isShown), countOf)
  }

  override async count(set: EntitySet, query: CountQuery): Promise<number> {
    return this.one('count', set, () => super.count(set, query))
  }

  override async aggregate(
    set: EntitySet,
    query: AggregateQuery,
  ): Promise<readonly Row[] | number | undefined> {
    return this.one('aggregate', set, () => super.aggregate(set, query))
  }

  override async readRelated(
    set: EntitySet,
    query: RelatedQuery,
    isPage?: boolean,
  ): Promise<readonly (readonly Row[])[]> {
    return this.one(
      'readRelated',
      set,
      () => super.readRelated(set, query, isPage),
      (related) => related.reduce((sum, { length }) => sum + length, 0),
    )
  }

  /** Counts as time of the provider, but has no event of its own: it precedes nearly every read. */
  override dataVersion(entitySets: readonly string[]): PromiseOrValue<string | number | undefined> {
    return this.observation.waitingFor(() => super.dataVersion(entitySets))
  }

  override insert(set: EntitySet, entity: Row): PromiseOrValue<Row> {
    return this.one('insert', set, () => super.insert(set, entity))
  }

  override autocommitInsert<T>(
    set: EntitySet,
    entity: Row,
    respond: (row: Row) => T,
  ): PromiseOrValue<T | undefined> {
    return this.one('insert', set, () => super.autocommitInsert(set, entity, respond))
  }

  override autocommitUpdate(
    set: EntitySet,
    key: Row,
    values: Row,
    version: Row | undefined,
  ): PromiseOrValue<Row | undefined> {
    return this.one('update', set, () => super.autocommitUpdate(set, key, values, version))
  }

  override autocommitDelete(set: EntitySet, key: Row, version: Row | undefined): PromiseOrValue<boolean> {
    return this.one('delete', set, () => super.autocommitDelete(set, key, version))
  }

  override async update(set: EntitySet, key: Row, values: Row, version: Row | undefined): Promise<Row> {
    return this.one('update', set, () => super.update(set, key, values, version))
  }

  override async delete(set: EntitySet, key: Row, version: Row | undefined): Promise<void> {
    return this.one('delete', set, () => super.delete(set, key, version))
  }

  override async link(set: EntitySet, link: LinkChange): Promise<void> {
    return this.one('link', set, () => super.link(set, link))
  }

  override async unlink(set: EntitySet, link: LinkChange): Promise<void> {
    return this.one('unlink', set, () => super.unlink(set, link))
  }

  override beginChangeSet(willQueue?: boolean): PromiseOrValue<ChangeSet | undefined> {
    return this.observation.calling('beginChangeSet', undefined).call(() => super.beginChangeSet(willQueue))
  }

  override detached(): ProviderCalls {
    return new ObservedCalls(this.provider, super.detached().call, this.observation, this.changeSet)
  }

  override within(changeSet: RunningChangeSet): ProviderCalls {
    const call = new DerivedCall(this.call, changeSet.provided)
    return new ObservedCalls(this.provider, call, this.observation, changeSet)
  }

  override callFunction(name: string, parameters: Readonly<Record<string, unknown>>): unknown {
    const calling = this.observation.calling('function', name)
    return calling.call(() => super.callFunction(name, parameters), countOf)
  }

  private one<T>(
    call: string,
    set: EntitySet,
    work: () => PromiseOrValue<T>,
    rowsOf?: (result: T) => number,
  ): PromiseOrValue<T> {
    return this.observation.calling(call, set.path).call(work, rowsOf)
  }
}

function lengthOf({ length }: readonly Row[]): number {
  return length
}

function countOf(result: unknown): number {
  if (Array.isArray(result)) return result.length
  return result === null || result === undefined ? 0 : 1
}
