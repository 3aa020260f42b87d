import { Random, seedOf } from './random.js'

/** Valid and once-failing inputs of a parser, and the tokens of its language. */
export interface Material {
  /** One character for each byte. */
  readonly corpus: readonly [string, ...string[]]
  readonly dictionary: readonly [string, ...string[]]
}

/** Strings that are invalid everywhere, or have a meaning to the runtime. */
const everywhere = [
  ...[
    '\0',
    '\r\n',
    '\n',
    ' ',
    '\t',
    "'",
    '"',
    '/',
    '(',
    ')',
    '%',
    '%00',
    '%27',
    '%2F',
    '&',
    '<',
    '>',
    '\\',
    ',',
    '=',
  ],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '-1',
    '0',
    '1e400',
    '2147483648',
  ],
  ...[
    '99999999999999999999',
    '\xc3',
    '\xed\xa0\x80',
    '\xef\xbb\xbf',
    '\xf0\x9f\x98\x80',
    '\xff',
    'NaN',
    'null',
  ],
] as const

/** Inputs do not grow without bound, whatever happens to them. */
const longest = 20_000

type Mutation = (text: string, random: Random, material: Material) => string

/** Returns a part of a string, usually a short one. */
function span(text: string, random: Random): [start: number, end: number] {
  const start = random.below(text.length + 1)
  const most = random.below(4) === 0 ? text.length : 12
  return [start, Math.min(text.length, start + random.below(most + 1))]
}

function replaced(text: string, start: number, end: number, chunk: string): string {
  return text.slice(0, start) + chunk + text.slice(end)
}

const flipBit: Mutation = (text, random) => {
  const at = random.below(text.length + 1)
  const flipped = (text.charCodeAt(at) || 0) ^ (1 << random.below(8))
  return replaced(text, at, at + 1, String.fromCharCode(flipped & 255))
}

const deleteChunk: Mutation = (text, random) => replaced(text, ...span(text, random), '')

const repeatChunk: Mutation = (text, random) => {
  const [start, end] = span(text, random)
  const times = random.oneOf([2, 2, 3, 10, 200])
  return replaced(text, start, end, text.slice(start, end).repeat(times))
}

const moveChunk: Mutation = (text, random) => {
  const [start, end] = span(text, random)
  const rest = replaced(text, start, end, '')
  const at = random.below(rest.length + 1)
  return replaced(rest, at, at, text.slice(start, end))
}

const insertToken: Mutation = (text, random, { dictionary }) => {
  const token = random.below(3) === 0 ? random.oneOf(everywhere) : random.oneOf(dictionary)
  const [start, end] = span(text, random)
  return replaced(text, start, random.below(2) === 0 ? start : end, token)
}

/** The beginning of one input and the end of another. */
const splice: Mutation = (text, random, { corpus }) => {
  const other = random.oneOf(corpus)
  return text.slice(0, random.below(text.length + 1)) + other.slice(random.below(other.length + 1))
}

const mutations: readonly [Mutation, ...Mutation[]] = [
  flipBit,
  deleteChunk,
  repeatChunk,
  moveChunk,
  insertToken,
  insertToken,
  splice,
]

/**
 * Returns an input with a few errors, or none.
 *
 * @param index the index of the input among those of the seed
 * @returns one character for each byte; always the same for the same corpus, seed and index
 */
export function mutated(material: Material, seed: number, index: number): string {
  const random = new Random(seedOf(seed, index))
  let text = random.oneOf(material.corpus)
  for (let left = random.oneOf([0, 1, 1, 1, 2, 2, 3, 5]); left > 0; left--) {
    text = random.oneOf(mutations)(text, random, material).slice(0, longest)
  }
  return text
}
