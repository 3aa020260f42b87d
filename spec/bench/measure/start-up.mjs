/** The figures of `start-up.mjs`, and those of further services, as parts of a report. */
import { figures, runProgram } from '../start-up.mjs'
import { atMost, goalsTable, table } from './report.mjs'

export async function runStartUp({ title }) {
  const all = await figures()
  // The time to load the package, and the step that comes nearest to its budget.
  const limited = all.filter(({ budget }) => budget !== undefined)
  const [required, ...others] = limited
  const nearest = others.reduce((one, other) => (shareOf(other) > shareOf(one) ? other : one))
  const goals = [required, nearest].map(({ name, figure, budget }) =>
    atMost(title, name, figure, budget, 'times'),
  )
  const rows = all.map(({ name, milliseconds }) => [name, `${milliseconds.toFixed(1)} ms`])
  const text = [`## ${title}`, table(['what', 'time'], rows), goalsTable(goals)].join('\n\n')
  return { text, goals }
}

const MOST_MILLISECONDS = 5
const MOST_MEGABYTES = 0.2

/** Measures the second and later services of one model, for example one for each tenant. */
export async function runFurtherServices({ title }) {
  const goals = []
  const rows = []
  for (const provider of ['memory', 'sql']) {
    const program = { program: 'further-services.mjs', flags: ['--expose-gc'], settings: ['1000', provider] }
    const { megabytes, milliseconds } = await runProgram(program)
    rows.push([provider, `${milliseconds.toFixed(1)} ms`, `${megabytes.toFixed(3)} MB`])
    goals.push(
      atMost(title, `${provider}: CPU time`, milliseconds, MOST_MILLISECONDS, 'ms'),
      atMost(title, `${provider}: heap`, megabytes, MOST_MEGABYTES, 'MB'),
    )
  }
  const text = [`## ${title}`, table(['provider', 'CPU time', 'heap'], rows), goalsTable(goals)].join('\n\n')
  return { text, goals }
}

const shareOf = ({ figure, budget }) => figure / budget
