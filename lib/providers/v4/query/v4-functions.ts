import type { Call } from '../../../query/expression.js'
import type { V4PropertyMapping } from '../../../csdl/v4/v4-mapping.js'

/** The types of the V4 service that an argument of a function can have. */
type Argument = readonly string[]

interface V4Function {
  readonly name: string
  readonly arguments: readonly Argument[]
  /** The order of the arguments, if it is another one. */
  readonly isSwapped?: boolean
  /** True if only services that are known to evaluate it as V2 does receive the function. */
  readonly isCapOnly?: boolean
}

const text = ['Edm.String']
const date = ['Edm.Date', 'Edm.DateTimeOffset']
const clock = ['Edm.TimeOfDay', 'Edm.DateTimeOffset']
const number = ['Edm.Decimal', 'Edm.Double', 'Edm.Int32']

/** The functions of V2 that V4 services evaluate with the same result. */
const functions: Readonly<Partial<Record<Call['name'], V4Function>>> = {
  substringof: { name: 'contains', arguments: [text, text], isSwapped: true },
  startswith: { name: 'startswith', arguments: [text, text] },
  endswith: { name: 'endswith', arguments: [text, text] },
  tolower: { name: 'tolower', arguments: [text] },
  toupper: { name: 'toupper', arguments: [text] },
  trim: { name: 'trim', arguments: [text], isCapOnly: true },
  length: { name: 'length', arguments: [text], isCapOnly: true },
  indexof: { name: 'indexof', arguments: [text, text], isCapOnly: true },
  concat: { name: 'concat', arguments: [text, text], isCapOnly: true },
  year: { name: 'year', arguments: [date] },
  month: { name: 'month', arguments: [date] },
  day: { name: 'day', arguments: [date] },
  hour: { name: 'hour', arguments: [clock], isCapOnly: true },
  minute: { name: 'minute', arguments: [clock], isCapOnly: true },
  second: { name: 'second', arguments: [clock], isCapOnly: true },
  floor: { name: 'floor', arguments: [number], isCapOnly: true },
  ceiling: { name: 'ceiling', arguments: [number], isCapOnly: true },
  // For floating-point numbers, V2 rounds halves to even.
  round: { name: 'round', arguments: [['Edm.Decimal']], isCapOnly: true },
}

/** Returns the function of the V4 service; undefined if the V2 service must evaluate it. */
export function v4FunctionOf({ name, arguments: given }: Call, isCap: boolean): V4Function | undefined {
  const found = functions[name]
  if (found === undefined || (found.isCapOnly === true && !isCap)) return undefined
  return found.arguments.length === given.length ? found : undefined
}

/** Returns true if a function accepts a property in all services: the time zone of fields of instants differs. */
export function acceptsArgument(argument: Argument, { type }: V4PropertyMapping, isCap: boolean): boolean {
  if (type.kind !== 'primitive') return false
  return argument.includes(type.name) && (isCap || type.name !== 'Edm.DateTimeOffset')
}
