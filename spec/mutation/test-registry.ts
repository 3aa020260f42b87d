import { expect } from 'expect'

type Body = (...given: never[]) => unknown

/** A block of specs with its hooks. */
interface Suite {
  readonly parent: Suite | undefined
  readonly file: string
  readonly name: string
  readonly hooks: Record<Hook, Body[]>
}

type Hook = 'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach'

/** One spec. */
export interface Test {
  readonly index: number
  readonly name: string
  readonly suite: Suite
  readonly body: Body
}

/**
 * The specs of many files, loaded once into one process and run one by one: a thousand times faster than starting Jest
 * for each mutant.
 */
export class TestRegistry {
  readonly tests: Test[] = []
  private current = suiteIn(undefined, '', '')

  /** Defines `describe`, `it` and the other globals of specs. */
  install(): void {
    const it = Object.assign(this.it, { each: eachOf(this.it) })
    const describe = Object.assign(this.describe, { each: eachOf(this.describe) })
    const hook =
      (name: Hook) =>
      (body: Body): void =>
        void this.current.hooks[name].push(body)
    Object.assign(globalThis, { expect, it, test: it, describe })
    for (const name of ['beforeAll', 'afterAll', 'beforeEach', 'afterEach'] as const) {
      Object.assign(globalThis, { [name]: hook(name) })
    }
  }

  /** Loads a spec file. */
  read(file: string, load: () => void): void {
    this.current = suiteIn(undefined, file, file)
    load()
  }

  private readonly describe = (name: string, body: Body): void => {
    const outer = this.current
    this.current = suiteIn(outer, outer.file, `${outer.name} ${name}`)
    body()
    this.current = outer
  }

  private readonly it = (name: string, body: Body): void => {
    const suite = this.current
    this.tests.push({ index: this.tests.length, name: `${suite.name} ${name}`, suite, body })
  }
}

function suiteIn(parent: Suite | undefined, file: string, name: string): Suite {
  return { parent, file, name, hooks: { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] } }
}

function eachOf(register: (name: string, body: Body) => void) {
  return (table: readonly unknown[]) =>
    (name: string, body: Body): void => {
      for (const [index, row] of table.entries()) {
        const given = (Array.isArray(row) ? row : [row]) as never[]
        register(`${name} [${index}]`, withCallback(body, given))
      }
    }
}

/** Calls the function with a row of the table, and a callback for a remaining parameter. */
function withCallback(body: Body, given: never[]): Body {
  return body.length > given.length ? () => called(body, given) : () => body(...given)
}

function called(body: Body, given: never[]): unknown {
  if (body.length <= given.length) return body(...given)
  return new Promise<void>((resolve, reject) => {
    const done = (error?: unknown): void => {
      if (error === undefined) resolve()
      else reject(new Error('done was called with an error', { cause: error }))
    }
    void body(...given, done as never)
  })
}

/** The result of a run. */
interface TestRun {
  readonly failed: Test | undefined
  readonly error: unknown
}

/** Called for each spec that was run, with its time in milliseconds and its error. */
type Listener = (test: Test, time: number, error: unknown) => void

/** Runs specs with their hooks in order, until the first failure or to the end. */
export class TestRunner {
  private open: Suite[] = []

  constructor(
    private readonly patience: (test: Test) => number,
    private readonly listener?: Listener,
    private readonly goesOn = false,
  ) {}

  async run(tests: readonly Test[]): Promise<TestRun> {
    for (const test of tests) {
      const start = performance.now()
      const error = await this.errorOf(test)
      this.listener?.(test, performance.now() - start, error)
      if (error === undefined || this.goesOn) continue
      await this.close(0).catch(() => undefined)
      return { failed: test, error }
    }
    const last = tests.at(-1)
    const error = await this.close(0).then(
      () => undefined,
      (reason: unknown) => reason ?? 'failed',
    )
    return { failed: error === undefined ? undefined : last, error }
  }

  private async errorOf(test: Test): Promise<unknown> {
    try {
      await withoutHanging(this.one(test), this.patience(test))
      return undefined
    } catch (error) {
      return error ?? 'failed'
    }
  }

  private async one(test: Test): Promise<void> {
    const suites = suitesOf(test)
    let common = 0
    while (common < suites.length && this.open[common] === suites[common]) common++
    await this.close(common)
    for (const suite of suites.slice(common)) {
      this.open.push(suite)
      await runAll(suite.hooks.beforeAll)
    }
    try {
      for (const suite of suites) await runAll(suite.hooks.beforeEach)
      await called(test.body, [])
    } finally {
      for (const suite of suites.toReversed()) await runAll(suite.hooks.afterEach)
    }
  }

  private async close(common: number): Promise<void> {
    const closed = this.open.slice(common).reverse()
    this.open = this.open.slice(0, common)
    for (const suite of closed) await runAll(suite.hooks.afterAll)
  }
}

function suitesOf(test: Test): Suite[] {
  const suites: Suite[] = []
  for (let suite: Suite | undefined = test.suite; suite !== undefined; suite = suite.parent)
    suites.unshift(suite)
  return suites
}

async function runAll(bodies: readonly Body[]): Promise<void> {
  for (const body of bodies) await called(body, [])
}

/** Rejects when a promise does not settle in time. */
export class Hanging extends Error {}

async function withoutHanging(promise: Promise<void>, patience: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Hanging(`no end after ${patience} ms`)), patience)
  })
  try {
    await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
