import type { EdmModel, EntitySet } from '../edm/edm-model.js'
import { entitySetsByPath, functionImportsOf, nameOfType } from '../edm/edm-model.js'
import { areComparable } from '../edm/convert-key.js'
import { ConfigurationError } from '../errors/check-option.js'
import { didYouMean } from '../errors/suggestions.js'
import { computeOnce } from '../util/get-or-create.js'
import { isRecord } from '../util/is-record.js'
import { isPending } from '../provider/lazy-entity-sets.js'
import type { Provider } from '../provider/provider.js'

/** Methods of an object by name; true for required ones. */
type Methods = Readonly<Record<string, boolean>>

const setMethods: Methods = {
  read: true,
  readByKey: false,
  count: false,
  readRelated: false,
  aggregate: false,
  insert: false,
  insertsRelated: false,
  storeDefaults: false,
  update: false,
  delete: false,
  link: false,
  unlink: false,
  etag: false,
}
const mediaMethods: Methods = {
  contentType: true,
  etag: false,
  open: true,
  write: false,
  remove: false,
  insert: false,
  receive: false,
}
const pushdownMethods: Methods = {
  filter: false,
  orderBy: false,
  aggregation: false,
  navigation: false,
  expand: false,
}

const changeMethods: Methods = { position: true, since: true }
const recordMethods: Methods = { add: true, complete: true, find: true, prune: false }

const providerMethods: Methods = {
  beginChangeSet: false,
  readSnapshot: false,
  setComputed: false,
  setAggregated: false,
  dataVersion: false,
  shareDataVersion: false,
  check: false,
}

const setMembers: readonly string[] = [
  ...Object.keys(setMethods),
  'requiresIfMatch',
  'autocommit',
  'changes',
  'media',
  'pushdown',
]

/**
 * Compares a provider with the model when the application starts.
 *
 * @throws ConfigurationError listing everything that is missing or misspelt, with corrections
 */
export function checkProvider(provider: Provider, model: EdmModel): void {
  const sets = entitySetsByPath(model)
  if (!isRecord(provider) || !isRecord(provider.entitySets)) {
    const hint = providerHint(provider, sets)
    throw new ConfigurationError(
      `the second argument must be a provider: { entitySets: { Name: { read } } }.${hint}`,
    )
  }
  const given = provider.entitySets
  const errors = [
    ...foreignKeyErrors(model),
    ...unknownNames(given, sets, 'entity set'),
    ...[...sets.keys()].flatMap((name) =>
      isPending(given, name) ? [] : setErrors(name, Object.hasOwn(given, name) ? given[name] : undefined),
    ),
    ...functionErrors(provider, model),
    ...methodErrors('The provider', provider, providerMethods),
    ...(provider.requestRecords === undefined
      ? []
      : methodErrors('requestRecords', provider.requestRecords, recordMethods)),
    ...misspelt('', provider, [
      'entitySets',
      ...Object.keys(providerMethods),
      'concurrentReads',
      'functions',
      'requestRecords',
    ]),
  ]
  if (errors.length === 0) return
  throw new ConfigurationError(
    `the provider does not fit the model:\n${errors.map((one) => `- ${one}`).join('\n')}`,
  )
}

/** Suggests a correction for an object that is nearly a provider. */
function providerHint(given: unknown, sets: ReadonlyMap<string, EntitySet>): string {
  if (!isRecord(given)) return ''
  const names = Object.keys(given)
  const near = names.find((name) => name !== 'entitySets' && didYouMean(name, ['entitySets']) !== '')
  if (near !== undefined) return ` It has '${near}'. Did you mean 'entitySets'?`
  const set = names.find((name) => sets.has(name)) ?? names.find((name) => Array.isArray(given[name]))
  if (set === undefined) return ''
  return Array.isArray(given[set])
    ? ` These are rows: memoryProvider(model, { ${set}: [ … ] }).`
    : ` Put the entity sets one level deeper: { entitySets: { ${set}: … } }.`
}

