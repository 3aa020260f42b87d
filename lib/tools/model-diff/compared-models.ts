import type { ComplexType, EdmModel, EntityType } from '../../edm/edm-model.js'
import type { SapRestrictions } from '../../edm/sap-annotations.js'
import { sapRestrictionsOf } from '../../edm/sap-annotations.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { nameOfType } from '../../edm/edm-model.js'

/** Two models, and how the names of their types correspond. */
export class ComparedModels {
  /** A renamed namespace: the only one that disappeared, and the only one that appeared. */
  readonly renamed: { readonly before: string; readonly after: string } | undefined
  readonly restrictionsBefore: SapRestrictions | undefined
  readonly restrictionsAfter: SapRestrictions | undefined

  constructor(
    readonly before: EdmModel,
    readonly after: EdmModel,
  ) {
    this.renamed = renamedNamespace(namespacesOf(before), namespacesOf(after))
    this.restrictionsBefore = sapRestrictionsOf(before)
    this.restrictionsAfter = sapRestrictionsOf(after)
  }

  /** The name of a type of the old model in the new one. */
  nameAfter(type: PrimitiveTypeName | ComplexType | EntityType): string {
    if (typeof type === 'string' || type.namespace !== this.renamed?.before) return nameOfType(type)
    return `${this.renamed.after}.${type.name}`
  }

  isSameType(
    before: PrimitiveTypeName | ComplexType | EntityType,
    after: PrimitiveTypeName | ComplexType | EntityType,
  ): boolean {
    return this.nameAfter(before) === nameOfType(after)
  }
}

function namespacesOf({ entityTypes, complexTypes }: EdmModel): string[] {
  return [...new Set([...entityTypes.values(), ...complexTypes.values()].map(({ namespace }) => namespace))]
}

function renamedNamespace(before: readonly string[], after: readonly string[]): ComparedModels['renamed'] {
  const [gone, ...otherGone] = before.filter((one) => !after.includes(one))
  const [come, ...otherCome] = after.filter((one) => !before.includes(one))
  if (gone === undefined || come === undefined || otherGone.length > 0 || otherCome.length > 0)
    return undefined
  return { before: gone, after: come }
}
