import type { EdmModel, FunctionHandler, Provider } from '../../lib/index.js'

const unused: FunctionHandler = () => null

/** Returns a provider that also has handlers for the functions that a spec does not call. */
export function withHandlers<Given extends object>(
  provider: Given,
  { entityContainers }: Pick<EdmModel, 'entityContainers'>,
): Given {
  const names = entityContainers.flatMap(({ functionImports }) => functionImports.map(({ path }) => path))
  const handlers = Object.fromEntries(names.map((name) => [name, unused]))
  const functions = { ...handlers, ...(provider as Partial<Provider>).functions }
  return { ...provider, functions }
}
