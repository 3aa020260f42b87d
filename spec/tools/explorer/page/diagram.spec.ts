import type { Line } from '../../../../lib/tools/explorer/page/diagram-layout.js'
import { layOut, linePaths } from '../../../../lib/tools/explorer/page/diagram-layout.js'

function box(name: string, height = 100): { name: string; width: number; height: number } {
  return { name, width: 160, height }
}

function line(from: string, to: string): Line {
  return { from, to }
}

const names = Array.from({ length: 30 }, (_, index) => `T${index}`)
const lines = names
  .slice(1, 27)
  .flatMap((name, index) => [
    line(`T${Math.floor(index / 2)}`, name),
    ...(index % 4 === 0 ? [line(`T${(index * 7) % 23}`, name)] : []),
  ])

describe('The layout of a diagram', () => {
  const layout = layOut(
    names.map((name, index) => box(name, 50 + (index % 7) * 30)),
    lines,
  )

  it('MUST place every box without overlaps', () => {
    const boxes = [...layout.boxes.values()]
    expect(names.every((name) => layout.boxes.has(name))).toBe(true)
    for (const [index, a] of boxes.entries()) {
      for (const b of boxes.slice(index + 1)) {
        const apart =
          a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
        expect(apart).toBe(true)
      }
      expect(a.x >= 0 && a.y >= 0 && a.x + a.width <= layout.width && a.y + a.height <= layout.height).toBe(
        true,
      )
    }
  })

  it('MUST lead lines from left to right', () => {
    const { boxes } = layOut(
      [box('Line'), box('Order'), box('Customer')],
      [line('Customer', 'Order'), line('Order', 'Line')],
    )
    const x = (name: string): number => boxes.get(name)?.x ?? 0
    expect(x('Customer') < x('Order') && x('Order') < x('Line')).toBe(true)
  })

  it('MUST draw every line, including those from a box to itself', () => {
    expect(linePaths([...lines, line('T1', 'T1'), line('T1', 'Nowhere')], layout)).toHaveLength(
      lines.length + 1,
    )
    for (const { path } of linePaths(lines, layout)) expect(path).toMatch(/^M[-\d. CH]+$/)
  })

  it('MUST support cycles and empty diagrams', () => {
    const round = layOut([box('A'), box('B'), box('C')], [line('A', 'B'), line('B', 'C'), line('C', 'A')])
    expect(round.boxes.size).toBeGreaterThanOrEqual(3)
    expect(layOut([], []).boxes.size).toBe(0)
  })
})
