import { didYouMean, nearest } from '../../errors/suggestions.js'
import type { SchemaDefinition } from '../model-definition.js'
import { primitiveTypeNames } from '../primitive-types/primitive-type-name.js'
import type { ModelErrors } from './model-error.js'

const plainIdentifier = /^[A-Za-z_][A-Za-z0-9_]*$/
const simpleIdentifier = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]*$/u
const MAX_NAME_LENGTH = 480

/** Reports an invalid name. @spec MC-CSDL 2.2.6 (SimpleIdentifier) */
export function checkName(name: string, place: string, errors: ModelErrors): void {
  // Nearly all names are plain identifiers, and the other pattern takes milliseconds to compile.
  const isIdentifier = plainIdentifier.test(name) || simpleIdentifier.test(name)
  if (isIdentifier && name.length <= MAX_NAME_LENGTH) return
  const rest = name.slice(name.lastIndexOf('.') + 1)
  const hint = rest === name ? '' : ` Write '${rest}': the schema adds the namespace.`
  errors.add(
    place,
    `'${name}' is not a valid name: names start with a letter, consist of letters, digits and underscores, and have at most ${MAX_NAME_LENGTH} characters.${hint}`,
  )
}

const reservedNames: readonly string[] = ['__metadata', '__deferred']

/** Reports an invalid or reserved name of a property. @spec MS-ODATA 2.2.6.3.3, 2.2.6.3.9 (`__metadata`, `__deferred`) */
export function checkPropertyName(name: string, place: string, errors: ModelErrors): void {
  checkName(name, place, errors)
  if (!reservedNames.includes(name)) return
  errors.add(place, `the name '${name}' is reserved in JSON. Rename the property.`)
}

/** Resolves the names that a schema uses for types and associations: simple ones, or qualified by namespace or alias. */
export class NameScope<T> {
  constructor(
    private readonly schema: SchemaDefinition,
    private readonly all: ReadonlyMap<string, T>,
    private readonly errors: ModelErrors,
  ) {}

  find(name: string): T | undefined {
    return this.all.get(this.qualify(name))
  }

  /**
   * Finds a type or association, and reports an unknown name.
   *
   * @param kind the kind of the element, for example `entity type`
   * @param purpose a phrase that follows the name in the error message
   */
  resolve(name: string, kind: string, place: string, purpose = ''): T | undefined {
    const found = this.find(name)
    if (found === undefined) {
      this.errors.add(place, `there is no ${kind} '${name}'${purpose}.${this.suggest(name)}`)
    }
    return found
  }

  private qualify(name: string): string {
    const dot = name.lastIndexOf('.')
    if (dot < 0) return `${this.schema.namespace}.${name}`
    const prefix = name.slice(0, dot)
    const rest = name.slice(dot + 1)
    if (prefix === this.schema.alias) return `${this.schema.namespace}.${rest}`
    const using = this.schema.usings?.find(({ alias }) => alias === prefix)
    return using === undefined ? name : `${using.namespace}.${rest}`
  }

  /** Suggests a similar name, unqualified if it belongs to the schema itself. */
  suggest(name: string): string {
    const prefix = `${this.schema.namespace}.`
    const names = [...this.all.keys()]
    const own = names.filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length))
    return didYouMean(name, name.includes('.') ? names : [...own, ...names])
  }
}

const EDM_PREFIX = 'Edm.'
const shortNames = primitiveTypeNames.map((name) => name.slice(EDM_PREFIX.length))

/** Suggests a primitive type for a name that is misspelt or lacks the prefix `Edm.`. */
export function suggestPrimitiveType(name: string): string {
  // The common prefix must not make different names similar.
  const best = nearest(name.replace(/^edm\./i, ''), shortNames)
  return best === undefined ? '' : ` Did you mean '${EDM_PREFIX}${best}'?`
}
