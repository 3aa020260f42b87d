/** A box of the diagram without a position. */
export interface Box {
  readonly name: string
  readonly width: number
  readonly height: number
}

export interface PlacedBox extends Box {
  readonly x: number
  readonly y: number
}

/** A line between two boxes, by name. */
export interface Line {
  readonly from: string
  readonly to: string
}

interface Layout<AnyLine extends Line> {
  readonly boxes: ReadonlyMap<string, PlacedBox>
  /** The gaps in columns that a line crosses between its ends, in order. */
  readonly passages: ReadonlyMap<AnyLine, readonly PlacedBox[]>
  readonly width: number
  readonly height: number
}

const COLUMN_GAP = 96
const ROW_GAP = 28
const MARGIN = 24
const PASSAGE_HEIGHT = 4

/**
 * Places boxes in columns so that lines lead from left to right, related boxes are close, and no line crosses a box.
 * Boxes without lines follow in rows below.
 */
export function layOut<AnyLine extends Line>(
  boxes: readonly Box[],
  lines: readonly AnyLine[],
): Layout<AnyLine> {
  const names = new Set(boxes.map(({ name }) => name))
  const edges = lines.filter(({ from, to }) => from !== to && names.has(from) && names.has(to))
  const linkedNames = new Set(edges.flatMap(({ from, to }) => [from, to]))
  const linked = boxes.filter(({ name }) => linkedNames.has(name))
  const columns = splitTallColumns(assignColumns(linked, edges))
  const { passageNames, steps } = addPassages(columns, edges)
  for (let round = 0; round < 8; round++) sortByNeighbors(columns, steps, round % 2 === 0)

  const placed = new Map<string, PlacedBox>()
  const tallest = Math.max(0, ...columns.map(heightOf))
  const right = placeColumns(columns, tallest, placed)
  const unlinked = boxes.filter(({ name }) => !linkedNames.has(name))
  const top = tallest === 0 ? MARGIN : MARGIN + tallest + 2 * ROW_GAP
  const bottom = placeInRows(unlinked, Math.max(right, 640), top, placed)
  const passages = new Map(
    [...passageNames].map(([line, own]) => [line, own.flatMap((name) => placed.get(name) ?? [])] as const),
  )
  const width = Math.max(0, ...[...placed.values()].map((box) => box.x + box.width)) + MARGIN
  return { boxes: placed, passages, width, height: Math.max(bottom, MARGIN + tallest) + MARGIN }
}

/** Puts each box into a column right of all boxes with lines to it. Lines that close a cycle are ignored. */
function assignColumns(boxes: readonly Box[], lines: readonly Line[]): Box[][] {
  const ranks = new Map<string, number>()
  const rankOf = (name: string, path: readonly string[]): number => {
    const known = ranks.get(name)
    if (known !== undefined) return known
    const sources = lines.filter(({ from, to }) => to === name && !path.includes(from))
    const rank = Math.max(-1, ...sources.map(({ from }) => rankOf(from, [...path, name]))) + 1
    ranks.set(name, rank)
    return rank
  }
  const columns: Box[][] = []
  for (const box of boxes) (columns[rankOf(box.name, [box.name])] ??= []).push(box)
  return Array.from(columns, (column: Box[] | undefined) => column ?? []).filter(({ length }) => length > 0)
}

/** Splits columns that are much taller than the others into columns of similar height. */
function splitTallColumns(columns: readonly Box[][]): Box[][] {
  const total = columns.flat().reduce((sum, { height }) => sum + height + ROW_GAP, 0)
  const limit = 1.4 * Math.max(800, Math.sqrt(total * 420))
  return columns.flatMap((column) => {
    const parts = Math.ceil(heightOf(column) / limit)
    const split: Box[][] = Array.from({ length: parts }, () => [])
    let height = 0
    for (const box of column) {
      split[Math.min(parts - 1, Math.floor((height * parts) / heightOf(column)))]?.push(box)
      height += box.height + ROW_GAP
    }
    return split.filter(({ length }) => length > 0)
  })
}

interface Passages<AnyLine> {
  readonly passageNames: ReadonlyMap<AnyLine, readonly string[]>
  /** The lines, split into steps between adjacent columns. */
  readonly steps: readonly Line[]
}

/** Adds a narrow box, a passage, to each column that a line crosses. */
function addPassages<AnyLine extends Line>(columns: Box[][], lines: readonly AnyLine[]): Passages<AnyLine> {
  const columnOf = new Map(
    columns.flatMap((column, index) => column.map(({ name }) => [name, index] as const)),
  )
  const passageNames = new Map<AnyLine, string[]>()
  const steps: Line[] = []
  for (const [number, line] of lines.entries()) {
    const [start, end] = [columnOf.get(line.from) ?? 0, columnOf.get(line.to) ?? 0]
    const names: string[] = []
    const direction = Math.sign(end - start)
    for (let column = start + direction; direction !== 0 && column !== end; column += direction) {
      const name = `passage ${String(number)} ${String(column)}`
      columns[column]?.push({ name, width: 0, height: PASSAGE_HEIGHT })
      names.push(name)
    }
    passageNames.set(line, names)
    const stops = [line.from, ...names, line.to]
    stops.slice(1).forEach((to, index) => steps.push({ from: stops[index] ?? '', to }))
  }
  return { passageNames, steps }
}

