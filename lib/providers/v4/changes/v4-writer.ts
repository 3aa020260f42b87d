import { ODataError } from '../../../errors/odata-error.js'
import type { Row } from '../../../evaluation/row.js'
import { setMember } from '../../../evaluation/row.js'
import type { ProviderCall } from '../../../provider/provider-call.js'
import type { EntitySetProvider, LinkChange, Provider, WriteCondition } from '../../../provider/provider.js'
import type { V4SetMapping, V4TypeMapping } from '../../../csdl/v4/v4-mapping.js'
import { badGateway } from '../../upstream/upstream-errors.js'
import { etagOf, etagOfRow } from '../../upstream/upstream-etags.js'
import { readEntity } from '../../upstream/upstream-pages.js'
import { required } from '../../../util/required.js'
import type { V4Model } from '../v4-model.js'
import { toV4Object } from '../v4-rows.js'
import type { V4Service } from '../v4-service.js'
import type { ChangeResult } from '../../upstream/upstream-change.js'
import { sendChange, sendInsert, sendRemoval } from '../../upstream/send-change.js'
import { hasStatus } from '../../upstream/upstream-change.js'
import { queuedEntities } from '../../upstream/upstream-change-set.js'

type Changes = Required<Pick<EntitySetProvider, 'insert' | 'update' | 'delete' | 'autocommit'>> &
  Pick<EntitySetProvider, 'insertsRelated' | 'storeDefaults' | 'link' | 'unlink' | 'etag'>

const REPRESENTATION = 'return=representation'
const MINIMAL = 'return=minimal'

/** Changes the entities of an entity set of a V4 service. */
export class V4Writer {
  private readonly mapping: V4SetMapping
  private readonly convert: (entity: unknown) => Row

  constructor(
    private readonly service: V4Service,
    /** Of the entity set in the V2 model. */
    private readonly path: string,
  ) {
    this.mapping = service.model.set(path)
    const converter = service.model.converters.of(this.mapping.type)
    this.convert = (entity) => converter.convert(entity)
  }

