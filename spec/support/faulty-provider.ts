import type { EntitySetProvider, MediaProvider, ODataError, Provider, Row } from '../../lib/index.js'
import { memoryProvider } from '../../lib/index.js'
import type { ChangeSet } from '../../lib/provider/change-set.js'
import type { ProviderCall } from '../../lib/provider/provider-call.js'
import { photoData, photoModel } from './services/photo-service.js'

/** A method of a provider that does not do what it should. */
export type Faulty = () => unknown

/** Where something goes wrong: a method of an entity set or of its media, or of change sets. */
export type FaultyPlace =
  | `Counters.${'insert' | 'update' | 'delete' | 'link' | 'unlink'}`
  | `Photos.${'insert' | 'media.insert' | 'media.write' | 'media.remove' | 'media.receive' | 'media.open'}`
  | 'beginChangeSet'
  | 'commit'
  | 'rollBack'

/** A memory provider with some methods that fail; it records how its change sets end. */
export class FaultyProvider {
  /** `begin`, `commit` and `rollBack`, as they were called. */
  readonly calls: string[] = []
  readonly errors: ODataError[] = []
  private readonly memory = memoryProvider(photoModel, photoData()) as unknown as Provider
  /** Off, everything goes well. */
  isFaulty = true

  constructor(private readonly faults: Partial<Record<FaultyPlace, Faulty>>) {}

  readonly onError = (error: ODataError): void => void this.errors.push(error)

  get provider(): Provider {
    const entitySets = Object.fromEntries(
      Object.entries(this.memory.entitySets).map(([name, own]) => [
        name,
        this.entitySet(name, own as unknown as EntitySetProvider),
      ]),
    )
    const { memory } = this
    const beginChangeSet = async (call: ProviderCall): Promise<unknown> => {
      this.calls.push('begin')
      const fault = this.isFaulty ? this.faults.beginChangeSet : undefined
      if (fault !== undefined) return fault()
      const changeSet = await memory.beginChangeSet?.(call)
      // Calls know their change set by identity: it is changed, not wrapped.
      return changeSet === undefined ? undefined : this.changeSet(changeSet)
    }
    return { ...this.memory, entitySets, beginChangeSet } as unknown as Provider
  }

  private changeSet(changeSet: ChangeSet): ChangeSet {
    const commit = changeSet.commit.bind(changeSet)
    const rollBack = changeSet.rollBack.bind(changeSet)
    return Object.assign(changeSet, {
      commit: () => {
        this.calls.push('commit')
        return this.isFaulty && this.faults.commit !== undefined ? this.faults.commit() : commit()
      },
      rollBack: () => {
        this.calls.push('rollBack')
        const done = rollBack()
        return this.isFaulty && this.faults.rollBack !== undefined ? this.faults.rollBack() : done
      },
    })
  }

  private entitySet(name: string, own: EntitySetProvider): EntitySetProvider {
    const media = this.replaced(`${name}.media.`, own.media ?? {}) as unknown as MediaProvider<Row>
    const methods = this.replaced(`${name}.`, own) as unknown as EntitySetProvider
    return { ...methods, ...(own.media === undefined ? {} : { media }) }
  }

  private replaced(prefix: string, own: object): Record<string, unknown> {
    const methods: Record<string, unknown> = { ...own }
    for (const [place, fault] of Object.entries(this.faults)) {
      const name = place.slice(prefix.length)
      if (!place.startsWith(prefix) || name.includes('.')) continue
      const right = methods[name] as ((...all: unknown[]) => unknown) | undefined
      methods[name] = (...all: unknown[]) => (this.isFaulty ? fault() : right?.(...all))
    }
    return methods
  }
}
