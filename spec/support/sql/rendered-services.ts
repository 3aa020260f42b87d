import type { EdmModel } from '../../../lib/edm/edm-model.js'
import type { EntitySetProvider, Provider } from '../../../lib/provider/provider.js'
import type { RenderedBatch, RenderedEntities } from '../../../lib/provider/rendering.js'
import type { ODataV2Options } from '../../../lib/odata-v2.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import type { ComparableAnswer, ContractServices } from '../../contracts/contract-service.js'
import type { AnyDatabase } from './model-tables.js'

/** How many entities a database has written, and how many it could not write. */
export interface RenderedCounts {
  written: number
  unwritten: number
  /** Requests whose entities it was not asked to write, or did not want to. */
  declined: number
}

/** The same database behind two services: one has it write entities, the other reads them. */
export class RenderedServices {
  readonly counts: RenderedCounts = { written: 0, unwritten: 0, declined: 0 }

  private constructor(
    private readonly services: ContractServices,
    private readonly name: string,
  ) {}

  static async mount(
    services: ContractServices,
    db: AnyDatabase,
    model: () => EdmModel,
    options: ODataV2Options = {},
    name = 'rendered',
  ): Promise<RenderedServices> {
    const rendered = new RenderedServices(services, name)
    const written = sqlProvider(model(), db, { rendering: true })
    const read = sqlProvider(model(), db, { rendering: false })
    await written.ready()
    await read.ready()
    services.mount(`${name}-written`, rendered.counted(written), options, model())
    services.mount(`${name}-read`, read, options, model())
    return rendered
  }

  /** What both answer to a request and those that follow it. */
  async both(
    path: string,
    accept: string,
  ): Promise<{ readonly written: readonly ComparableAnswer[]; readonly read: readonly ComparableAnswer[] }> {
    const options = { accept, limit: 4 }
    return {
      written: await this.services.comparablePages(`${this.name}-written`, path, options),
      read: await this.services.comparablePages(`${this.name}-read`, path, options),
    }
  }

  /** Asks for what the database can write, so that it is trusted with what comes next. */
  async encourage(path: string, accept: string): Promise<void> {
    const before = this.counts.written
    await this.services.get(`${this.name}-written`, path, accept)
    if (this.counts.written === before) throw new Error(`${path} was not written.`)
  }

  private counted(provider: Provider): Provider {
    const { counts } = this
    const sets = Object.entries<EntitySetProvider>(provider.entitySets).map(([name, set]) => [
      name,
      {
        ...set,
        render: async (...args: Parameters<NonNullable<EntitySetProvider['render']>>) => {
          const entities = await set.render?.(...args)
          if (entities === undefined) counts.declined++
          return entities && this.counting(entities)
        },
      },
    ])
    return { ...provider, entitySets: Object.fromEntries(sets) as Provider['entitySets'] }
  }

  private counting(entities: RenderedEntities): RenderedEntities {
    const { counts } = this
    const note = (batch: RenderedBatch | undefined): void => {
      if (batch === undefined) return
      if ('rows' in batch) counts.unwritten += batch.rows.length
      else counts.written += batch.count
    }
    if (!('next' in entities)) {
      entities.forEach(note)
      return entities
    }
    return {
      close: () => entities.close(),
      next: async () => {
        const batch = await entities.next()
        note(batch)
        return batch
      },
    }
  }
}
