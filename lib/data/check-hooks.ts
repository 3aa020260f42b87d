import type { EdmModel } from '../edm/edm-model.js'
import { ConfigurationError } from '../errors/check-option.js'
import { didYouMean } from '../errors/suggestions.js'
import { isRecord } from '../util/is-record.js'
import type { EntityHooks } from '../provider/hooks.js'
import { hookNames } from '../provider/hooks.js'

/** The hooks of a service by the path of their entity set. */
export type HooksBySet = ReadonlyMap<string, EntityHooks>

/**
 * Checks hooks when the application starts: a misspelt hook would never be called.
 *
 * @returns undefined without hooks
 * @throws ConfigurationError for unknown names, with corrections
 */
export function checkedHooks(hooks: unknown, { entityContainers }: EdmModel): HooksBySet | undefined {
  if (hooks === undefined) return undefined
  if (!isRecord(hooks)) throw invalid('hooks must be an object such as { Products: { beforeInsert() {} } }')
  const paths = entityContainers.flatMap(({ entitySets }) => entitySets.map(({ path }) => path))
  const bySet = new Map<string, EntityHooks>()
  for (const [path, ofSet] of Object.entries(hooks)) {
    checkName(path, paths, 'hooks', 'an entity set')
    if (ofSet === undefined) continue
    if (!isRecord(ofSet)) throw invalid(`hooks.${path} must be an object such as { beforeInsert() {} }`)
    for (const name of namesIn(ofSet)) {
      checkName(name, hookNames, `hooks.${path}`, 'a hook')
      const hook = ofSet[name]
      if (hook !== undefined && typeof hook !== 'function') {
        throw invalid(`hooks.${path}.${name} must be a function`)
      }
    }
    bySet.set(path, ofSet)
  }
  return bySet.size === 0 ? undefined : bySet
}

/** Returns the members that are probably hooks: an object of a class may have other members too. */
function namesIn(ofSet: object): readonly string[] {
  const names: string[] = []
  let owner: unknown = ofSet
  while (typeof owner === 'object' && owner !== null && owner !== Object.prototype) {
    names.push(...Object.getOwnPropertyNames(owner))
    owner = Object.getPrototypeOf(owner)
  }
  const prototype: unknown = Object.getPrototypeOf(ofSet)
  const isPlain = prototype === Object.prototype || prototype === null
  return isPlain ? names : names.filter((name) => /^(?:before|after)/i.test(name))
}

function checkName(name: string, known: readonly string[], where: string, what: string): void {
  if (known.includes(name)) return
  const all = known.join(', ')
  throw invalid(`'${where}.${name}' is not ${what}.${didYouMean(name, known)} Known names: ${all}`)
}

function invalid(message: string): ConfigurationError {
  return new ConfigurationError(`${message}.`)
}