/** Sorts each column by the average position of the neighbors of its boxes (the barycenter heuristic). */
function sortByNeighbors(columns: Box[][], steps: readonly Line[], toRight: boolean): void {
  const positions = new Map<string, number>()
  const updatePositions = (column: readonly Box[]): void => {
    column.forEach(({ name }, index) => positions.set(name, (index + 0.5) / column.length))
  }
  columns.forEach(updatePositions)
  for (const column of toRight ? columns : [...columns].reverse()) {
    const averages = new Map(
      column.map(({ name }) => {
        const neighbors = steps.flatMap(({ from, to }) => (from === name ? [to] : to === name ? [from] : []))
        const names = neighbors.length === 0 ? [name] : neighbors
        const sum = names.reduce((total, one) => total + (positions.get(one) ?? 0.5), 0)
        return [name, sum / names.length]
      }),
    )
    column.sort((a, b) => (averages.get(a.name) ?? 0) - (averages.get(b.name) ?? 0))
    updatePositions(column)
  }
}

function heightOf(column: readonly Box[]): number {
  return column.reduce((sum, { height }) => sum + height + ROW_GAP, -ROW_GAP)
}

/** @returns the right edge of the last column */
function placeColumns(columns: readonly Box[][], tallest: number, placed: Map<string, PlacedBox>): number {
  let x = MARGIN
  for (const column of columns) {
    const columnWidth = Math.max(0, ...column.map(({ width }) => width))
    let y = MARGIN + (tallest - heightOf(column)) / 2
    for (const box of column) {
      const isPassage = box.width === 0
      placed.set(box.name, { ...box, width: isPassage ? columnWidth : box.width, x, y })
      y += box.height + ROW_GAP
    }
    x += columnWidth + COLUMN_GAP
  }
  return x - COLUMN_GAP
}

/** @returns the bottom of the last row */
function placeInRows(
  boxes: readonly Box[],
  width: number,
  top: number,
  placed: Map<string, PlacedBox>,
): number {
  let [x, y, tallest] = [MARGIN, top, 0]
  for (const box of boxes) {
    if (x > MARGIN && x + box.width > width) {
      x = MARGIN
      y += tallest + ROW_GAP
      tallest = 0
    }
    placed.set(box.name, { ...box, x, y })
    x += box.width + ROW_GAP
    tallest = Math.max(tallest, box.height)
  }
  return y + tallest
}

/** A line as an SVG path. */
export interface LinePath<AnyLine extends Line> {
  readonly line: AnyLine
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

/** An end of a line at a side of a box. */
interface LineEnd {
  readonly box: PlacedBox
  readonly side: 1 | -1
  /** The vertical position of the next passage or box, by which the ends at a side are sorted. */
  readonly aim: number
}

/** Draws each line between the sides of two boxes; ends at the same side are distributed evenly. */
export function linePaths<AnyLine extends Line>(
  lines: readonly AnyLine[],
  { boxes, passages }: Pick<Layout<AnyLine>, 'boxes' | 'passages'>,
): readonly LinePath<AnyLine>[] {
  const drawn = lines.flatMap((line) => {
    const [from, to] = [boxes.get(line.from), boxes.get(line.to)]
    if (from === undefined || to === undefined) return []
    const stops = passages.get(line) ?? []
    return [{ line, stops, start: endAt(from, stops[0] ?? to), end: endAt(to, stops.at(-1) ?? from) }]
  })
  const ends = drawn.flatMap(({ start, end }) => [start, end])
  return drawn.map(({ line, stops, ...own }) => {
    const [start, end] = [pointOf(own.start, ends), pointOf(own.end, ends)]
    return { line, start, end, path: pathThrough(start, stops, end) }
  })
}

function endAt(box: PlacedBox, next: PlacedBox): LineEnd {
  return { box, side: next.x + next.width <= box.x ? -1 : 1, aim: middleOf(next) }
}

function pointOf(end: LineEnd, ends: readonly LineEnd[]): Point {
  const { box, side } = end
  const same = ends.filter((one) => one.box === box && one.side === side).sort((a, b) => a.aim - b.aim)
  const y = box.y + (box.height * (same.indexOf(end) + 1)) / (same.length + 1)
  return { x: side > 0 ? box.x + box.width : box.x, y, side }
}

function middleOf({ y, height }: PlacedBox): number {
  return y + height / 2
}

/** Creates a path that is horizontal at its ends and in its passages. */
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
