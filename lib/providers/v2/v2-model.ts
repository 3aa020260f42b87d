import type { EdmModel, EntitySet, EntityType, NavigationProperty } from '../../edm/edm-model.js'
import { entitySetsByPath } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import { literalText } from '../../formats/literal-text.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import { required } from '../../util/required.js'
import type { UpstreamModel } from '../upstream/upstream-model.js'
import { V2RowConverters } from './v2-rows.js'

/** The model of a V2 service, and the names of its entity sets in the service. */
export class V2Model implements UpstreamModel {
  readonly converters = new V2RowConverters()
  readonly sets: ReadonlyMap<string, EntitySet>

  /** @param upstreamNames names in the service, by path of renamed sets */
  constructor(
    readonly model: EdmModel,
    private readonly upstreamNames: ReadonlyMap<string, string>,
  ) {
    this.sets = entitySetsByPath(model)
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

  setPath(path: string): string {
    return percentEncode(this.upstreamNames.get(path) ?? path)
  }

  hasEtag(path: string): boolean {
    const { entityType } = this.set(path)
    return [entityType, ...entityType.derivedTypes].some(
      ({ concurrencyTokens }) => concurrencyTokens.length > 0,
    )
  }

  converterOf(path: string): (entity: unknown) => Row {
    const converter = this.converters.of(this.set(path).entityType)
    return (entity) => converter.convert(entity)
  }

  entityPath(path: string, row: Row): string {
    return this.setPath(path) + this.keyPredicate(path, row)
  }

  keyPredicate(path: string, row: Row): string {
    const { key } = this.set(path).entityType
    const parts = key.map(({ name, type }) => {
      const value = literalText(row[name], type as PrimitiveTypeName)
      return key.length === 1 ? value : `${name}=${value}`
    })
    return `(${parts.join()})`
  }

  keyCondition(path: string, row: Row): string {
    const { key } = this.set(path).entityType
    const parts = key.map(
      ({ name, type }) =>
        `${name} eq ${decodeURIComponent(literalText(row[name], type as PrimitiveTypeName))}`,
    )
    return parts.length === 1 ? parts.join() : `(${parts.join(' and ')})`
  }
}
