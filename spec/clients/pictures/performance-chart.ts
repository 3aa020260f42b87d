/** A measurement, relative to the hand-coded route. */
interface Measurement {
  readonly title: string
  readonly ratio: number
}

/** The rows of a table, the preferred one first: without cached pages, ratios are about the work itself. */
const SERVERS = ['SQL provider without page cache, Express', 'SQL provider, Express']

const WIDTH = 760
const LABEL_WIDTH = 330
const ROW_HEIGHT = 28

/** Reads the ratio of CPU time from each table of the first chapter of results. */
function measurementsIn(results: string): readonly Measurement[] {
  const [, chapter = ''] = results.split(/^## /m)
  const sections = chapter.split(/^### /m).slice(1)
  return sections.flatMap((section) => {
    const [title = ''] = section.split('\n')
    const rows = section.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
    const column = rows.find((cells) => cells[1] === 'server')?.indexOf('CPU ratio') ?? -1
    const row = SERVERS.map((server) => rows.find((cells) => cells[1] === server)).find((one) => one)
    const ratio = Number.parseFloat(row?.[column] ?? '')
    return Number.isFinite(ratio) && !title.includes('MariaDB') ? [{ title, ratio }] : []
  })
}

/**
 * Draws how many times less CPU time a request takes than with a hand-coded route.
 *
 * @param results the text of `RESULTS.md`
 * @returns an SVG document with colors for light and dark mode
 */
export function performanceChart(results: string): string {
  const measurements = measurementsIn(results)
  if (measurements.length === 0) throw new Error('RESULTS.md has no ratio of CPU time.')
  const scale = (WIDTH - LABEL_WIDTH - 70) / Math.max(...measurements.map(({ ratio }) => ratio))
  const height = measurements.length * ROW_HEIGHT + 34
  const one = (LABEL_WIDTH + scale).toFixed(1)
  const bars = measurements.map(({ title, ratio }, index) => {
    const y = index * ROW_HEIGHT + 4
    const width = (ratio * scale).toFixed(1)
    const end = (LABEL_WIDTH + ratio * scale + 6).toFixed(1)
    const name = title.includes('PostgreSQL') ? title : `${title}, SQLite`
    return `<text x="${String(LABEL_WIDTH - 10)}" y="${String(y + 17)}" text-anchor="end">${escape(name)}</text>
<rect x="${String(LABEL_WIDTH)}" y="${String(y)}" width="${width}" height="${String(ROW_HEIGHT - 8)}"/>
<text x="${end}" y="${String(y + 17)}">${String(ratio)}x</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(WIDTH)} ${String(height)}" role="img" aria-label="Requests per CPU second, relative to a hand-coded Express route">
<style>
text { font: 14px system-ui, sans-serif; fill: #1b2530 }
rect { fill: #2f6fb5 }
path { stroke: #b0171f; stroke-dasharray: 4 4 }
@media (prefers-color-scheme: dark) { text { fill: #e6ebf1 } rect { fill: #78b4ff } path { stroke: #ff9a96 } }
</style>
${bars.join('\n')}
<path d="M${one} 0V${String(height - 30)}"/>
<text x="${one}" y="${String(height - 10)}" text-anchor="middle">hand-coded route: 1x</text>
</svg>
`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
