import { didYouMean } from '../../errors/suggestions.js'
import { isRecord } from '../../util/is-record.js'
import type { ModelFaults } from './model-faults.js'

/** Where a value stands in a definition, and where to report what is wrong with it. */
export interface ShapeContext {
  readonly faults: ModelFaults
  /** Set to true when a value is of a kind that the building of the model would stumble over. */
  broken: boolean
}

/** Reports what a value must be and is not. */
export type Shape = (value: unknown, place: string, context: ShapeContext) => void

function primitive(kind: 'string' | 'boolean' | 'number', article: string): Shape {
  return (value, place, context) => {
    if (typeof value !== kind) refuse(`must be ${article}`, value, place, context)
  }
}

export const text = primitive('string', 'a string')
export const flag = primitive('boolean', 'true or false')
export const number = primitive('number', 'a number')

/** One of some strings. */
export function oneOf(...choices: readonly string[]): Shape {
  const names = choices.map((one) => `'${one}'`)
  const expected = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
  return (value, place, { faults }) => {
    if (choices.some((one) => one === value)) return
    const hint = typeof value === 'string' ? didYouMean(value, choices) : ''
    faults.add(place, `must be ${expected}, not ${describe(value)}.${hint}`)
  }
}

/** A string that a pattern matches. */
export function matching(pattern: RegExp, expected: string): Shape {
  return (value, place, context) => {
    text(value, place, context)
    if (typeof value === 'string' && !pattern.test(value)) {
      context.faults.add(place, `must be ${expected}, not ${describe(value)}.`)
    }
  }
}

/** Whatever the first shape accepts, else the second. */
export function either(first: (value: unknown) => boolean, one: Shape, other: Shape): Shape {
  return (value, place, context) => {
    if (first(value)) one(value, place, context)
    else other(value, place, context)
  }
}

/** An array whose items all have a shape. */
export function listOf(item: Shape): Shape {
  return (value, place, context) => {
    if (!Array.isArray(value)) {
      refuse('must be an array', value, place, context)
      return
    }
    for (const [index, one] of value.entries()) item(one, `${place}[${index}]`, context)
  }
}

/** An object of members by name, whatever their names. */
export function recordOf(member: Shape): Shape {
  return (value, place, context) => {
    if (!isRecord(value)) {
      refuse('must be an object of members by name', value, place, context)
      return
    }
    for (const [name, one] of Object.entries(value)) member(one, joined(place, name), context)
  }
}

/**
 * An object with these members. Those named in `required` must be there; a member that is unknown is reported but does
 * no harm.
 */
export function objectOf<T extends object>(
  members: { readonly [K in keyof Required<T>]: Shape },
  ...required: readonly (keyof T & string)[]
): Shape {
  const shapes = new Map<string, Shape>(Object.entries(members))
  return (value, place, context) => {
    if (!isRecord(value)) {
      refuse('must be an object', value, place, context)
      return
    }
    for (const name of required) {
      if (value[name] === undefined) fault(`needs a member '${name}'.`, place, context)
    }
    for (const [name, one] of Object.entries(value)) {
      const shape = shapes.get(name)
      if (shape === undefined) {
        const hint = misplacedHint(name, shapes) ?? didYouMean(name, shapes.keys())
        context.faults.add(place === '' ? 'model' : place, `there is no member '${name}' here.${hint}`)
      } else if (one !== undefined) {
        shape(one, joined(place, name), context)
      }
    }
  }
}

/** Members that are easily written one level too high, with where they belong. */
const holders: ReadonlyMap<string, string> = new Map([
  ['entitySets', 'entityContainer'],
  ['associationSets', 'entityContainer'],
  ['functionImports', 'entityContainer'],
])

function misplacedHint(name: string, shapes: ReadonlyMap<string, Shape>): string | undefined {
  const holder = holders.get(name)
  if (holder === undefined || !shapes.has(holder)) return undefined
  return ` It belongs in '${holder}': ${holder}: { ${name}: { … } }.`
}

/** A member of its own kind, for shapes that contain themselves. */
export function lazy(shape: () => Shape): Shape {
  return (value, place, context) => shape()(value, place, context)
}

function refuse(message: string, value: unknown, place: string, context: ShapeContext): void {
  fault(`${message}, not ${describe(value)}.`, place, context)
}

function fault(message: string, place: string, context: ShapeContext): void {
  context.faults.add(place === '' ? 'model' : place, message)
  context.broken = true
}

function describe(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}

function joined(place: string, name: string): string {
  return place === '' ? name : `${place}.${name}`
}
