import { fc } from './random.js'

const strings = [
  '',
  'a',
  "it''s",
  'Gouda',
  '100%',
  'a&b',
  'é',
  'x\\y',
  "eq ''b'' or",
  '2012-05-29T09:13:28',
  '2012-05-29T09:13:28.1234567Z',
  '2012-02-30T00:00:00',
  'PT9H13M',
  '12345678-aaaa-BBBB-cccc-ddddeeeeffff',
  '0fA0',
  'Edm.String',
  'NW.Person',
]
const numbers = [
  ...['0', '1', '-1', '7', '255', '-129', '40000', '2147483648', '9007199254740993', '1e5', '-0.0', '1e400'],
  ...['2.5', '0.1', '3L', '2.5M', '2D', '0.5f', '1.5L', '100000000000000000000', '1e2M', '5x', '00012'],
]
const literal = /'(?:[^']|'')*'|(?<![\w.'])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?[LMDFlmdf]?/g

/** Values for the literals of a filter. Many of them are invalid, or of another type. */
export type OtherValues = readonly (readonly [string: string, number: string])[]

export const otherValues: fc.Arbitrary<OtherValues> = fc.array(
  fc.tuple(fc.constantFrom(...strings), fc.constantFrom(...numbers)),
  { minLength: 1, maxLength: 5 },
)

/** Replaces the values in a filter: those in quotes by strings, others by numbers. */
export function withValues(filter: string, values: OtherValues): string {
  let index = 0
  return filter.replace(literal, (found) => {
    const [string, number] = values[index++ % values.length] ?? ['', '0']
    return found.startsWith("'") ? `'${string}'` : number
  })
}
