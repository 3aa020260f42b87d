import { didYouMean } from '../../errors/suggestions.js'
import { describeValue } from '../../util/describe-value.js'
import { isRecord } from '../../util/is-record.js'
import type { ModelErrors } from './model-error.js'

/** The result of checking a definition. */
interface ShapeContext {
  readonly errors: ModelErrors
  /** Set to true for errors with which the model cannot be built. */
  broken: boolean
}

/** Reports a value of the wrong type. */
export type Shape = (value: unknown, place: string, context: ShapeContext) => void

/** The shape of a member that must be present. */
interface RequiredShape {
  readonly required: Shape
}

export function required(shape: Shape): RequiredShape {
  return { required: shape }
}

function primitive(kind: 'string' | 'boolean' | 'number' | 'function', article: string): Shape {
  return (value, place, context) => {
    if (typeof value !== kind) refuse(`must be ${article}`, value, place, context)
  }
}

export const text = primitive('string', 'a string')
export const flag = primitive('boolean', 'true or false')
export const number = primitive('number', 'a number')
export const callable = primitive('function', 'a function')

/** Accepts some strings. */
export function oneOf(...choices: readonly string[]): Shape {
  const names = choices.map((one) => `'${one}'`)
  const expected = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
  return (value, place, { errors }) => {
    if (choices.some((one) => one === value)) return
    const hint = typeof value === 'string' ? didYouMean(value, choices) : ''
    errors.add(place, `must be ${expected}, not ${describeValue(value)}.${hint}`)
  }
}

/** Accepts strings that match a pattern. */
export function matching(pattern: RegExp, expected: string): Shape {
  return (value, place, context) => {
    text(value, place, context)
    if (typeof value === 'string' && !pattern.test(value)) {
      context.errors.add(place, `must be ${expected}, not ${describeValue(value)}.`)
    }
  }
}

/** Chooses between two shapes by a predicate. */
export function either(isFirst: (value: unknown) => boolean, first: Shape, second: Shape): Shape {
  return (value, place, context) => {
    ;(isFirst(value) ? first : second)(value, place, context)
  }
}

/** Accepts arrays. */
export function listOf(item: Shape): Shape {
  return (value, place, context) => {
    if (!Array.isArray(value)) {
      refuse('must be an array', value, place, context)
      return
    }
    for (const [index, one] of value.entries()) item(one, `${place}[${index}]`, context)
  }
}

/** Accepts objects with members of any name. */
export function recordOf(member: Shape): Shape {
  return (value, place, context) => {
    if (!isRecord(value)) {
      refuse('must be an object with members by name', value, place, context)
      return
    }
    for (const [name, one] of Object.entries(value)) member(one, joined(place, name), context)
  }
}

/** The shapes of the members of a type. The compiler checks which ones are required. */
export type ShapesOf<T> = {
  readonly [K in keyof Required<T>]: undefined extends T[K] ? Shape : RequiredShape
}

/** Accepts objects with the members of a type. Unknown members are reported, but do not prevent building the model. */
export function objectOf<T extends object>(members: ShapesOf<T>): Shape {
  const entries = Object.entries<Shape | RequiredShape>(members)
  const requiredNames = entries.filter(([, shape]) => typeof shape !== 'function').map(([name]) => name)
  const shapes = new Map(
    entries.map(([name, shape]) => [name, typeof shape === 'function' ? shape : shape.required]),
  )
  return (value, place, context) => {
    if (!isRecord(value)) {
      refuse('must be an object', value, place, context)
      return
    }
    for (const name of requiredNames) {
      if (value[name] === undefined) report(`the member '${name}' is missing.`, place, context)
    }
    for (const [name, one] of Object.entries(value)) {
      const shape = shapes.get(name)
      if (shape === undefined) {
        const hint = misplacedHint(name, shapes) ?? didYouMean(name, shapes.keys())
        context.errors.add(place === '' ? 'model' : place, `there is no member '${name}' here.${hint}`)
      } else if (one !== undefined) {
        shape(one, joined(place, name), context)
      }
    }
  }
}

/** Members that are often misplaced one level too high, and the member to which they belong. */
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

function refuse(message: string, value: unknown, place: string, context: ShapeContext): void {
  report(`${message}, not ${describeValue(value)}.`, place, context)
}

function report(message: string, place: string, context: ShapeContext): void {
  context.errors.add(place === '' ? 'model' : place, message)
  context.broken = true
}

function joined(place: string, name: string): string {
  return place === '' ? name : `${place}.${name}`
}
