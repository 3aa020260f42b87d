import type { ODataRequest } from '../http/odata-request.js'
import type { ODataResponse } from '../http/odata-response.js'
import type { ChangeSet } from '../provider/change-set.js'
import type { DataAccessOptions } from '../provider/data-access.js'
import { DataAccess } from '../provider/data-access.js'
import { EntityWriter } from '../provider/entity-writer.js'
import { ProviderCalls } from '../provider/provider-calls.js'
import type { Provider } from '../provider/provider.js'
import type { QueryOptions } from '../uri/parse-query-options.js'

/** What a request within a batch shares with those around it. */
export interface RequestScope {
  /** Changes that happen together with those of the request; undefined when it makes its own. */
  readonly changeSet: ChangeSet | undefined
  /** What an address that refers to an earlier request means; undefined when it does not. */
  resolveReference(uri: string): string | undefined
}

/** Has a request within a batch answered. */
export type Dispatch = (request: ODataRequest, scope: RequestScope) => Promise<ODataResponse>

/** How one request gets at the data. */
export class DataDoor {
  private calls: Promise<ProviderCalls> | undefined

  constructor(
    private readonly provider: Provider,
    private readonly access: DataAccessOptions,
    private readonly request: ODataRequest,
    private readonly options: QueryOptions,
    readonly dispatch: Dispatch,
    private readonly scope: RequestScope | undefined,
  ) {}

  async open(): Promise<DataAccess> {
    return new DataAccess(await this.providerCalls(), this.access)
  }

  /** Makes changes of which, when one fails, none happens. */
  async write<T>(work: (writer: EntityWriter) => Promise<T>): Promise<T> {
    const calls = await this.providerCalls()
    if (this.scope?.changeSet !== undefined) return work(this.writerFor(calls))
    const changeSet = await calls.beginChangeSet()
    if (changeSet === undefined) return work(this.writerFor(calls))
    try {
      const result = await work(this.writerFor(calls.within(changeSet)))
      await changeSet.commit()
      return result
    } catch (error) {
      await changeSet.rollBack()
      throw error
    }
  }

  /** Begins changes of several requests; undefined when the provider knows no such thing. */
  async beginChangeSet(): Promise<ChangeSet | undefined> {
    return (await this.providerCalls()).beginChangeSet()
  }

  resolveReference(uri: string): string | undefined {
    return this.scope?.resolveReference(uri)
  }

  private writerFor(calls: ProviderCalls): EntityWriter {
    return new EntityWriter(calls, new DataAccess(calls, this.access))
  }

  private providerCalls(): Promise<ProviderCalls> {
    this.calls ??= this.makeCalls()
    return this.calls
  }

  private async makeCalls(): Promise<ProviderCalls> {
    const { request, options, scope } = this
    return new ProviderCalls(this.provider, {
      context: await request.context(),
      customOptions: options.custom,
      changeSet: scope?.changeSet,
      // Asked for only when a provider wants to know.
      get signal() {
        return request.signal
      },
    })
  }
}
