/** The figures of `start-up.mjs`, as part of a report. */
import { figures } from '../start-up.mjs'
import { atMost, goalsTable, table } from './report.mjs'

export async function runStartUp({ title }) {
  const all = await figures()
  const goals = all
    .filter(({ budget }) => budget !== undefined)
    .map(({ name, figure, budget }) => atMost(title, name, figure, budget, 'times'))
  const rows = all.map(({ name, milliseconds }) => [name, `${milliseconds.toFixed(1)} ms`])
  const text = [`## ${title}`, table(['what', 'time'], rows), goalsTable(goals)].join('\n\n')
  return { text, goals }
}
