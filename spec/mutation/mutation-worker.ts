import Module, { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { inspect } from 'node:util'
import { switchName } from './instrument.js'
import type { Test } from './test-registry.js'
import { Hanging, TestRegistry, TestRunner } from './test-registry.js'
import type { WorkerResponse, Coverage, Order } from './worker-messages.js'

/** The active mutant, and the mutants that were reached. */
const state = { active: -1, met: new Set<number>() }
let registry = new TestRegistry()
/** The loaded specs, and the mutant that was active while they were loaded. */
let source = { folder: '', specs: [] as readonly string[], active: -1 }
let coverage: Coverage = { times: [], tests: {}, atStart: [] }
let escaped: unknown

Object.assign(globalThis, {
  [switchName]: (id: number): boolean => {
    state.met.add(id)
    return id === state.active
  },
})
process.on('uncaughtException', (error) => (escaped ??= error))
process.on('unhandledRejection', (error) => (escaped ??= error))
process.on('disconnect', () => process.exit())
process.on('message', (order: Order) => {
  carryOut(order).then(
    (response) => process.send?.(response),
    (error: unknown) => {
      process.stderr.write(inspect(error), () => process.exit(1))
    },
  )
})

async function carryOut(order: Order): Promise<WorkerResponse> {
  switch (order.kind) {
    case 'read':
      coverage = order.coverage ?? coverage
      source = { ...order, active: -1 }
      findOwnEntries(order.folder)
      read(-1)
      return { kind: 'ready' }
    case 'cover':
      return { kind: 'covered', ...(await cover()) }
    case 'try':
      return { kind: 'tried', ...(await tryMutant(order)) }
  }
}

/** Resolves imports of the package by its name. */
function findOwnEntries(folder: string): void {
  const entries = ['', '/node', '/sql', '/audit']
  const own = new Map(
    entries.map((entry) => [
      `express-odata-v2${entry}`,
      join(folder, 'lib', `${entry.slice(1) || 'index'}.js`),
    ]),
  )
  const resolver = Module as unknown as { _resolveFilename: (request: string, ...rest: unknown[]) => string }
  const resolve = resolver._resolveFilename
  resolver._resolveFilename = (request, ...rest) => own.get(request) ?? resolve.call(Module, request, ...rest)
}

/** Loads all specs and their modules with an empty module cache. */
function read(active: number): void {
  const { folder, specs } = source
  const require = createRequire(join(folder, 'package.json'))
  // The dependencies are linked into the folder from outside.
  forget(require.cache, folder)
  source.active = state.active = active
  registry = new TestRegistry()
  registry.install()
  for (const spec of specs) {
    // As in Jest, every spec file has its own module instances; they may register hooks.
    forget(require.cache, join(folder, 'spec'))
    registry.read(spec, () => require(join(folder, spec.replace(/ts$/, 'js'))) as unknown)
  }
}

function forget(modules: NodeJS.Dict<unknown>, folder: string): void {
  for (const path of Object.keys(modules)) {
    if (path.startsWith(folder)) Reflect.deleteProperty(modules, path)
  }
}

/** Runs all specs without a mutant, to find the mutants that each reaches. */
async function cover(): Promise<{ coverage: Coverage; failed: string[] }> {
  const atStart = [...state.met]
  const times: number[] = []
  const tests: Record<number, number[]> = {}
  const failed: string[] = []
  state.met = new Set()
  const listener = (test: Test, time: number, error: unknown): void => {
    times[test.index] = time
    if (error !== undefined) failed.push(`${test.name}: ${inspect(error).slice(0, 500)}`)
    else for (const mutant of state.met) (tests[mutant] ??= []).push(test.index)
    state.met = new Set()
  }
  await new TestRunner(() => 60_000, listener, true).run(registry.tests)
  coverage = { times, tests, atStart }
  return { coverage, failed }
}

type TryOrder = Extract<Order, { kind: 'try' }>
type Tried = Omit<Extract<WorkerResponse, { kind: 'tried' }>, 'kind'>

/** Runs the specs against a mutant. A spec that fails must pass again without the mutant. */
async function tryMutant({ mutant, atStart, without, only }: TryOrder): Promise<Tried> {
  const wanted = atStart ? mutant : -1
  try {
    if (source.active !== wanted) read(wanted)
  } catch (error) {
    return { killer: 'cannot be read', error: inspect(error).slice(0, 300), wasMet: true, count: 0 }
  }
  const tests = testsFor(mutant, atStart).filter(
    ({ index }) => index === (only ?? index) && !without.includes(index),
  )
  const runner = new TestRunner((test) => 3000 + 5 * (coverage.times[test.index] ?? 0))
  state.active = mutant
  state.met = new Set()
  escaped = undefined
  const { failed, error = escaped } = await runner.run(tests)
  const wasMet = state.met.has(mutant)
  if (failed === undefined)
    return { wasMet, count: tests.length, ...(error === undefined ? {} : { killer: 'escaped' }) }
  const verdict = { killer: failed.name, error: inspect(error).slice(0, 300), wasMet, count: tests.length }
  if (error instanceof Hanging) return { ...verdict, spoilt: true }
  if (atStart) return verdict
  state.active = -1
  const again = await runner.run([failed])
  return again.failed === undefined ? verdict : { ...verdict, spoilt: true, doubtful: failed.index }
}

/** Returns the specs that reach a mutant, the fastest first. */
function testsFor(mutant: number, atStart: boolean): Test[] {
  const indexes = new Set(atStart ? registry.tests.keys() : (coverage.tests[mutant] ?? []))
  const tests = registry.tests.filter((test) => indexes.has(test.index))
  const cost = new Map<string, number>()
  for (const { index, suite } of tests) {
    cost.set(suite.file, (cost.get(suite.file) ?? 0) + (coverage.times[index] ?? 0))
  }
  const costOf = (test: Test): number => cost.get(test.suite.file) ?? 0
  return tests.sort((a, b) => costOf(a) - costOf(b) || a.index - b.index)
}
