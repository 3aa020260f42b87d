import { didYouMean } from '../../errors/suggestions.js'
import type { SchemaDefinition } from '../model-definition.js'
import type { ModelFaults } from './model-faults.js'

const plainIdentifier = /^[A-Za-z_][A-Za-z0-9_]*$/
const simpleIdentifier = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]*$/u
const maximumLength = 480

/** Reports a name that CSDL does not allow. @spec MC-CSDL 2.2.6 (SimpleIdentifier) */
export function checkName(name: string, place: string, faults: ModelFaults): void {
  // Nearly all names are plain, and the pattern of the others takes milliseconds to compile.
  const isIdentifier = plainIdentifier.test(name) || simpleIdentifier.test(name)
  if (isIdentifier && name.length <= maximumLength) return
  const rest = name.slice(name.lastIndexOf('.') + 1)
  const hint = rest === name ? '' : ` Write '${rest}' alone: the namespace is that of the schema.`
  faults.add(
    place,
    `'${name}' is not a name: it must start with a letter, hold letters, digits and underscores, and have at most ${maximumLength} characters.${hint}`,
  )
}

const reservedNames: readonly string[] = ['__metadata', '__deferred']

/** Reports a name that no property can have. @spec MS-ODATA 2.2.6.3.3, 2.2.6.3.9 (`__metadata`, `__deferred`) */
export function checkPropertyName(name: string, place: string, faults: ModelFaults): void {
  checkName(name, place, faults)
  if (!reservedNames.includes(name)) return
  faults.add(place, `in JSON, '${name}' is what a service says of an entity. Give the property another name.`)
}

/** Finds things by the names that a schema uses for them: alone, or after a namespace or alias. */
export class NameScope<T> {
  constructor(
    private readonly schema: SchemaDefinition,
    private readonly all: ReadonlyMap<string, T>,
  ) {}

  find(name: string): T | undefined {
    return this.all.get(this.qualify(name))
  }

  /** The qualified name that `name` stands for in this schema. */
  qualify(name: string): string {
    const dot = name.lastIndexOf('.')
    if (dot < 0) return `${this.schema.namespace}.${name}`
    const prefix = name.slice(0, dot)
    const rest = name.slice(dot + 1)
    if (prefix === this.schema.alias) return `${this.schema.namespace}.${rest}`
    const using = this.schema.usings?.find(({ alias }) => alias === prefix)
    return using === undefined ? name : `${using.namespace}.${rest}`
  }

  /** A hint for a name that was not found, in the short form when the schema itself has the thing. */
  suggest(name: string): string {
    const prefix = `${this.schema.namespace}.`
    const names = [...this.all.keys()]
    const own = names.filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length))
    return didYouMean(name, name.includes('.') ? names : [...own, ...names])
  }
}
