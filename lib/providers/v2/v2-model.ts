import type { EdmModel, EntitySet, EntityType, NavigationProperty } from '../../edm/edm-model.js'
import { entitySetsOf } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import { literalText } from '../../formats/literal-text.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import { required } from '../../util/required.js'
import type { QueueModel } from '../upstream/queued-entities.js'
import { V2RowConverters } from './v2-rows.js'

/** The model of a V2 service, and the names of its entity sets in the service. */
export class V2Model implements QueueModel {
  readonly converters = new V2RowConverters()
  readonly sets: ReadonlyMap<string, EntitySet>

  /** @param upstreamNames names in the service, by path of renamed sets */
  constructor(
    readonly model: EdmModel,
    private readonly upstreamNames: ReadonlyMap<string, string>,
  ) {
    this.sets = new Map(entitySetsOf(model).map((set) => [set.path, set]))
  }

  set(path: string): EntitySet {
    return required(this.sets.get(path))
  }

  entityType(path: string): EntityType {
    return this.set(path).entityType
  }

  navigationName({ name }: NavigationProperty): string {
    return name
  }

  /** Returns the path of an entity set in the service, percent-encoded. */
  setPath(path: string): string {
    return percentEncode(this.upstreamNames.get(path) ?? path)
  }

  /** Returns the path of an entity in the service, percent-encoded: `Products(7)`. */
  entityPath(path: string, row: Row): string {
    return this.setPath(path) + this.keyPredicate(path, row)
  }

  /** Returns the key of an entity in parentheses, percent-encoded. */
  keyPredicate(path: string, row: Row): string {
    const { key } = this.set(path).entityType
    const parts = key.map(({ name, type }) => {
      const value = literalText(row[name], type as PrimitiveTypeName)
      return key.length === 1 ? value : `${name}=${value}`
    })
    return `(${parts.join()})`
  }

  /** Returns the condition that an entity has a key, before percent-encoding. */
  keyCondition(path: string, row: Row): string {
    const { key } = this.set(path).entityType
    const parts = key.map(
      ({ name, type }) =>
        `${name} eq ${decodeURIComponent(literalText(row[name], type as PrimitiveTypeName))}`,
    )
    return parts.length === 1 ? parts.join() : `(${parts.join(' and ')})`
  }
}
