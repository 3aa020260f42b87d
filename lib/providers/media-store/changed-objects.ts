import { isRetryable, ODataError } from '../../errors/odata-error.js'
import type { ChangeSet } from '../../provider/change-set.js'
import type { MediaStore } from '../../provider/media-store.js'
import { catchValue, mapValue } from '../../util/promise-or-value.js'
import type { NewObject } from './new-object.js'

/** The objects that a change set has added or replaced. */
export class ChangedObjects {
  private readonly added = new Set<NewObject>()
  private readonly dropped = new Set<string>()

  private constructor(private readonly store: MediaStore) {}

  /** Makes commit and rollback of a change set keep and delete objects. */
  static of(changeSet: ChangeSet, store: MediaStore): ChangedObjects {
    const objects = new ChangedObjects(store)
    const commit = changeSet.commit.bind(changeSet)
    const rollBack = changeSet.rollBack.bind(changeSet)
    const afterCommit = changeSet.afterCommit?.bind(changeSet)
    let unknown: unknown
    changeSet.commit = () =>
      catchValue(commit, (error) => {
        if (isOutcomeUnknown(error)) unknown = error
        throw error
      })
    changeSet.afterCommit = async () => {
      await Promise.all([afterCommit?.(), objects.afterCommit()])
    }
    changeSet.rollBack = () =>
      mapValue(rollBack(), () => (unknown === undefined ? objects.rollBack() : objects.keepAll(unknown)))
    return objects
  }

  /** Notes an object that a row refers to after the commit. */
  add(object: NewObject): void {
    if (this.added.has(object)) return
    this.added.add(object)
    object.begin()
  }

  /** Notes an object that no row refers to after the commit. */
  drop(name: string): void {
    this.dropped.add(name)
  }

  private async afterCommit(): Promise<void> {
    for (const object of this.added) object.commit()
    await settleAll([...this.dropped], 'replaced', (name) => this.store.remove(name))
  }

  private async rollBack(): Promise<void> {
    const objects = new Map([...this.added].map((object) => [object.name, object]))
    await settleAll([...objects.keys()], 'rolled back', async (name) => objects.get(name)?.rollBack())
  }

  /** Keeps all objects, because rows may refer to any of them. @throws Error that lists them */
  private keepAll(cause: unknown): never {
    for (const object of this.added) object.commit()
    const names = [...this.dropped, ...[...this.added].map(({ name }) => name)]
    throw new Error(`Some of these media objects may be unreferenced: ${names.join(', ')}`, { cause })
  }
}

/** Works on all objects. @throws Error that lists those that could not be deleted */
async function settleAll(
  names: readonly string[],
  state: string,
  work: (name: string) => Promise<void>,
): Promise<void> {
  const results = await Promise.allSettled(names.map(work))
  const failed = names.filter((_name, index) => results[index]?.status === 'rejected')
  if (failed.length === 0) return
  const [cause] = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  )
  throw new Error(`These ${state} media objects could not be deleted: ${failed.join(', ')}`, { cause })
}

/** Returns true if a failed commit may have been executed. */
function isOutcomeUnknown(error: unknown): boolean {
  if (!(error instanceof ODataError)) return true
  return error.status >= 500 && !isRetryable(error)
}
