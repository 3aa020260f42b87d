import type { EdmModel } from '../../../lib/edm/edm-model.js'
import type { Row } from '../../../lib/evaluation/row.js'
import type { ODataV2Options } from '../../../lib/odata-v2.js'
import type { EntitySetProvider, Provider, Rows } from '../../../lib/provider/provider.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import type { ComparableResponse, ContractServices } from '../../contracts/contract-service.js'
import type { AnyDatabase } from './model-tables.js'

/** Two services on the same database: one has the provider itself, the other gets its rows as plain objects. */
export class RowServices {
  private constructor(
    private readonly services: ContractServices,
    private readonly name: string,
  ) {}

  static async mount(
    services: ContractServices,
    db: AnyDatabase,
    model: () => EdmModel,
    options: ODataV2Options = {},
    name = 'rows',
  ): Promise<RowServices> {
    const provider = sqlProvider(model(), db)
    await provider.ready()
    services.mount(`${name}-direct`, provider, options, model())
    services.mount(`${name}-objects`, withObjects(provider), options, model())
    return new RowServices(services, name)
  }

  /** Returns the responses of both services to a request and to those that follow its next links. */
  async both(
    path: string,
    accept: string,
  ): Promise<{
    readonly direct: readonly ComparableResponse[]
    readonly objects: readonly ComparableResponse[]
  }> {
    const options = { accept, limit: 4 }
    return {
      direct: await this.services.comparablePages(`${this.name}-direct`, path, options),
      objects: await this.services.comparablePages(`${this.name}-objects`, path, options),
    }
  }
}

/** Returns the same provider, whose methods return copies of its rows. */
function withObjects(provider: Provider): Provider {
  const sets = Object.entries<EntitySetProvider>(provider.entitySets).map(
    ([name, set]): [string, EntitySetProvider] => {
      const read: EntitySetProvider['read'] = async (query, call) =>
        copied((await set.read(query, call)) as Rows)
      const readRelated: EntitySetProvider['readRelated'] = async (query, call) =>
        ((await set.readRelated?.(query, call)) ?? []).map((rows) => rows.map((row) => ({ ...row })))
      return [name, { ...set, read, readRelated }]
    },
  )
  return { ...provider, entitySets: Object.fromEntries<EntitySetProvider>(sets) }
}

function copied(rows: Rows): Rows {
  return isArray(rows) ? rows.map((row) => ({ ...row })) : copiedBatches(rows)
}

function isArray(rows: Rows): rows is readonly Row[] {
  return Array.isArray(rows)
}

async function* copiedBatches(batches: Exclude<Rows, readonly Row[]>): AsyncGenerator<readonly Row[]> {
  for await (const rows of batches) yield rows.map((row) => ({ ...row }))
}
