import type { EdmModel, EntitySet } from '../edm/edm-model.js'
import { formatSeconds } from '../edm/instant.js'
import type { SapRestrictions } from '../edm/sap-annotations.js'
import type { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import type { WriteContext } from '../formats/format.js'
import type { Negotiated, OfferedKind } from '../formats/negotiate.js'
import { negotiate } from '../formats/negotiate.js'
import type { EntityChange } from '../data/entity-change.js'
import type { DataServiceVersion } from '../http/data-service-version.js'
import type { MethodTable } from '../http/method-router.js'
import type { ODataRequest } from '../http/odata-request.js'
import type { ODataResponse } from '../http/odata-response.js'
import { commonHeaders, headersOfType, revalidation } from '../http/response-headers.js'
import type { Settings } from '../options.js'
import type { ChangeSet } from '../provider/change-set.js'
import type { DataAccess } from '../data/data-access.js'
import type { EntityWriter } from '../data/entity-writer.js'
import type { EntityQuery } from '../query/entity-query.js'
import type { RequestTarget, ResourceKind } from '../query/request-target.js'
import type { QueryOptions } from '../uri/parse-query-options.js'
import type { MaybePromise } from '../util/maybe-promise.js'
import type { DataDoor, RequestScope } from './data-door.js'

/** What stands still while a service runs. */
export interface ServiceDocuments {
  readonly model: EdmModel
  readonly settings: Settings
  /** What annotations forbid to clients; undefined when there are none, or they are to be ignored. */
  readonly sapRestrictions: SapRestrictions | undefined
  /** The metadata document in UTF-8; serialized on the first call. */
  readonly metadata: () => MetadataDocument
  /** When the model was loaded. */
  readonly loaded: Date
}

export interface MetadataDocument {
  readonly bytes: Uint8Array
  /** The same after a restart with the same model. */
  readonly etag: string
}

/** Everything that the handlers of resources work with: one for each request. */
export class ResourceContext {
  constructor(
    readonly service: ServiceDocuments,
    readonly request: ODataRequest,
    readonly version: DataServiceVersion,
    readonly queryOptions: QueryOptions,
    private readonly boundQuery: EntityQuery | undefined,
    private readonly door: DataDoor,
  ) {}

  get settings(): Settings {
    return this.service.settings
  }

  /** The query options with their meaning, for resources that are entities. */
  get query(): EntityQuery {
    if (this.boundQuery === undefined) throw new TypeError('This resource is not made of entities.')
    return this.boundQuery
  }

  /** The door to the data. Opened after the answer's format is known, so that a 406 costs nothing. */
  data(): MaybePromise<DataAccess> {
    return this.door.open()
  }

  /**
   * Makes changes of which, when one fails, none happens.
   *
   * @param canRepeat false when the work takes in bytes that come only once. Default: true
   */
  write<T>(work: (writer: EntityWriter) => MaybePromise<T>, canRepeat = true): MaybePromise<T> {
    return this.door.write(work, canRepeat)
  }

  /** Adds an entity that brings nothing along, where that can be over at once; see {@link EntityWriter.insertAtOnce}. */
  insertAtOnce<T extends object>(
    set: EntitySet,
    change: EntityChange,
    use: (row: Row, access: DataAccess) => T,
  ): MaybePromise<T | undefined> {
    return this.door.writeAtOnce((writer, check) =>
      writer.insertAtOnce(set, change, (row) => use(row, writer.access), check),
    )
  }

  /** What `$1` in an address stands for within a batch; undefined when the address is to be read as it stands. */
  resolveReference(uri: string): string | undefined {
    return this.door.resolveReference(uri)
  }

  /** Begins changes of several requests; undefined when the provider knows no such thing. */
  beginChangeSet(): Promise<ChangeSet | undefined> {
    return this.door.beginChangeSet()
  }

  /** Runs a batched request that belongs to a change set. */
  within<T>(changeSet: ChangeSet | undefined, work: () => T): T {
    return this.door.within(changeSet, work)
  }

  /** Has a request within this one answered. */
  dispatch(request: ODataRequest, scope: RequestScope): MaybePromise<ODataResponse> {
    return this.door.host.dispatch(request, scope)
  }

  /** Tells the application of what was thrown, if that is a failure of the service. */
  report(thrown: unknown): ODataError {
    return this.door.host.report(thrown)
  }

  /** Does work in which several requests within this one read, without waiting for anything. */
  readTogether<T>(work: () => T): T {
    return this.door.host.readTogether(work)
  }

  /** What the application knows of the caller; it is asked once. */
  caller(): MaybePromise<unknown> {
    return this.door.caller()
  }

  negotiate(kind: OfferedKind): Negotiated {
    return negotiate(kind, this.queryOptions.system.get('$format'), this.request.header('accept'))
  }

  headers(contentType?: string): Readonly<Record<string, string>> {
    return contentType === undefined ? commonHeaders(this.version) : headersOfType(this.version, contentType)
  }

  /** Headers of a resource with one representation. */
  headersOfOneForm(contentType?: string): Readonly<Record<string, string>> {
    const { authorize, context } = this.settings
    const isPrivate = authorize !== undefined || context !== undefined
    return { ...this.headers(contentType), ...revalidation(isPrivate) }
  }

  writeContext(data?: DataAccess): WriteContext {
    return {
      root: this.request.serviceRoot,
      version: this.version,
      updated: timeOfAnswer(),
      doubleAsNumber: this.settings.doubleAsNumber,
      media: (set: EntitySet) => data?.media(set),
    }
  }
}

let second = 0
let textOfSecond = ''

/** The time in whole seconds, as Atom wants it. Many answers share one. */
function timeOfAnswer(): string {
  const now = Math.floor(Date.now() / 1000)
  if (now !== second) {
    second = now
    textOfSecond = `${formatSeconds(now * 1000)}Z`
  }
  return textOfSecond
}

/** Answers one method of one kind of resource. */
export type ResourceHandler<Target extends RequestTarget> = (
  target: Target,
  context: ResourceContext,
) => MaybePromise<ODataResponse>

export type TargetOf<Kind extends ResourceKind> = Extract<RequestTarget, { readonly kind: Kind }>

/** The methods of one kind of resource. */
export type ResourceMethods<Kind extends ResourceKind> = MethodTable<ResourceHandler<TargetOf<Kind>>>
