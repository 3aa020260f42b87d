import { defineModel } from '../../../lib/edm/define-model.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import type {
  AssociationDefinition,
  AssociationSetDefinition,
  EntityTypeDefinition,
  FunctionImportDefinition,
  NavigationPropertyDefinition,
  PropertyDefinition,
} from '../../../lib/edm/model-definition.js'
import type { Random } from '../../fuzz/mutation/random.js'

type Open<T> = { -readonly [Name in keyof T]: T[Name] }

interface TypePlan {
  readonly name: string
  readonly key: string[]
  readonly properties: Record<string, PropertyDefinition>
  readonly navigationProperties: Record<string, NavigationPropertyDefinition>
  readonly sets: string[]
  /** Names of the sets with whose keys the key of this type begins. */
  parent: TypePlan | undefined
}

const keyTypes = ['Edm.Int32', 'Edm.String', 'Edm.Guid', 'Edm.Int64', 'Edm.Int32'] as const
const valueTypes = [
  ...(['Edm.String', 'Edm.Int32', 'Edm.Decimal', 'Edm.Boolean', 'Edm.DateTime', 'Edm.Double'] as const),
  ...(['Edm.Int64', 'Edm.Guid', 'Edm.String', 'Edm.Int16'] as const),
] as const

/** A property by which specs tell the rows of a set apart. */
export const markName = 'Mark'

/**
 * A random model: types with keys of one or more parts, with complex properties, derived types, several sets of one
 * type, functions, and associations of every kind, to the type itself as well.
 */
export function randomModel(random: Random): EdmModel {
  return new ModelMaker(random).make()
}

class ModelMaker {
  private readonly types: TypePlan[] = []
  private readonly derived: Record<string, EntityTypeDefinition> = {}
  private readonly associations: Record<string, AssociationDefinition> = {}
  private readonly associationSets: Record<string, AssociationSetDefinition> = {}

  constructor(private readonly random: Random) {}

  make(): EdmModel {
    const count = 2 + this.random.below(4)
    for (let index = 0; index < count; index++) this.addType(index)
    const links = 1 + this.random.below(count + 3)
    for (let index = 0; index < links; index++) this.addAssociation(index)
    for (const type of this.types) if (this.chance(4)) this.addDerived(type)
    const entitySets = this.types.flatMap(({ name, sets }) => sets.map((set) => [set, { entityType: name }]))
    const entityTypes = this.types.map(({ name, key, properties, navigationProperties }) => [
      name,
      { key, properties, navigationProperties },
    ])
    return defineModel({
      namespace: 'RM',
      complexTypes: {
        Outer: {
          properties: {
            Word: { type: 'Edm.String' },
            Inner: { type: 'Inner', nullable: false },
          },
        },
        Inner: { properties: { Number: { type: 'Edm.Int32' } } },
      },
      entityTypes: { ...(Object.fromEntries(entityTypes) as object), ...this.derived },
      associations: this.associations,
      entityContainer: {
        entitySets: Object.fromEntries(entitySets) as Record<string, { entityType: string }>,
        associationSets: this.associationSets,
        functionImports: this.functions(),
      },
    })
  }

  /** Returns true with a probability of 1 in `times`. */
  private chance(times: number): boolean {
    return this.random.below(times) === 0
  }

  private addType(index: number): void {
    const name = `T${index}`
    const type: TypePlan = {
      name,
      key: [],
      properties: {},
      navigationProperties: {},
      sets: this.chance(4) ? [`S${index}`, `S${index}Old`] : [`S${index}`],
      parent: undefined,
    }
    for (let part = this.random.below(3) === 0 ? 2 : 1; part > 0; part--) {
      const key = `K${part}`
      type.key.push(key)
      type.properties[key] = { type: this.random.oneOf(keyTypes), nullable: false }
    }
    type.properties[markName] = { type: 'Edm.Int32', nullable: false }
    for (let number = this.random.below(4); number >= 0; number--) {
      type.properties[`P${number}`] = this.property()
    }
    if (this.chance(3)) type.properties.Detail = { type: 'Outer', nullable: false }
    this.types.push(type)
  }

