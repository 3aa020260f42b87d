import { turnEventLoop } from '../event-loop.js'

/** Part of the messages of errors that clients must never see. */
export const secret = 'password of the database'

/** The correct behavior of a provider method, and the abort signal of its caller. */
interface Faultless {
  readonly right: () => unknown
  readonly signal: AbortSignal
}

/** The broken behavior of a provider method. */
export type Fault = (method: Faultless) => unknown

const failure = (): Error => new Error(secret)
const never = (): Promise<never> => new Promise(() => undefined)

async function whenAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
  await turnEventLoop()
}

/** An object that throws on every access. */
function thorny(): object {
  const fail = (): never => {
    throw failure()
  }
  return new Proxy({}, { get: fail, has: fail, ownKeys: fail, getOwnPropertyDescriptor: fail })
}

/** A row with a property that throws. */
function rowWithThorns(right: unknown): unknown {
  const row = {
    ID: 1,
    get Title(): never {
      throw failure()
    },
    get Value(): never {
      throw failure()
    },
  }
  return Array.isArray(right) ? (Array.isArray(right[0]) ? right.map(() => [row]) : [row]) : row
}

/** Rows in batches, with whatever happens when no more are wanted. */
function batches(next: (index: number) => unknown, end: () => unknown = () => undefined): object {
  let index = 0
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        await new Promise((resolve) => setImmediate(resolve))
        const value = await next(index++)
        return value === undefined ? { done: true, value } : { done: false, value }
      },
      return: end,
    }),
  }
}

function* endless(make: (index: number) => unknown): Generator<unknown> {
  for (let index = 0; ; index++) yield make(index)
}

const rows = (index: number): unknown[] =>
  Array.from({ length: 20 }, (_, one) => ({ ID: 20 * index + one, Title: 'x', Value: 1, Version: 1 }))

/** Two rows, and no more. */
const few = (index: number): unknown => (index === 0 ? rows(0).slice(0, 2) : undefined)

/** All errors that are injected, by name. */
export const errors: Readonly<Record<string, Fault>> = {
  'throws an error': () => {
    throw failure()
  },
  rejects: () => Promise.reject(failure()),
  'rejects late': async () => {
    await turnEventLoop()
    throw failure()
  },
  'rejects twice': () => ({
    then: (_resolve: unknown, reject: (error: Error) => void) => {
      reject(failure())
      reject(failure())
    },
  }),
  'rejects, and resolves': ({ right }) => ({
    then: (resolve: (value: unknown) => void, reject: (error: Error) => void) => {
      reject(failure())
      resolve(right())
    },
  }),
  'rejects with an error of which everything throws': async () => {
    await Promise.resolve()
    throw thorny() as Error
  },
  'returns a promise of which everything throws': thorny,
  'never settles': never,
  'answers after the abort': async ({ right, signal }) => {
    await whenAborted(signal)
    return right()
  },
  'rejects after the abort': async ({ signal }) => {
    await whenAborted(signal)
    throw failure()
  },
  'returns undefined': () => undefined,
  'returns null': () => null,
  'returns a number': () => 7,
  'returns NaN': () => Number.NaN,
  'returns a text': () => secret,
  'returns a function': () => () => secret,
  'returns an empty object': () => ({}),
  'returns an array of numbers': () => [1, 2],
  'returns an array of null': () => [null],
  'returns rows that throw': ({ right }) => rowWithThorns(right()),
  'returns rows of which everything throws': ({ right }) => (Array.isArray(right()) ? [thorny()] : thorny()),
  'returns rows without end': () => endless(rows),
  'returns empty batches without end': () => endless(() => []),
  'returns batches without end': () => batches(rows),
  'returns batches that are empty, without end': () => batches(() => []),
  'returns batches of garbage': () => batches(() => 7),
  'returns batches that never come': () => batches(never),
  'returns batches that end with an error': () =>
    batches((index) => (index === 0 ? rows(0) : Promise.reject(failure()))),
  'returns batches that throw when they are closed': () =>
    batches(rows, () => {
      throw failure()
    }),
  'returns batches that reject when they are closed': () => batches(rows, () => Promise.reject(failure())),
  'returns batches that are never closed': () => batches(rows, never),
  'returns few batches, of which closing fails': () => batches(few, () => Promise.reject(failure())),
  'returns written batches that never come': () => ({ next: never, close: () => undefined }),
  'returns written batches that fail, and cannot be closed': () => ({
    next: () => Promise.reject(failure()),
    close: () => Promise.reject(failure()),
  }),
  'returns written batches that are never closed': () => ({ next: () => undefined, close: never }),
  'returns empty written batches without end': () => ({ next: () => ({ rows: [] }), close: () => undefined }),
  'returns written batches of rows that throw': ({ right }) => [{ rows: [rowWithThorns(right)] }],
}
