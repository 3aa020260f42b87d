import type { NavigationProperty } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { EntitySetProvider, LinkChange, Provider, WriteCondition } from '../../provider/provider.js'
import { isRecord } from '../../util/is-record.js'
import { sendChange, sendInsert, sendRemoval } from './send-change.js'
import { queuedEntities } from './upstream-change-set.js'
import type { ChangeResult, UpstreamChange } from './upstream-change.js'
import { hasStatus } from './upstream-change.js'
import { badGateway, invalidContent } from './upstream-errors.js'
import { requiredPath } from './upstream-model.js'
import { readEntity } from './upstream-pages.js'
import type { UpstreamLink } from './upstream-protocol.js'
import type { UpstreamService } from './upstream-service.js'

type Changes = Required<Pick<EntitySetProvider, 'insert' | 'update' | 'delete' | 'autocommit'>> &
  Pick<EntitySetProvider, 'storeDefaults' | 'insertsRelated' | 'link' | 'unlink' | 'etag' | 'requiresIfMatch'>

/** The entities of a set in requests. */
interface ChangeSyntax {
  /** Returns the JSON of a new entity, or of changed values. @throws ODataError for values that the service does not have */
  bodyOf(values: Row): object
  /** Returns true if the service inserts the related entities of a deep insert. */
  insertsRelated(navigation: NavigationProperty): boolean
  storeDefaults(isReplacement?: boolean): ReadonlySet<string>
}

/** Changes the entities of an entity set of an upstream service. */
export class UpstreamWriter {
  private readonly hasEtag: boolean
  private readonly convert: (entity: unknown) => Row

  constructor(
    private readonly service: UpstreamService,
    /** Of the entity set in the V2 model. */
    private readonly path: string,
    private readonly syntax: ChangeSyntax,
  ) {
    this.hasEtag = service.model.hasEtag(path)
    this.convert = service.model.converterOf(path)
  }

