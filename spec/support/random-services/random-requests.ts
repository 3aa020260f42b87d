import type {
  EdmModel,
  EntitySet,
  EntityType,
  NavigationProperty,
  Property,
} from '../../../lib/edm/edm-model.js'
import type { PlainRow } from '../../contracts/contract-data.js'
import type { Random } from '../../fuzz/mutation/random.js'
import type { RandomData } from './random-data.js'
import { markName } from './random-model.js'

/** A value that an expression can name, by its path, and a property that has such values. */
interface Operand {
  readonly path: string
  readonly property: Property
  /** The set and the path within its rows from which literals are taken. */
  readonly set: EntitySet
  readonly members: readonly string[]
}

/** Makes random requests and filters on a model. Literals and keys are often those of its data. */
export class RandomRequests {
  constructor(
    private readonly random: Random,
    private readonly model: EdmModel,
    private readonly data: RandomData,
  ) {}

  /** Path and query of a read below the service root, encoded. */
  request(): string {
    const { entitySets, functionImports } = this.model.defaultContainer
    const called = functionImports[this.random.below(functionImports.length * 4 || 1)]
    if (called?.entitySet !== undefined) {
      const { name, entitySet } = called
      if (called.returnType?.isCollection === true) return this.feed(name, entitySet, false)
      return this.entity(name, entitySet, 2, `mark=${this.random.below(4)}`)
    }
    const set = entitySets[this.random.below(entitySets.length)]
    if (set === undefined) return '/'
    return this.collection(set.name, set, 3)
  }

  /** A condition on the entities of a set. */
  filter(set: EntitySet, parts = 1 + this.random.below(2)): string {
    if (parts > 1) {
      const operator = this.pick(['and', 'or', 'and'])
      return `(${this.filter(set, parts - 1)}) ${operator} ${this.filter(set, 1)}`
    }
    const condition = this.condition(set)
    return this.once(5) ? `not (${condition})` : condition
  }

  /** Sometimes a condition whose evaluation fails for some values. */
  private clientFilter(set: EntitySet): string {
    const failing = this.once(3) ? this.failing(set) : undefined
    if (failing === undefined) return this.filter(set)
    return this.pick([`${this.filter(set)} and ${failing}`, failing, `not (${failing})`])
  }

  /** Exceeds a limit for strings that contain an `a`, or for numbers that are not zero. */
  private failing(set: EntitySet): string | undefined {
    const { path, property } = this.operand(set, this.random.below(3))
    if (property.type === 'Edm.String') {
      return `length(${'replace('.repeat(6)}${path}${",'a','aaaaaaaaaa')".repeat(6)}) gt 0`
    }
    const factor = `1${'0'.repeat(59)}M`
    return property.type === 'Edm.Decimal' ? `${path} mul ${factor} mul 10M gt 0M` : undefined
  }

  private collection(path: string, set: EntitySet, steps: number): string {
    if (this.once(3)) return this.feed(path, set)
    return this.entity(`${path}(${this.key(set)})`, set, steps)
  }

  private feed(path: string, set: EntitySet, hasCount = true): string {
    if (hasCount && this.once(6))
      return address(`${path}/$count`, this.options(set, ['$filter', '$top', '$skip']))
    const names = ['$filter', '$orderby', '$skip', '$top', '$inlinecount', '$expand', '$select']
    return address(path, this.options(set, names))
  }

  private entity(path: string, set: EntitySet, steps: number, query = ''): string {
    const ways = set.entityType.navigationProperties
    const way = ways[this.random.below(ways.length || 1)]
    const target = way === undefined ? undefined : set.targetOf(way)
    if (steps > 0 && way !== undefined && target !== undefined && !this.once(3)) {
      if (this.once(5)) return this.links(path, way, target, query)
      if (!way.isCollection) return this.entity(`${path}/${way.name}`, target, steps - 1, query)
      const further = this.collection(`${path}/${way.name}`, target, steps - 1)
      return query === '' ? further : `${further}${further.includes('?') ? '&' : '?'}${query}`
    }
    switch (this.random.below(8)) {
      case 0:
        return address(`${path}/$count`, {}, query)
      case 1:
      case 2:
        return address(`${path}/${this.propertyPath(set)}`, {}, query)
      default:
        return address(path, this.options(set, ['$filter', '$expand', '$select']), query)
    }
  }

