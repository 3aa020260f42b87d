import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { ForeignKey } from '../../edm/relations.js'
import { keyText } from '../../evaluation/key-text.js'
import type { Row } from '../../evaluation/row.js'
import type { EntityTable } from './entity-table.js'

/** A referential constraint between two tables. */
export class TableForeignKey {
  readonly names: readonly string[]
  private readonly types: readonly PrimitiveTypeName[]
  private readonly principalNames: readonly string[]

  constructor(
    readonly definition: ForeignKey,
    readonly principal: EntityTable,
    readonly dependent: EntityTable,
  ) {
    const { principalProperties, dependentProperties } = definition.constraint
    this.types = dependentProperties.map(({ type }) => type as PrimitiveTypeName)
    this.names = dependentProperties.map(({ name }) => name)
    this.principalNames = principalProperties.map(({ name }) => name)
  }

  /** What a dependent row refers to; undefined when it refers to nothing. */
  textIn(dependent: Row): string | undefined {
    return keyText(dependent, this.names, this.types)
  }

  /** Rows that refer to a principal. */
  dependentsOf(principal: Row): readonly Row[] {
    return this.dependentsWith(keyText(principal, this.principalNames, this.types))
  }

  /** Rows with a text of the foreign key. */
  dependentsWith(text: string | undefined): readonly Row[] {
    return this.dependent.index(this.definition.constraint.dependentProperties).find(text)
  }

  hasPrincipal(text: string): boolean {
    return this.principal.index(this.definition.constraint.principalProperties).find(text).length > 0
  }
}
