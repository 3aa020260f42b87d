import type { EdmModel, EntitySet } from '../edm/edm-model.js'
import { checkNames, invalid } from '../errors/check-option.js'

const DEFAULT_PAGE_SIZE = 1000

/**
 * Validates the option `pageSize`.
 *
 * @returns the maximum number of entities of a page, for each entity set
 * @throws ConfigurationError for an invalid option
 */
export function pageSizesOf(
  pageSize: number | Readonly<Record<string, number | undefined>> | undefined,
  model: EdmModel,
): (set: EntitySet) => number {
  const size = (value: unknown, name: string): number => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
      throw invalid(`${name} must be a whole number; 0 means no limit`)
    }
    return value === 0 ? Number.POSITIVE_INFINITY : value
  }
  if (typeof pageSize !== 'object' || pageSize === null) {
    const all = size(pageSize === undefined ? DEFAULT_PAGE_SIZE : pageSize, 'pageSize')
    return () => all
  }
  const paths = model.entityContainers.flatMap(({ entitySets }) => entitySets.map(({ path }) => path))
  checkNames(pageSize, paths, 'an entity set', 'pageSize.')
  const sizes = new Map(
    Object.entries(pageSize).map(([name, value]) => [name, size(value, `pageSize.${name}`)]),
  )
  return ({ path }) => sizes.get(path) ?? DEFAULT_PAGE_SIZE
}