  /** Returns the members of the provider that change entities. */
  changes(beginChangeSet: NonNullable<Provider['beginChangeSet']>): Changes {
    const insert = (entity: Row, call: ProviderCall): Promise<Row> => this.insert(entity, call)
    const update = (
      key: Row,
      values: Row,
      condition: WriteCondition,
      call: ProviderCall,
    ): Promise<Row | undefined> => this.update(key, values, condition, call)
    const remove = (key: Row, condition: WriteCondition, call: ProviderCall): Promise<boolean> =>
      this.delete(key, condition, call)
    const properties = [...this.mapping.type.properties]
    // The service decides which values are required.
    const all: ReadonlySet<string> = new Set(this.mapping.type.properties.keys())
    const needed: ReadonlySet<string> = new Set(
      properties.flatMap(([name, { nullable }]) => (nullable ? [] : [name])),
    )
    return {
      ...(this.mapping.hasEtag ? { etag: etagOfRow } : {}),
      storeDefaults: (isReplacement) => (isReplacement === true ? needed : all),
      // Services may ignore entities that are nested under other associations.
      insertsRelated: ({ name, fromEnd }) =>
        this.mapping.type.navigations.has(name) &&
        (fromEnd.onDelete === 'Cascade' || this.mapping.contained.has(name)),
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
        update: (key, values, condition, call) => this.patch(key, values, condition, call),
        delete: (key, condition, call) => this.delete(key, condition, call),
      },
    }
  }

  private async insert(entity: Row, call: ProviderCall): Promise<Row> {
    const result = await sendInsert(
      this.service,
      this.path,
      entity,
      encodeURIComponent(this.mapping.name),
      (values) => ({ headers: { prefer: REPRESENTATION }, body: this.bodyOf(values) }),
      call,
    )
    return this.storedEntity(result, result.headers.location ?? result.headers['odata-entityid'], call)
  }

  private async update(
    key: Row,
    values: Row,
    condition: WriteCondition,
    call: ProviderCall,
  ): Promise<Row | undefined> {
    const path = this.pathOf(key, call)
    try {
      const result = await this.sendPatch(path, values, condition, REPRESENTATION, call)
      return await this.storedEntity(result, this.service.model.requiredPath(this.path, key), call)
    } catch (error) {
      if (isMissing(error, condition)) return undefined
      throw error
    }
  }

  /** Updates an entity without reading it. @returns undefined to find out why it was not updated */
  private async patch(
    key: Row,
    values: Row,
    condition: WriteCondition,
    call: ProviderCall,
  ): Promise<Row | string | true | undefined> {
    const path = this.pathOf(key, call)
    try {
      const { body, headers } = await this.sendPatch(path, values, condition, MINIMAL, call)
      if (body !== undefined) return this.convert(body)
      return (this.mapping.hasEtag ? etagOf(headers.etag) : undefined) ?? true
    } catch (error) {
      if (hasStatus(error, 404, 412)) return undefined
      throw error
    }
  }

  private sendPatch(
    path: string,
    values: Row,
    { ifMatch = '*' }: WriteCondition,
    prefer: string,
    call: ProviderCall,
  ): Promise<ChangeResult> {
    queuedEntities(call)?.checkValues(this.path, values)
    // Without If-Match, PATCH inserts an entity that does not exist.
    const headers = { 'if-match': ifMatch, prefer }
    return sendChange(this.service, { method: 'PATCH', path, headers, body: this.bodyOf(values) }, call)
  }

  private async delete(key: Row, condition: WriteCondition, call: ProviderCall): Promise<boolean> {
    const path = this.pathOf(key, call)
    const headers = { 'if-match': condition.ifMatch ?? (this.mapping.hasEtag ? '*' : undefined) }
    try {
      await sendChange(this.service, { method: 'DELETE', path, headers }, call)
      return true
    } catch (error) {
      if (hasStatus(error, 404) || isMissing(error, condition)) return false
      throw error
    }
  }

  private async link(
    { entitySet, targetSet, navigation, key, targetKey }: LinkChange,
    call: ProviderCall,
  ): Promise<void> {
    const { model } = this.service
    const path = model.requiredPath(entitySet, key)
    const target = model.requiredPath(targetSet, targetKey)
    const name = this.navigationName(navigation.name)
    if (navigation.isCollection) {
      const body = { '@odata.id': `${this.service.client.root.href}${target}` }
      await sendChange(
        this.service,
        { method: 'POST', path: `${path}/${encodeURIComponent(name)}/$ref`, body },
        call,
      )
      return
    }
    const headers = { 'if-match': '*', prefer: MINIMAL }
    const body = { [`${name}@odata.bind`]: target }
    await sendChange(this.service, { method: 'PATCH', path, headers, body }, call)
  }

  private async unlink(
    { entitySet, targetSet, navigation, key, targetKey }: LinkChange,
    call: ProviderCall,
  ): Promise<boolean> {
    const { model } = this.service
    const reference = `${model.requiredPath(entitySet, key)}/${encodeURIComponent(this.navigationName(navigation.name))}/$ref`
    const target = `${this.service.client.root.href}${model.requiredPath(targetSet, targetKey)}`
    const path = navigation.isCollection ? `${reference}?$id=${encodeURIComponent(target)}` : reference
    return sendRemoval(this.service, { method: 'DELETE', path }, call)
  }

  /** Returns the path of an entity, or the reference to one that the change set inserts. */
  private pathOf(key: Row, call: ProviderCall): string {
    return queuedEntities(call)?.reference(this.path, key) ?? this.service.model.requiredPath(this.path, key)
  }

  private navigationName(name: string): string {
    return this.mapping.type.navigations.get(name) ?? name
  }

  private bodyOf(values: Row): object {
    return bodyOf(values, this.mapping.type, this.service.model)
  }

  /** Returns the entity of a response, or reads it. @param link its path or URL */
  private async storedEntity(
    { body }: ChangeResult,
    link: string | undefined,
    call: ProviderCall,
  ): Promise<Row> {
    if (body !== undefined) return this.convert(body)
    if (link === undefined) throw badGateway(`The V4 service did not return an entity of '${this.path}'.`)
    const read = {
      set: this.path,
      path: this.service.client.relative(link),
      parts: [],
      convert: this.convert,
      top: 1,
    }
    const row = await readEntity(this.service, read, call)
    if (row === undefined || row === null)
      throw badGateway(`The V4 service does not return a changed entity of '${this.path}'.`)
    return row
  }
}

/** Converts an entity with the entities that it contains. */
function bodyOf(values: Row, declared: V4TypeMapping, model: V4Model): object {
  const { $type, ...others } = values
  const type = typeof $type === 'string' ? model.type($type) : declared
  const body = toV4Object(others, type)
  for (const [name, value] of Object.entries(body)) {
    if (value !== undefined) continue
    throw new ODataError('BadRequest', {
      message: `'${name}': the upstream service has no such values, for example a date with a time.`,
    })
  }
  for (const [name, v4Name] of type.navigations) {
    const rows = others[name]
    if (!Array.isArray(rows)) continue
    const navigation = required(model.model.entityTypes.get(type.v2Name)?.navigationProperty(name))
    const target = model.type(navigation.targetType.qualifiedName)
    const nested = (rows as readonly Row[]).map((row) => bodyOf(row, target, model))
    setMember(body, v4Name, navigation.isCollection ? nested : nested[0])
  }
  return type === declared ? body : { '@odata.type': `#${type.name}`, ...body }
}

/** Returns true if an entity does not exist: with `If-Match: *`, a service may respond with 412. */
function isMissing(error: unknown, { ifMatch }: WriteCondition): boolean {
  return hasStatus(error, 404) || (ifMatch === undefined && hasStatus(error, 412))
}
