import type { MappedModel } from '../../csdl/v4/read-v4-csdl.js'
import type { V4Mapping, V4OperationMapping, V4SetMapping, V4TypeMapping } from '../../csdl/v4/v4-mapping.js'
import type { EdmModel, EntityType, NavigationProperty } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import { required } from '../../util/required.js'
import type { UpstreamModel } from '../upstream/upstream-model.js'
import { notAddressable } from '../upstream/upstream-model.js'
import { v4Literal } from './v4-literals.js'
import { RowConverters } from './v4-rows.js'

/** The member of rows of contained entities with their path in the V4 service. */
const PATH_MEMBER = '@path'

/** The V2 model of a V4 service, and the names, types and values of its elements in both. */
export class V4Model implements UpstreamModel {
  readonly model: EdmModel
  readonly converters: RowConverters
  private readonly mapping: V4Mapping

  constructor({ model, mapping }: MappedModel) {
    this.model = model
    this.mapping = mapping
    this.converters = new RowConverters(mapping.types.values(), ({ v2Name }) => {
      const key = model.entityTypes.get(v2Name)?.key ?? []
      return new Set(key.map(({ name }) => name))
    })
  }

  /** @param path of the entity set in the V2 model */
  set(path: string): V4SetMapping {
    return required(this.mapping.sets.get(path))
  }

  /** @param path of the entity set in the V2 model */
  entityType(path: string): EntityType {
    return required(this.model.entityTypes.get(this.set(path).type.v2Name))
  }

  /** Returns the name of a navigation property in the V4 service; undefined if it has none. */
  navigationName({ name, fromEnd }: NavigationProperty): string | undefined {
    return this.types.get(fromEnd.type.qualifiedName)?.navigations.get(name)
  }

  /** @param name qualified name of the type in the V2 model */
  type(name: string): V4TypeMapping {
    return required(this.mapping.types.get(name))
  }

  /** @param path of the function import in the V2 model */
  operation(path: string): V4OperationMapping {
    return required(this.mapping.operations.get(path))
  }

  /** By qualified name of the type in the V2 model. */
  get types(): ReadonlyMap<string, V4TypeMapping> {
    return this.mapping.types
  }

  get operations(): ReadonlyMap<string, V4OperationMapping> {
    return this.mapping.operations
  }

  get sets(): ReadonlyMap<string, V4SetMapping> {
    return this.mapping.sets
  }

  setPath(set: string): string {
    const { kind, name } = this.set(set)
    if (kind === 'Contained') throw notAddressable(set)
    return encodeURIComponent(name)
  }

  hasEtag(set: string): boolean {
    return this.set(set).hasEtag
  }

  converterOf(set: string): (entity: unknown) => Row {
    const converter = this.converters.of(this.set(set).type)
    return (entity) => converter.convert(entity)
  }

  entityPath(set: string, row: Row): string | undefined {
    const { kind, name } = this.set(set)
    if (kind === 'Singleton') return name
    if (kind === 'Contained') return typeof row[PATH_MEMBER] === 'string' ? row[PATH_MEMBER] : undefined
    const predicate = this.keyPredicate(set, row)
    return predicate && encodeURIComponent(name) + predicate
  }

  keyPredicate(set: string, row: Row): string | undefined {
    const { type } = this.set(set)
    const entityType = this.entityType(set)
    const parts: string[] = []
    for (const { name } of entityType.key) {
      const property = required(type.properties.get(name))
      const literal = v4Literal(row[name], property)
      if (literal === undefined || literal === 'null') return undefined
      const value = encodeURIComponent(literal)
      parts.push(entityType.key.length === 1 ? value : `${encodeURIComponent(property.name)}=${value}`)
    }
    return `(${parts.join()})`
  }

  keyCondition(set: string, row: Row): string | undefined {
    const { type } = this.set(set)
    const entityType = this.entityType(set)
    const parts = entityType.key.map(({ name }) => {
      const property = required(type.properties.get(name))
      const literal = v4Literal(row[name], property, true)
      return literal === undefined ? undefined : `${property.name} eq ${literal}`
    })
    return parts.includes(undefined) ? undefined : parts.join(' and ')
  }

  /**
   * Adds its path to a contained entity, so that {@link entityPath} finds it.
   *
   * @param path of the collection
   */
  withPath(set: string, row: Row, path: string): Row {
    return Object.assign(row, { [PATH_MEMBER]: path + (this.keyPredicate(set, row) ?? '') })
  }
}
