import type { FunctionImport } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'

/** The entities that a function returned. @throws TypeError when it did not do what its model promises */
export function returnedRows(value: unknown, { path }: FunctionImport): readonly Row[] {
  const isRow = (row: unknown): boolean => typeof row === 'object' && row !== null && !Array.isArray(row)
  if (Array.isArray(value) && value.every(isRow)) return value as readonly Row[]
  throw new TypeError(
    `The function '${path}' must return what its model promises: entities as objects, several in an array.`,
  )
}

/** The error of a function that is in the model alone. */
export function noHandler({ path }: FunctionImport): ODataError {
  return new ODataError('NotImplemented', {
    message: `The function '${path}' is not implemented.`,
    cause: new Error(`The provider has no handler 'functions.${path}'.`),
  })
}
