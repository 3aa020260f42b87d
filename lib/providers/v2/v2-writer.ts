import type { EntitySet } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { EntitySetProvider, LinkChange, Provider, WriteCondition } from '../../provider/provider.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import { isRecord } from '../../util/is-record.js'
import { sendChange, sendInsert, sendRemoval } from '../upstream/send-change.js'
import { queuedEntities } from '../upstream/upstream-change-set.js'
import type { ChangeResult } from '../upstream/upstream-change.js'
import { hasStatus } from '../upstream/upstream-change.js'
import { invalidContent } from '../upstream/upstream-errors.js'
import { checkedTag } from '../upstream/upstream-etags.js'
import { readEntity } from '../upstream/upstream-pages.js'
import type { V2Service } from './v2-service.js'
import { toV2Entity } from './v2-values.js'

type Changes = Required<Pick<EntitySetProvider, 'insert' | 'update' | 'delete' | 'autocommit'>> &
  Pick<EntitySetProvider, 'storeDefaults' | 'insertsRelated' | 'link' | 'unlink' | 'etag'>

/** Changes the entities of an entity set of a V2 service. */
export class V2Writer {
  private readonly set: EntitySet
  private readonly hasEtag: boolean

  constructor(
    private readonly service: V2Service,
    private readonly path: string,
  ) {
    this.set = service.model.set(path)
    this.hasEtag = hasEtags(this.set)
  }

  /** Returns the members of the provider that change entities. */
  changes(beginChangeSet: NonNullable<Provider['beginChangeSet']>): Changes {
    const insert = (entity: Row, call: ProviderCall): Promise<Row> => this.insert(entity, call)
    const update: Changes['update'] = (key, values, condition, call) =>
      this.update(key, values, condition, call)
    const remove = (key: Row, condition: WriteCondition, call: ProviderCall): Promise<boolean> =>
      this.delete(key, condition, call)
    // The service decides which values are required.
    const defaults: ReadonlySet<string> = new Set(
      [this.set.entityType, ...this.set.entityType.derivedTypes].flatMap(({ properties }) =>
        properties.map(({ name }) => name),
      ),
    )
    return {
      ...(this.hasEtag ? { etag: etagOf } : {}),
      storeDefaults: () => defaults,
      insertsRelated: () => true,
      insert,
      update,
      delete: remove,
      link: (link, call) => this.link(link, call),
      unlink: (link, call) => this.unlink(link, call),
      autocommit: {
        replaces: { insert, update, delete: remove, beginChangeSet },
        insert: async (entity, respond, call) => {
          respond(await this.insert(entity, call))
          return true
        },
        update: (key, values, condition, call) => this.merge(key, values, condition, call),
        delete: remove,
      },
    }
  }

  private async insert(entity: Row, call: ProviderCall): Promise<Row> {
    const { service, path } = this
    const bodyOf = (values: Row): { readonly body: object } => ({ body: this.bodyOf(values) })
    return this.entityOf(await sendInsert(service, path, entity, service.model.setPath(path), bodyOf, call))
  }

  /** Returns the entity in the response to an insert. */
  entityOf({ body }: ChangeResult): Row {
    const content = body && this.service.protocol.contentOf(body)
    if (!isRecord(content)) throw invalidContent(`did not return an entity of '${this.path}'.`)
    return this.service.model.converters.of(this.set.entityType).convert(content)
  }

  async update(
    key: Row,
    values: Row,
    condition: WriteCondition,
    call: ProviderCall,
  ): Promise<Row | undefined> {
    try {
      await this.send(this.pathOf(key, call), values, condition, call)
    } catch (error) {
      if (hasStatus(error, 404)) return undefined
      throw error
    }
    const converter = this.service.model.converters.of(this.set.entityType)
    const convert = (entity: unknown): Row => converter.convert(entity)
    const path = this.service.model.entityPath(this.path, key)
    const read = { set: this.path, path, parts: [], convert, top: 1 }
    return (await readEntity(this.service, read, call)) ?? undefined
  }

  /** Updates an entity without reading it. @returns undefined if it does not exist, or has another version */
  private async merge(
    key: Row,
    values: Row,
    condition: WriteCondition,
    call: ProviderCall,
  ): Promise<string | true | undefined> {
    try {
      const { headers } = await this.send(this.pathOf(key, call), values, condition, call)
      return (this.hasEtag ? headers.etag : undefined) ?? true
    } catch (error) {
      if (hasStatus(error, 404, 412)) return undefined
      throw error
    }
  }

  private send(
    path: string,
    values: Row,
    condition: WriteCondition,
    call: ProviderCall,
  ): Promise<ChangeResult> {
    queuedEntities(call)?.checkValues(this.path, values)
    const headers = this.condition(condition)
    return sendChange(this.service, { method: 'MERGE', path, headers, body: this.bodyOf(values) }, call)
  }

  /** Returns the path of an entity, or the reference to one that the change set inserts. */
  private pathOf(key: Row, call: ProviderCall): string {
    return queuedEntities(call)?.reference(this.path, key) ?? this.service.model.entityPath(this.path, key)
  }

  private condition({ ifMatch }: WriteCondition): { readonly 'if-match': string | undefined } {
    return { 'if-match': ifMatch ?? (this.hasEtag ? '*' : undefined) }
  }

  async delete(key: Row, condition: WriteCondition, call: ProviderCall): Promise<boolean> {
    const path = this.pathOf(key, call)
    return sendRemoval(this.service, { method: 'DELETE', path, headers: this.condition(condition) }, call)
  }

  private async link(
    { navigation, key, targetSet, targetKey, entitySet }: LinkChange,
    call: ProviderCall,
  ): Promise<void> {
    const { model } = this.service
    const body = { uri: this.service.client.root.href + model.entityPath(targetSet, targetKey) }
    const path = `${model.entityPath(entitySet, key)}/$links/${percentEncode(navigation.name)}`
    await sendChange(this.service, { method: navigation.isCollection ? 'POST' : 'PUT', path, body }, call)
  }

  private async unlink(
    { navigation, key, targetSet, targetKey, entitySet }: LinkChange,
    call: ProviderCall,
  ): Promise<boolean> {
    const { model } = this.service
    const target = navigation.isCollection ? model.keyPredicate(targetSet, targetKey) : ''
    const path = `${model.entityPath(entitySet, key)}/$links/${percentEncode(navigation.name)}${target}`
    return sendRemoval(this.service, { method: 'DELETE', path }, call)
  }

  private bodyOf(values: Row): object {
    return toV2Entity(values, this.set.entityType)
  }
}

/** Returns true if entities of a set have ETags. */
export function hasEtags({ entityType }: EntitySet): boolean {
  return [entityType, ...entityType.derivedTypes].some(
    ({ concurrencyTokens }) => concurrencyTokens.length > 0,
  )
}

function etagOf({ __metadata }: Row): string | undefined {
  const etag = isRecord(__metadata) ? __metadata.etag : undefined
  return typeof etag === 'string' && etag !== '' ? checkedTag(etag) : undefined
}
