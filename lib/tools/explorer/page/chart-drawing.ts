import type { ChartGroup } from './chart-groups.js'
import { formatAmount } from './chart-groups.js'
import type { Child } from './dom.js'
import { svg } from './dom.js'

/** The forms of a chart, by the text that users choose. */
export type ChartForm = 'Bars' | 'Line' | 'Pie'

const WIDTH = 720
const LABEL_WIDTH = 200
const VALUE_WIDTH = 110
const ROW_HEIGHT = 26
const LINE_HEIGHT = 280
const PIE_SIZE = 260
/** Colors of the style sheet for the slices of a pie. */
const COLORS = 8

/**
 * Draws a chart as SVG.
 *
 * @param addressOf returns the address of the entities of a group; undefined if it has none
 */
export function drawChart(
  form: ChartForm,
  label: string,
  groups: readonly ChartGroup[],
  addressOf: (group: ChartGroup) => string | undefined,
): SVGElement {
  const draw = { Bars: drawBars, Line: drawLine, Pie: drawPie }[form]
  const linked = (group: ChartGroup, ...children: readonly Child[]): SVGElement => {
    const text = svg('title', {}, `${group.label}: ${formatAmount(group.value)}`)
    const href = addressOf(group)
    return href === undefined ? svg('g', {}, text, ...children) : svg('a', { href }, text, ...children)
  }
  const { height, children } = draw(groups, linked)
  const viewBox = `0 0 ${String(WIDTH)} ${String(height)}`
  return svg('svg', { class: 'chart', viewBox, role: 'group', 'aria-label': label }, ...children)
}

type Linked = (group: ChartGroup, ...children: readonly Child[]) => SVGElement

interface Drawing {
  readonly height: number
  readonly children: readonly SVGElement[]
}

function drawBars(groups: readonly ChartGroup[], linked: Linked): Drawing {
  const { zero, scale } = horizontalScale(groups)
  const children = groups.map((group, index) => {
    const y = index * ROW_HEIGHT
    const end = zero + group.value * scale
    const bar = { x: Math.min(zero, end), y: y + 4, width: Math.abs(end - zero), height: ROW_HEIGHT - 8 }
    return linked(
      group,
      svg('rect', { class: 'row', x: 0, y, width: WIDTH, height: ROW_HEIGHT }),
      svg('text', { x: LABEL_WIDTH - 10, y: y + 18, 'text-anchor': 'end' }, shorten(group.label, 28)),
      svg('rect', { class: 'bar', ...bar }),
      svg('text', { class: 'amount', x: Math.max(zero, end) + 6, y: y + 18 }, formatAmount(group.value)),
    )
  })
  return { height: groups.length * ROW_HEIGHT, children }
}

function horizontalScale(groups: readonly ChartGroup[]): { readonly zero: number; readonly scale: number } {
  const { least, range } = rangeOf(groups)
  const scale = (WIDTH - LABEL_WIDTH - VALUE_WIDTH) / range
  return { zero: LABEL_WIDTH - least * scale, scale }
}

/** Returns the range of the values, which includes 0. */
function rangeOf(groups: readonly ChartGroup[]): { readonly least: number; readonly range: number } {
  const values = groups.map(({ value }) => value)
  const least = Math.min(0, ...values)
  return { least, range: Math.max(0, ...values) - least || 1 }
}

function drawLine(groups: readonly ChartGroup[], linked: Linked): Drawing {
  const { least, range } = rangeOf(groups)
  const [left, right, top, bottom] = [80, WIDTH - 30, 16, LINE_HEIGHT - 32]
  const xOf = (index: number): number => left + ((right - left) * index) / Math.max(1, groups.length - 1)
  const yOf = (value: number): number => bottom - ((bottom - top) * (value - least)) / range
  const points = groups.map(({ value }, index) => `${xOf(index).toFixed(1)},${yOf(value).toFixed(1)}`)
  const step = Math.ceil(groups.length / 8)
  const axis = [least, least + range / 2, least + range].map((value) =>
    svg(
      'g',
      { class: 'axis' },
      svg('path', { d: `M${String(left)} ${yOf(value).toFixed(1)}H${String(right)}` }),
      svg('text', { x: left - 8, y: yOf(value) + 4, 'text-anchor': 'end' }, formatAmount(value)),
    ),
  )
  const marks = groups.map((group, index) => {
    const x = xOf(index)
    const name = index % step === 0 ? shorten(group.label, 12) : undefined
    return linked(
      group,
      svg('circle', { cx: x, cy: yOf(group.value), r: 4 }),
      name === undefined ? undefined : svg('text', { x, y: bottom + 20, 'text-anchor': 'middle' }, name),
    )
  })
  return {
    height: LINE_HEIGHT,
    children: [...axis, svg('polyline', { class: 'line', points: points.join(' ') }), ...marks],
  }
}

function drawPie(groups: readonly ChartGroup[], linked: Linked): Drawing {
  // A pie has no place for negative values.
  const shown = groups.filter(({ value }) => value > 0)
  const total = shown.reduce((sum, { value }) => sum + value, 0)
  let start = 0
  const children = shown.map((group, index) => {
    const share = group.value / total
    const color = `slice slice-${String(index % COLORS)}`
    const y = 18 + index * ROW_HEIGHT
    const text = `${shorten(group.label, 40)}: ${formatAmount(group.value)} (${(share * 100).toFixed(1)} %)`
    const slice = svg('path', { class: color, d: slicePath(start, start + share) })
    start += share
    return linked(
      group,
      slice,
      svg('rect', { class: color, x: PIE_SIZE + 40, y: y - 12, width: 14, height: 14 }),
      svg('text', { x: PIE_SIZE + 62, y }, text),
    )
  })
  return { height: Math.max(PIE_SIZE, shown.length * ROW_HEIGHT + 10), children }
}

/** @param start and end as shares of the circle, from the top clockwise */
function slicePath(start: number, end: number): string {
  const radius = PIE_SIZE / 2
  const at = (share: number): string => {
    const angle = 2 * Math.PI * share
    return `${(radius + radius * Math.sin(angle)).toFixed(2)} ${(radius - radius * Math.cos(angle)).toFixed(2)}`
  }
  // An arc from a point to itself draws nothing.
  const last = Math.min(end, start + 0.99999)
  const center = `${String(radius)} ${String(radius)}`
  const arc = `A${String(radius)} ${String(radius)} 0 ${end - start > 0.5 ? '1' : '0'} 1 ${at(last)}`
  return `M${center}L${at(start)}${arc}Z`
}

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}