  private links(path: string, way: NavigationProperty, target: EntitySet, query: string): string {
    const at = `${path}/$links/${way.name}`
    if (!way.isCollection) return address(at, {}, query)
    if (this.once(4)) return address(`${at}/$count`, this.options(target, ['$filter']), query)
    if (this.once(4)) return address(`${at}(${this.key(target)})`, {}, query)
    const names = ['$filter', '$orderby', '$skip', '$top', '$inlinecount']
    return address(at, this.options(target, names), query)
  }

  private propertyPath({ entityType }: EntitySet): string {
    const property = entityType.properties[this.random.below(entityType.properties.length)]
    if (property === undefined) return markName
    if (typeof property.type !== 'string') {
      return this.pick([property.name, `${property.name}/Word`, `${property.name}/Inner/Number/$value`])
    }
    return this.once(2) ? property.name : `${property.name}/$value`
  }

  private options(set: EntitySet, names: readonly string[]): Record<string, string> {
    const options: Record<string, string> = {}
    for (const name of names) {
      if (!this.once(3)) continue
      const value = this.option(name, set)
      if (value !== undefined) options[name] = value
    }
    return options
  }

  private option(name: string, set: EntitySet): string | undefined {
    switch (name) {
      case '$filter':
        return this.clientFilter(set)
      case '$orderby':
        return Array.from({ length: 1 + this.random.below(2) }, () => this.order(set)).join(',')
      case '$skip':
        return String(this.random.below(3))
      case '$top':
        return String(this.random.below(6))
      case '$inlinecount':
        return 'allpages'
      case '$expand':
        return this.expand(set)
      default:
        return this.select(set)
    }
  }

  private order(set: EntitySet): string {
    const { path } = this.operand(set, this.random.below(3))
    return `${path}${this.pick(['', ' asc', ' desc'])}`
  }

  private expand(set: EntitySet): string | undefined {
    const paths = new Set<string>()
    for (let count = 1 + this.random.below(2); count > 0; count--) {
      const names: string[] = []
      for (let at: EntitySet | undefined = set, depth = 1 + this.random.below(3); at && depth > 0; depth--) {
        const ways = navigable(at)
        const way: NavigationProperty | undefined = ways[this.random.below(ways.length || 1)]
        if (way === undefined) break
        names.push(way.name)
        at = at.targetOf(way)
      }
      if (names.length > 0) paths.add(names.join('/'))
    }
    return paths.size === 0 ? undefined : [...paths].join(',')
  }

  private select(set: EntitySet): string {
    const { properties } = set.entityType
    const names = [...properties.map(({ name }) => name), ...navigable(set).map(({ name }) => name), '*']
    return [...new Set([this.pick(names), this.pick(names)])].join(',')
  }

  /** The values of a key, most often of one that is there. */
  key(set: EntitySet): string {
    const { key } = set.entityType
    const rows = this.data.rows.get(set.name) ?? []
    const row = rows[this.random.below(rows.length || 1)]
    const values = key.map((property) => {
      const value = this.once(12) ? undefined : row?.[property.name]
      return encodeURIComponent(literal(property, value))
    })
    return key.length === 1
      ? (values[0] ?? '')
      : key.map(({ name }, index) => `${name}=${values[index]}`).join(',')
  }

