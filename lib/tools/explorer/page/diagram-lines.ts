import type { Layout, PlacedBox } from './diagram-layout.js'

/** A line of the diagram: between which boxes, and what stands at its ends. */
export interface DiagramLine {
  readonly from: string
  readonly to: string
  readonly fromText: string
  readonly toText: string
  /** From a derived type to its base. */
  readonly isInheritance: boolean
  readonly title: string
}

export interface LinePath {
  readonly line: DiagramLine
  readonly path: string
  readonly start: Point
  readonly end: Point
}

export interface Point {
  readonly x: number
  readonly y: number
  /** 1 when the line leaves to the right, -1 when to the left. */
  readonly side: 1 | -1
}

/** One end of a line at one side of a box. */
interface End {
  readonly box: PlacedBox
  readonly side: 1 | -1
  /** The height at which it goes on. */
  readonly aim: number
}

/** Draws each line from a side of one box to a side of the other; lines at the same side share its height. */
export function linePaths(
  lines: readonly DiagramLine[],
  { boxes, passages }: Pick<Layout<DiagramLine>, 'boxes' | 'passages'>,
): LinePath[] {
  const drawn = lines.flatMap((line) => {
    const [from, to] = [boxes.get(line.from), boxes.get(line.to)]
    if (from === undefined || to === undefined) return []
    const stops = passages.get(line) ?? []
    const [first = to, last = from] = [stops[0], stops.at(-1)]
    const start: End = { box: from, side: sideTowards(from, first), aim: middleOf(first) }
    const end: End = { box: to, side: sideTowards(to, last), aim: middleOf(last) }
    return [{ line, stops, start, end }]
  })
  const ends = drawn.flatMap(({ start, end }) => [start, end])
  return drawn.map(({ line, stops, start, end }) => {
    const [a, b] = [pointOf(start, ends), pointOf(end, ends)]
    return { line, start: a, end: b, path: pathThrough(a, stops, b) }
  })
}

function sideTowards(box: PlacedBox, other: PlacedBox): 1 | -1 {
  return other.x + other.width <= box.x ? -1 : 1
}

function pointOf(end: End, ends: readonly End[]): Point {
  const { box, side } = end
  const same = ends.filter((one) => one.box === box && one.side === side).sort((a, b) => a.aim - b.aim)
  const y = box.y + (box.height * (same.indexOf(end) + 1)) / (same.length + 1)
  return { x: side > 0 ? box.x + box.width : box.x, y, side }
}

function middleOf({ y, height }: PlacedBox): number {
  return y + height / 2
}

/** Level where it leaves, passes and arrives. */
function pathThrough(start: Point, stops: readonly PlacedBox[], end: Point): string {
  let path = `M${n(start.x)} ${n(start.y)}`
  let from: Point = start
  for (const stop of stops) {
    const y = middleOf(stop)
    const [near, far] = from.side > 0 ? [stop.x, stop.x + stop.width] : [stop.x + stop.width, stop.x]
    path += `${curve(from, { x: near, y, side: from.side > 0 ? -1 : 1 })}H${n(far)}`
    from = { x: far, y, side: from.side }
  }
  return path + curve(from, end)
}

function curve(start: Point, end: Point): string {
  const reach = start.side === end.side ? 56 : Math.max(36, Math.abs(end.x - start.x) / 2)
  const [a, b] = [start.x + start.side * reach, end.x + end.side * reach]
  return `C${n(a)} ${n(start.y)} ${n(b)} ${n(end.y)} ${n(end.x)} ${n(end.y)}`
}

function n(value: number): string {
  return value.toFixed(1)
}