function setErrors(name: string, given: unknown): string[] {
  if (given === undefined) return [`entitySets.${name} is missing; at least its 'read' is needed.`]
  if (!isRecord(given)) return [`entitySets.${name} must be an object with a method 'read'.`]
  const place = `entitySets.${name}`
  const { autocommit, changes, media, pushdown } = given
  const errors = [
    ...methodErrors(place, given, setMethods),
    ...(autocommit === undefined ? [] : autocommitErrors(`${place}.autocommit`, autocommit)),
    ...(changes === undefined ? [] : methodErrors(`${place}.changes`, changes, changeMethods)),
    ...(media === undefined ? [] : methodErrors(`${place}.media`, media, mediaMethods)),
    ...(pushdown === undefined ? [] : pushdownErrors(`${place}.pushdown`, pushdown)),
  ]
  return [...errors, ...misspelt(`${place}.`, given, setMembers)]
}

function pushdownErrors(place: string, given: unknown): string[] {
  const errors = methodErrors(place, given, pushdownMethods)
  if (!isRecord(given)) return errors
  const { pageSize, search } = given
  if (pageSize !== undefined && !(Number.isSafeInteger(pageSize) && Number(pageSize) > 0))
    errors.push(`${place}.pageSize must be a positive integer.`)
  if (!['undefined', 'boolean', 'function'].includes(typeof search))
    errors.push(`${place}.search must be a function or a Boolean.`)
  return [
    ...errors,
    ...misspelt(`${place}.`, given, [
      ...Object.keys(pushdownMethods),
      'paging',
      'count',
      'pageSize',
      'sourceKeys',
      'search',
    ]),
  ]
}

const autocommitMethods: Methods = { insert: true, update: false, delete: false }

function autocommitErrors(place: string, given: unknown): string[] {
  const replaces = isRecord(given) ? given.replaces : undefined
  return [
    ...methodErrors(place, given, autocommitMethods),
    ...methodErrors(`${place}.replaces`, replaces, { ...autocommitMethods, beginChangeSet: false }),
  ]
}

/** Returns errors for foreign keys that can never be equal to the key that they refer to. */
const foreignKeyErrors = computeOnce(({ associations }: EdmModel): readonly string[] =>
  [...associations.values()].flatMap(({ qualifiedName, referentialConstraint: constraint }) =>
    (constraint?.dependentProperties ?? []).flatMap((own, index) => {
      const key = constraint?.principalProperties[index]
      if (key === undefined || areComparable(own, key)) return []
      const types = `'${own.name}' is ${nameOfType(own.type)}, but '${key.name}', to which it refers, is ${nameOfType(key.type)}`
      return [`association '${qualifiedName}': ${types}. Give both the same type.`]
    }),
  ),
)

/** Returns errors for members that are probably misspelt. Other unknown members are allowed. */
function misspelt(place: string, holder: object, members: readonly string[]): string[] {
  return Object.keys(holder).flatMap((member) => {
    const hint = members.includes(member) ? '' : didYouMean(member, members)
    return hint === '' ? [] : [`${place}${member} is not a member of a provider.${hint}`]
  })
}

function methodErrors(place: string, holder: unknown, methods: Methods): string[] {
  if (!isRecord(holder)) return [`${place} must be an object.`]
  const errors: string[] = []
  for (const name in methods) {
    const method = holder[name]
    if (typeof method === 'function' || (method === undefined && methods[name] !== true)) continue
    errors.push(`${place}.${name} must be a function.`)
  }
  return errors
}

function functionErrors(provider: Provider, model: EdmModel): string[] {
  const { functions } = provider
  if (functions !== undefined && !isRecord(functions))
    return ['functions must be an object with a handler for each function import.']
  const given: Readonly<Record<string, unknown>> = functions ?? {}
  const names = new Map(functionImportsOf(model).map((one) => [one.path, one]))
  const missing = [...names.keys()]
    .filter((name) => !Object.hasOwn(given, name))
    .map(
      (name) => `functions.${name} is missing: add a handler for the function import '${name}' of the model.`,
    )
  const wrong = Object.entries(given).flatMap(([name, handler]) => {
    if (typeof handler !== 'function') return [`functions.${name} must be a function.`]
    if (!('transaction' in handler) || provider.beginChangeSet !== undefined) return []
    return [
      `functions.${name} needs a transaction, but the provider has no 'beginChangeSet'. Add it, or remove inTransaction.`,
    ]
  })
  return [...missing, ...unknownNames(given, names, 'function import'), ...wrong]
}

function unknownNames(given: object, known: ReadonlyMap<string, unknown>, what: string): string[] {
  return Object.keys(given)
    .filter((name) => !known.has(name))
    .map((name) => `The model has no ${what} '${name}'.${didYouMean(name, known.keys())}`)
}