  /** Returns the members of the provider that change entities. */
  changes(beginChangeSet: NonNullable<Provider['beginChangeSet']>): Changes {
    const { service, syntax } = this
    const insert = (entity: Row, call: ProviderCall): Promise<Row> => this.insert(entity, call)
    const update: Changes['update'] = (key, values, condition, call) =>
      this.update(key, values, condition, call)
    const remove = (key: Row, condition: WriteCondition, call: ProviderCall): Promise<boolean> =>
      this.delete(key, condition, call)
    return {
      etag: (row) => this.etagOf(row),
      // Many services send ETags that their metadata document does not announce.
      requiresIfMatch: this.hasEtag,
      storeDefaults: (isReplacement) => syntax.storeDefaults(isReplacement),
      insertsRelated: (navigation) => syntax.insertsRelated(navigation),
      insert,
      update,
      delete: remove,
      link: async (link, call) => {
        await sendChange(service, service.protocol.link(this.linkOf(link)), call)
      },
      unlink: (link, call) => sendRemoval(service, service.protocol.unlink(this.linkOf(link)), call),
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

  /** Returns the ETag in an entity. One that is not announced need not be valid, and is ignored then. */
  private etagOf(row: Row): string | undefined {
    try {
      return this.service.protocol.etagOfRow(row)
    } catch (error) {
      if (this.hasEtag) throw error
      return undefined
    }
  }

  private async insert(entity: Row, call: ProviderCall): Promise<Row> {
    const { service, path, syntax } = this
    const headers = service.protocol.preference(true)
    const changeOf = (values: Row): Pick<UpstreamChange, 'headers' | 'body'> => ({
      headers,
      body: syntax.bodyOf(values),
    })
    const result = await sendInsert(service, path, entity, service.model.setPath(path), changeOf, call)
    const link = result.headers.location ?? result.headers['odata-entityid']
    // The service may have changed the key. Its URLs have another host if it does not know the proxy in front of it.
    const isUsable = link !== undefined && service.client.hasLink(link)
    return this.storedEntity(result, isUsable ? link : (this.ownPath(entity) ?? link), call)
  }

  /** Returns the path of a new entity whose key the client has chosen. */
  private ownPath(entity: Row): string | undefined {
    const { model } = this.service
    const { key } = model.entityType(this.path)
    const isChosen = key.every(({ name }) => entity[name] !== undefined && entity[name] !== null)
    return isChosen ? model.entityPath(this.path, entity) : undefined
  }

  async update(
    key: Row,
    values: Row,
    condition: WriteCondition,
    call: ProviderCall,
  ): Promise<Row | undefined> {
    try {
      const result = await this.send(key, values, condition, true, call)
      return await this.storedEntity(result, requiredPath(this.service.model, this.path, key), call)
    } catch (error) {
      if (isMissing(error, condition)) return undefined
      throw error
    }
  }

  /** Updates an entity without reading it. @returns undefined to find out why it was not updated */
  private async merge(
    key: Row,
    values: Row,
    condition: WriteCondition,
    call: ProviderCall,
  ): Promise<Row | string | true | undefined> {
    try {
      const result = await this.send(key, values, condition, false, call)
      if (result.body !== undefined) return this.entityOf(result)
      return this.service.protocol.etagOf(result.headers.etag) ?? true
    } catch (error) {
      if (hasStatus(error, 404, 412)) return undefined
      throw error
    }
  }

  private send(
    key: Row,
    values: Row,
    condition: WriteCondition,
    isRepresentation: boolean,
    call: ProviderCall,
  ): Promise<ChangeResult> {
    const { service, path, syntax } = this
    const { updateMethod: method, updateInserts } = service.protocol
    const target = this.pathOf(key, call)
    queuedEntities(call)?.checkValues(path, values)
    const headers = {
      'if-match': this.ifMatch(condition, updateInserts || this.hasEtag),
      ...service.protocol.preference(isRepresentation),
    }
    return sendChange(service, { method, path: target, headers, body: syntax.bodyOf(values) }, call)
  }

  async delete(key: Row, condition: WriteCondition, call: ProviderCall): Promise<boolean> {
    const headers = { 'if-match': this.ifMatch(condition, this.hasEtag) }
    try {
      return await sendRemoval(
        this.service,
        { method: 'DELETE', path: this.pathOf(key, call), headers },
        call,
      )
    } catch (error) {
      if (isMissing(error, condition)) return false
      throw error
    }
  }

  private ifMatch({ ifMatch }: WriteCondition, isNeeded: boolean): string | undefined {
    return ifMatch ?? (isNeeded ? '*' : undefined)
  }

  /** Returns the path of an entity, or the reference to one that the change set inserts. */
  private pathOf(key: Row, call: ProviderCall): string {
    return queuedEntities(call)?.reference(this.path, key) ?? requiredPath(this.service.model, this.path, key)
  }

  private linkOf({ navigation, key, targetSet, targetKey, entitySet }: LinkChange): UpstreamLink {
    const { model, client } = this.service
    return {
      path: requiredPath(model, entitySet, key),
      name: model.navigationName(navigation) ?? navigation.name,
      isCollection: navigation.isCollection,
      root: client.root.href,
      target: requiredPath(model, targetSet, targetKey),
      targetKey: model.keyPredicate(targetSet, targetKey) ?? '',
    }
  }

  /** Returns the entity in the response to a change. */
  entityOf({ body }: ChangeResult): Row {
    const content = body && this.service.protocol.contentOf(body)
    if (!isRecord(content)) throw invalidContent(`did not return an entity of '${this.path}'.`)
    return this.convert(content)
  }

  /** Returns the entity of a response, or reads it. @param link its path or URL */
  private async storedEntity(
    result: ChangeResult,
    link: string | undefined,
    call: ProviderCall,
  ): Promise<Row> {
    const { service, path: set, convert } = this
    if (result.body !== undefined) return this.entityOf(result)
    if (link === undefined)
      throw invalidContent(`has created an entity of '${set}', but sent neither the entity nor its URL.`)
    const read = { set, path: service.client.relative(link), parts: [], convert, top: 1 }
    const row = await readEntity(service, read, call)
    if (row === undefined || row === null)
      throw badGateway(`The upstream service does not return a changed entity of '${set}'.`)
    return row
  }
}

/** Returns true if an entity does not exist: with `If-Match: *`, a service may respond with 412. */
function isMissing(error: unknown, { ifMatch }: WriteCondition): boolean {
  return hasStatus(error, 404) || (ifMatch === undefined && hasStatus(error, 412))
}