  private property(): PropertyDefinition {
    const type = this.random.oneOf(valueTypes)
    return {
      type,
      ...(type === 'Edm.Decimal' ? { precision: 12, scale: 2 } : {}),
      ...(this.chance(8) ? { concurrencyMode: 'Fixed' as const } : {}),
    }
  }

  private addDerived(base: TypePlan): void {
    this.derived[`${base.name}Sub`] = { baseType: base.name, properties: { Extra: this.property() } }
  }

  private addAssociation(index: number): void {
    const [first] = this.types
    if (first === undefined) return
    const choices: [TypePlan, ...TypePlan[]] = [first, ...this.types.slice(1)]
    const from = this.random.oneOf(choices)
    const to = this.random.oneOf(choices)
    const name = `A${index}`
    const ends: readonly [one: '0..1' | '*', other: '0..1' | '*'] = this.random.oneOf([
      ['*', '0..1'],
      ['*', '0..1'],
      ['*', '*'],
      ['0..1', '0..1'],
    ])
    const association: Open<AssociationDefinition> = {
      ends: {
        From: { type: from.name, multiplicity: ends[0] },
        To: { type: to.name, multiplicity: ends[1] },
      },
    }
    if (ends[1] === '0..1' && !this.chance(3)) {
      association.referentialConstraint = {
        principal: { role: 'To', properties: to.key },
        dependent: { role: 'From', properties: this.foreignKey(name, from, to, ends[0] === '*') },
      }
    }
    this.associations[name] = association
    this.addNavigation(name, from, to)
    this.addSets(name, from, to)
  }

  /** Properties of the dependent that hold the key of the principal: own ones, or the first part of its key. */
  private foreignKey(name: string, from: TypePlan, to: TypePlan, mayBeKey: boolean): string[] {
    const [first] = from.key
    const [single, second] = to.key
    const isFree = from.parent === undefined && first !== undefined && from.key.length > 1 && from !== to
    if (mayBeKey && isFree && single !== undefined && second === undefined && to.parent !== from) {
      const type = to.properties[single]?.type ?? 'Edm.Int32'
      if (from.properties[first]?.type === type) {
        from.parent = to
        return [first]
      }
    }
    return to.key.map((key) => {
      const property = `${name}${key}`
      from.properties[property] = { type: to.properties[key]?.type ?? 'Edm.Int32' }
      return property
    })
  }

  private addNavigation(name: string, from: TypePlan, to: TypePlan): void {
    const sides = this.random.below(4)
    const relationship = name
    if (sides !== 1) {
      from.navigationProperties[`${name}To`] = { relationship, fromRole: 'From', toRole: 'To' }
    }
    if (sides !== 2) {
      to.navigationProperties[`${name}From`] = { relationship, fromRole: 'To', toRole: 'From' }
    }
  }

  /** Each set is in one association set of an association at most, so that it is known where links lead. */
  private addSets(association: string, from: TypePlan, to: TypePlan): void {
    for (const [index, set] of from.sets.entries()) {
      const other = to.sets[index]
      if (other === undefined || (index > 0 && this.chance(2))) break
      this.associationSets[index === 0 ? association : `${association}Old`] = {
        association,
        ends: { From: set, To: other },
      }
    }
  }

  private functions(): Record<string, FunctionImportDefinition> {
    const all: Record<string, FunctionImportDefinition> = {}
    for (const { name, sets } of this.types) {
      const [entitySet = ''] = sets
      if (!this.chance(2)) continue
      all[`All${entitySet}`] = { returnType: `Collection(${name})`, entitySet, httpMethod: 'GET' }
      all[`One${entitySet}`] = {
        returnType: name,
        entitySet,
        httpMethod: 'GET',
        parameters: { mark: { type: 'Edm.Int32' } },
      }
    }
    return all
  }
}
