/** A box of the diagram before it has a place. */
export interface Box {
  readonly name: string
  readonly width: number
  readonly height: number
}

/** A line between two boxes, by their names: the first end is the one that there can be fewer of. */
export interface Line {
  readonly from: string
  readonly to: string
}

export interface PlacedBox extends Box {
  readonly x: number
  readonly y: number
}

export interface Layout<AnyLine extends Line> {
  readonly boxes: ReadonlyMap<string, PlacedBox>
  /** Where lines pass columns in which they do not end, from their first end to their last. */
  readonly passages: ReadonlyMap<AnyLine, readonly PlacedBox[]>
  readonly width: number
  readonly height: number
}

const columnGap = 96
const rowGap = 28
const margin = 24
/** What a line takes of a column that it passes. */
const passageHeight = 4

/**
 * Puts boxes into columns so that lines lead from the left to the right where they can, neighbours stand near each
 * other, and no line has to pass behind a box. Boxes without lines follow below.
 */
export function layOut<AnyLine extends Line>(
  boxes: readonly Box[],
  lines: readonly AnyLine[],
): Layout<AnyLine> {
  const names = new Set(boxes.map(({ name }) => name))
  const joined = lines.filter(({ from, to }) => from !== to && names.has(from) && names.has(to))
  const linked = new Set(joined.flatMap(({ from, to }) => [from, to]))
  const columns = balanced(
    columnsOf(
      boxes.filter(({ name }) => linked.has(name)),
      joined,
    ),
  )
  const { passing, steps } = addPassages(columns, joined)
  for (let round = 0; round < 8; round++) sortByNeighbours(columns, steps, round % 2 === 0)
  const placed = new Map<string, PlacedBox>()
  const tallest = Math.max(0, ...columns.map(heightOf))
  const right = placeColumns(columns, tallest, placed)
  const rest = boxes.filter(({ name }) => !linked.has(name))
  const top = tallest === 0 ? margin : margin + tallest + 2 * rowGap
  const bottom = placeInRows(rest, Math.max(right, 640), top, placed)
  const passages = new Map(
    [...passing].map(([line, own]) => [line, own.flatMap((name) => placed.get(name) ?? [])] as const),
  )
  const width = Math.max(0, ...[...placed.values()].map((box) => box.x + box.width)) + margin
  return { boxes: placed, passages, width, height: Math.max(bottom, margin + tallest) + margin }
}

/** A box stands right of those that lead to it; circles are cut where they are met. */
function columnsOf(boxes: readonly Box[], lines: readonly Line[]): Box[][] {
  const ranks = new Map<string, number>()
  const rankOf = (name: string, path: readonly string[]): number => {
    const known = ranks.get(name)
    if (known !== undefined) return known
    const before = lines.filter(({ from, to }) => to === name && !path.includes(from))
    const rank = Math.max(-1, ...before.map(({ from }) => rankOf(from, [...path, name]))) + 1
    ranks.set(name, rank)
    return rank
  }
  const columns: Box[][] = []
  for (const box of boxes) (columns[rankOf(box.name, [box.name])] ??= []).push(box)
  return Array.from(columns, (column: Box[] | undefined) => column ?? []).filter(({ length }) => length > 0)
}

/** What would be much taller than the rest is divided into columns of about the same height. */
function balanced(columns: readonly Box[][]): Box[][] {
  const total = columns.flat().reduce((sum, { height }) => sum + height + rowGap, 0)
  const limit = 1.4 * Math.max(800, Math.sqrt(total * 420))
  return columns.flatMap((column) => {
    const parts = Math.ceil(heightOf(column) / limit)
    const divided: Box[][] = Array.from({ length: parts }, () => [])
    let height = 0
    for (const box of column) {
      divided[Math.min(parts - 1, Math.floor((height * parts) / heightOf(column)))]?.push(box)
      height += box.height + rowGap
    }
    return divided.filter(({ length }) => length > 0)
  })
}

interface Passages<AnyLine> {
  readonly passing: ReadonlyMap<AnyLine, readonly string[]>
  /** Every line as steps from column to column. */
  readonly steps: readonly Line[]
}

/** Gives lines a place in the columns that they pass. */
function addPassages<AnyLine extends Line>(columns: Box[][], lines: readonly AnyLine[]): Passages<AnyLine> {
  const columnOf = new Map(
    columns.flatMap((column, index) => column.map(({ name }) => [name, index] as const)),
  )
  const passing = new Map<AnyLine, string[]>()
  const steps: Line[] = []
  for (const [number, line] of lines.entries()) {
    const [start, end] = [columnOf.get(line.from) ?? 0, columnOf.get(line.to) ?? 0]
    const own: string[] = []
    const direction = Math.sign(end - start)
    for (let column = start + direction; direction !== 0 && column !== end; column += direction) {
      const name = `passage ${String(number)} ${String(column)}`
      columns[column]?.push({ name, width: 0, height: passageHeight })
      own.push(name)
    }
    passing.set(line, own)
    const stops = [line.from, ...own, line.to]
    stops.slice(1).forEach((to, index) => steps.push({ from: stops[index] ?? '', to }))
  }
  return { passing, steps }
}

/** Orders each column by where the neighbours of its boxes stand in the columns beside it. */
function sortByNeighbours(columns: Box[][], steps: readonly Line[], toRight: boolean): void {
  const places = new Map<string, number>()
  const note = (column: readonly Box[]): void => {
    column.forEach(({ name }, index) => places.set(name, (index + 0.5) / column.length))
  }
  columns.forEach(note)
  for (const column of toRight ? columns : [...columns].reverse()) {
    const weights = new Map(
      column.map(({ name }) => {
        const near = steps.flatMap(({ from, to }) => (from === name ? [to] : to === name ? [from] : []))
        const sum = near.reduce((total, one) => total + (places.get(one) ?? 0.5), 0)
        return [name, near.length === 0 ? (places.get(name) ?? 0.5) : sum / near.length]
      }),
    )
    column.sort((a, b) => (weights.get(a.name) ?? 0) - (weights.get(b.name) ?? 0))
    note(column)
  }
}

function heightOf(column: readonly Box[]): number {
  return column.reduce((sum, { height }) => sum + height + rowGap, -rowGap)
}

/** @returns where the last column ends */
function placeColumns(columns: readonly Box[][], tallest: number, placed: Map<string, PlacedBox>): number {
  let x = margin
  for (const column of columns) {
    const width = Math.max(0, ...column.map((box) => box.width))
    let y = margin + (tallest - heightOf(column)) / 2
    for (const box of column) {
      // A passage is as wide as its column.
      placed.set(box.name, { ...box, width: box.width === 0 ? width : box.width, x, y })
      y += box.height + rowGap
    }
    x += width + columnGap
  }
  return x - columnGap
}

/** @returns where the last row ends */
function placeInRows(
  boxes: readonly Box[],
  width: number,
  top: number,
  placed: Map<string, PlacedBox>,
): number {
  let [x, y, tallest] = [margin, top, 0]
  for (const box of boxes) {
    if (x > margin && x + box.width > width) {
      x = margin
      y += tallest + rowGap
      tallest = 0
    }
    placed.set(box.name, { ...box, x, y })
    x += box.width + rowGap
    tallest = Math.max(tallest, box.height)
  }
  return y + tallest
}
