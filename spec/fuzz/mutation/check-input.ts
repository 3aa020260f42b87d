import { deepStrictEqual } from 'node:assert'
import { ODataError } from '../../../lib/errors/odata-error.js'

/** Runs what a client can cause; undefined when it was refused as a client must be refused. */
export function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action()
  } catch (error) {
    checkRefusal(error)
    return undefined
  }
}

/** @throws the error unless it is one of the client with a message */
function checkRefusal(error: unknown): void {
  if (!(error instanceof ODataError) || error.status < 400 || error.status >= 500) throw error
  if (error.message === '') throw new Error('The message is empty.', { cause: error })
}

/** Checks that a printed and parsed value equals the original. */
export function mustEqual(again: unknown, first: unknown): void {
  deepStrictEqual(again, first)
}

const shared = [
  Object,
  Array,
  String,
  Number,
  Boolean,
  Function,
  Map,
  Set,
  RegExp,
  Promise,
  Error,
  Uint8Array,
]
const prototypes: readonly object[] = shared.map(({ prototype }) => prototype as object)

/** Members of the objects that all others inherit from. */
function inheritedMembers(): number {
  return prototypes.reduce((count, prototype) => count + Reflect.ownKeys(prototype).length, 0)
}

const membersBefore = inheritedMembers()

/** @throws when something has been put into an object that others inherit from */
export function checkPrototypes(): void {
  if (inheritedMembers() !== membersBefore) throw new Error('A prototype has been changed.')
}
