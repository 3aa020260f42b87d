import type { ChangeSet } from '../../lib/provider/change-set.js'
import type { Provider } from '../../lib/provider/provider.js'

const later: ReadonlySet<unknown> = new Set([
  'read',
  'readByKey',
  'count',
  'readRelated',
  'insert',
  'update',
  'delete',
  'link',
  'unlink',
])

/** Makes every method of a provider asynchronous, as with a database, with responses in an unpredictable order. */
export function deferredProvider(provider: Provider): Provider {
  const turns = new Turns()
  const entitySets = Object.entries(provider.entitySets).map(
    ([name, set]) => [name, deferred(set, turns)] as const,
  )
  return {
    entitySets: Object.fromEntries(entitySets),
    beginChangeSet: (call) =>
      turns.around(() => {
        const begun = provider.beginChangeSet?.(call)
        return begun ?? Promise.reject<ChangeSet>(new Error('This provider knows no change sets.'))
      }),
  }
}

/** Wraps an object so that its methods are asynchronous. */
function deferred<T extends object>(object: T, turns: Turns): T {
  return new Proxy(object, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function' || !later.has(name)) return member
      return (...given: unknown[]) => turns.around((): unknown => Reflect.apply(member, target, given))
    },
  })
}

/** Lets none, one or two turns pass, the same in every run. */
class Turns {
  private seed = 1

  async around<T>(work: () => T | Promise<T>): Promise<T> {
    await this.some()
    const result = await work()
    await this.some()
    return result
  }

  private async some(): Promise<void> {
    this.seed = (this.seed * 48_271) % 2_147_483_647
    for (let count = this.seed % 3; count > 0; count--) {
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }
}
