/** Options of `npm run bench --`. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './measure/package.mjs'

export const usage = `npm run bench [-- options] [name…]      all benchmarks, or those whose names begin so

  --list                prints the benchmarks
  --quick               one short round: whether everything works
  --rounds <number>     number of rounds; their median counts; default: 7
  --connections <n>     connections of the client, for workloads without a number of their own; default: 4
  --only <text>         only servers whose names have this in them, and the first; may be given several times
  --package <folder>    what was built, with esm in it; default: dist
  --compare <revision>  only this package, against what it was in another revision
  --profile <folder>    a CPU profile of each server
  --write               the results into spec/bench/RESULTS.md`

export function commandLine() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '7' },
      connections: { type: 'string' },
      only: { type: 'string', multiple: true, default: [''] },
      package: { type: 'string', default: join(root, 'dist') },
      compare: { type: 'string' },
      profile: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  })
  const wanted = (name) => positionals.length === 0 || positionals.some((prefix) => name.startsWith(prefix))
  const { connections, rounds } = values
  return {
    ...values,
    connections: connections === undefined ? undefined : Number(connections),
    rounds: Number(rounds),
    wanted,
  }
}
