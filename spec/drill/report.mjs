/** The tables that the drill prints. */

const MAX_EXAMPLE_LENGTH = 500

const seconds = (ms) => (ms === undefined ? '' : `${(ms / 1000).toFixed(1)} s`)

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Lines about the first responses that were not the expected ones. */
const examplesOf = ({ name, examples }) =>
  examples.map(
    ({ kind, what, at }) => `${name}, after ${seconds(at)}, ${kind}: ${what.slice(0, MAX_EXAMPLE_LENGTH)}`,
  )

export function reportOf({ cluster, phases, load, found, exits, isVerbose, processes, clients }) {
  const sum = (name) => phases.reduce((total, phase) => total + phase[name], 0)
  const shown = phases.filter(({ name }) => name !== 'warm-up')
  const totals = [
    ['acknowledged changes lost', found.lost],
    ['duplicates', found.duplicates],
    ['wrong responses', sum('wrong')],
    ['GET requests failed after the retries of the proxy', sum('failedReads')],
    ['processes that ended unexpectedly', exits],
  ]
  const acknowledged = [...load.saved.values()].flat().length + load.tokens.size + load.increments
  const redis = shown.filter((phase) => phase.redis !== undefined)
  const text = [
    `\n${cluster.title}: ${processes} processes, ${clients} clients, ${sum('requests')} requests, ${acknowledged} acknowledged changes\n`,
    table(
      ['Event', 'Requests', 'Refused (503)', 'Unknown', 'Longest pause of changes', 'Recovered after'],
      shown.map((phase) => [
        phase.name,
        phase.requests,
        phase.refused,
        phase.unknown,
        seconds(phase.longestPause),
        seconds(phase.recoveryMs),
      ]),
    ),
    '',
    table(
      ['Steady load', 'CPU time of the processes per request'],
      shown
        .filter(({ cpuMs }) => cpuMs !== undefined)
        .map(({ name, cpuMs, requests }) => [name, `${((cpuMs * 1000) / requests).toFixed(0)} µs`]),
    ),
    ...(redis.length === 0
      ? []
      : [
          '',
          table(
            ['Page cache', 'Hits', 'Misses', 'Refused writes'],
            redis.map(({ name, redis: { hits, misses, refused } }) => [name, hits, misses, refused]),
          ),
        ]),
    '',
    table(['Must be 0', 'Number'], totals),
    ...(isVerbose ? phases : []).flatMap(examplesOf),
    ...found.details,
  ].join('\n')
  return { text, isGood: totals.every(([, count]) => count === 0) }
}
