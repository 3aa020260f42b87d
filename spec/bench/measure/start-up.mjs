/** The figures of `start-up.mjs`, as part of a report. */
import { figures } from '../start-up.mjs'
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

const shareOf = ({ figure, budget }) => figure / budget