  private condition(set: EntitySet): string {
    const operand = this.operand(set, this.random.below(3))
    const { path, property } = operand
    const ways = navigable(set).filter(({ isCollection }) => !isCollection)
    const way = ways[this.random.below(ways.length * 6 || 1)]
    if (way !== undefined) return `${way.name} ${this.pick(['eq', 'ne'])} null`
    const [derived] = set.entityType.derivedTypes
    if (derived !== undefined && this.once(6)) return `isof('${derived.qualifiedName}')`
    if (this.once(8)) return `${path} ${this.pick(['eq', 'ne'])} null`
    const text = literal(property, this.valueOf(operand))
    if (property.type === 'Edm.Boolean' && this.once(2)) return path
    if (property.type === 'Edm.String' && this.once(2)) {
      return this.pick([
        `startswith(${path},${text})`,
        `substringof(${text},${path})`,
        `length(${path}) gt 1`,
        `tolower(concat(${path},'b')) eq 'ab'`,
      ])
    }
    if (property.type === 'Edm.DateTime' && this.once(3)) return `year(${path}) eq 2012`
    const isOrdered = property.type !== 'Edm.Boolean'
    return `${path} ${this.pick(isOrdered ? ['eq', 'ne', 'lt', 'le', 'gt', 'ge'] : ['eq', 'ne'])} ${text}`
  }

  /** Generates an operand with a simple property of an entity, or of one that is at most `steps` navigations away. */
  private operand(set: EntitySet, steps: number): Operand {
    const names: string[] = []
    let at = set
    for (let left = steps; left > 0; left--) {
      const ways = navigable(at).filter(({ isCollection }) => !isCollection)
      const way = ways[this.random.below(ways.length || 1)]
      const target = way === undefined ? undefined : at.targetOf(way)
      if (way === undefined || target === undefined) break
      names.push(way.name)
      at = target
    }
    const { property, members } = this.simpleProperty(at.entityType)
    return { path: [...names, ...members].join('/'), property, set: at, members }
  }

  private simpleProperty({ properties, key }: EntityType): {
    property: Property
    members: readonly string[]
  } {
    let property = properties[this.random.below(properties.length)] ?? key[0]
    const members: string[] = []
    while (property !== undefined) {
      members.push(property.name)
      if (typeof property.type === 'string') return { property, members }
      property = property.type.properties[this.random.below(property.type.properties.length)]
    }
    throw new Error('A type without properties.')
  }

  /** A value that some row has. */
  private valueOf({ set, members }: Operand): unknown {
    const rows = this.data.rows.get(set.name) ?? []
    const row: unknown = rows[this.random.below(rows.length || 1)]
    return members.reduce<unknown>((owner, name) => (owner as PlainRow | undefined)?.[name], row)
  }

  private once(times: number): boolean {
    return this.random.below(times) === 0
  }

  private pick(choices: readonly string[]): string {
    return choices[this.random.below(choices.length)] ?? ''
  }
}

/** The navigation properties that lead to a set. */
function navigable(set: EntitySet): readonly NavigationProperty[] {
  return set.entityType.navigationProperties.filter((one) => set.targetOf(one) !== undefined)
}

/** Formats a value as a literal of a URI that is not yet encoded; a default value for null. */
function literal({ type }: Property, value: unknown): string {
  const text = String(value)
  const isThere = value !== undefined && value !== null
  switch (type) {
    case 'Edm.String':
      return isThere ? `'${text.replaceAll("'", "''")}'` : "'?'"
    case 'Edm.Guid':
      return `guid'${isThere ? text : '99999999-0000-4000-8000-000000000000'}'`
    case 'Edm.DateTime':
      return `datetime'${isThere ? text : '2000-01-01T00:00:00'}'`
    case 'Edm.Decimal':
      return `${isThere ? text : '3'}M`
    case 'Edm.Double':
      return `${isThere ? text : '3'}D`
    case 'Edm.Int64':
      return `${isThere ? text : '3'}L`
    case 'Edm.Boolean':
      return isThere ? text : 'true'
    default:
      return isThere ? text : '99'
  }
}

function address(path: string, options: Readonly<Record<string, string>>, query = ''): string {
  const pairs = Object.entries(options).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const all = query === '' ? pairs : [...pairs, query]
  return `/${path}${all.length === 0 ? '' : `?${all.join('&')}`}`
}
