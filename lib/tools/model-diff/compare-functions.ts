import type { EdmModel, FunctionImport, FunctionParameter } from '../../edm/edm-model.js'
import { nameOfType } from '../../edm/edm-model.js'
import { compareBounds } from './compare-facets.js'
import type { ComparedModels } from './compared-models.js'
import type { ChangeLog, ElementLog } from './model-change.js'

/** Notes how the function imports of two models differ. */
export function compareFunctions(models: ComparedModels, log: ChangeLog): void {
  const [before, after] = [functionsOf(models.before), functionsOf(models.after)]
  for (const [path, one] of before) {
    const same = after.get(path)
    if (same === undefined) log.of('FunctionImport', path).isRemoved('Calls of it are answered with 404.')
    else compareFunction(one, same, models, log)
  }
  for (const path of after.keys()) {
    if (!before.has(path))
      log.of('FunctionImport', path).isAdded(false, 'Clients do not call what they do not know.')
  }
}

function functionsOf({ entityContainers }: EdmModel): ReadonlyMap<string, FunctionImport> {
  return new Map(
    entityContainers.flatMap(({ functionImports }) => functionImports.map((one) => [one.path, one] as const)),
  )
}

function compareFunction(
  before: FunctionImport,
  after: FunctionImport,
  models: ComparedModels,
  log: ChangeLog,
): void {
  const element = log.of('FunctionImport', after.path)
  const [from, to] = [before.httpMethod, after.httpMethod]
  if (from !== to) {
    const message = `is called by ${to ?? 'GET and POST'} instead of ${from ?? 'GET and POST'}`
    if (to === undefined) element.allows(message, 'Calls that were accepted still are.')
    else element.breaks(message, 'Calls by another method are answered with 405.')
  }
  compareResult(before, after, models, element)
  const parameters = new Map(after.parameters.map((one) => [one.name, one] as const))
  for (const parameter of before.parameters) {
    const at = log.of('Parameter', `${after.path}/${parameter.name}`)
    const same = parameters.get(parameter.name)
    if (same === undefined) at.isRemoved('What clients ask for by it is not heeded.')
    else compareParameter(parameter, same, at)
  }
  for (const { name, nullable } of after.parameters) {
    if (before.parameters.some((one) => one.name === name)) continue
    const reason = nullable ? 'It may be left out.' : 'Calls without it are refused: it is not nullable.'
    log.of('Parameter', `${after.path}/${name}`).isAdded(!nullable, reason)
  }
}

function compareResult(
  { returnType: from, entitySet: setBefore }: FunctionImport,
  { returnType: to, entitySet: setAfter }: FunctionImport,
  models: ComparedModels,
  log: ElementLog,
): void {
  if (from === undefined && to === undefined) return
  const isSame =
    from !== undefined &&
    to !== undefined &&
    from.isCollection === to.isCollection &&
    models.isSameType(from.type, to.type)
  if (!isSame) {
    log.breaks(
      `returns ${nameOfResult(to)} instead of ${nameOfResult(from)}`,
      'Clients are given something else.',
    )
  } else if (setBefore?.path !== setAfter?.path) {
    const message = `returns entities of ${setAfter?.path ?? 'no set'} instead of ${setBefore?.path ?? 'none'}`
    log.breaks(message, 'The entities have other addresses.')
  }
}

function nameOfResult(type: FunctionImport['returnType']): string {
  if (type === undefined) return 'nothing'
  return type.isCollection ? `Collection(${nameOfType(type.type)})` : nameOfType(type.type)
}

/** Clients only send them: what is wider is never a surprise. */
function compareParameter(before: FunctionParameter, after: FunctionParameter, log: ElementLog): void {
  if (before.type !== after.type) {
    log.breaks(`type ${before.type} became ${after.type}`, 'Values are written in another form.')
    return
  }
  if (before.nullable && !after.nullable)
    log.breaks('is not nullable any more', 'Calls without it are refused.')
  if (!before.nullable && after.nullable) log.allows('became nullable', 'It may be left out.')
  compareBounds(before, after, log)
}
