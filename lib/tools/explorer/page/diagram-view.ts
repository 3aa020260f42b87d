import type { App, View } from './app.js'
import type { Box, Layout, PlacedBox } from './diagram-layout.js'
import { layOut } from './diagram-layout.js'
import type { DiagramLine, LinePath, Point } from './diagram-lines.js'
import { linePaths } from './diagram-lines.js'
import { el, fill, svg } from './dom.js'
import type { Model, StructuralType } from './model.js'
import { shortName } from './model.js'
import { typeHash } from './router.js'
import { title } from './pieces.js'

const headHeight = 30
const rowHeight = 19
const letterWidth = 7.6
/** Lines at the same side of a box keep this far from each other. */
const lineDistance = 16

/** The entity types as boxes, and what links them as lines. */
export function diagramView({ model }: App): View {
  const types = [...model.types.values()].filter(({ kind }) => kind === 'EntityType')
  const canvas = el('div', { class: 'canvas', tabindex: 0, role: 'region', 'aria-label': 'Diagram' })
  const isLarge = types.length > 18
  let keysOnly = isLarge
  let scale = 1

  function draw(): void {
    fill(canvas, drawing(model, types, keysOnly, scale))
  }
  function zoom(factor: number): void {
    scale = Math.min(2.5, Math.max(0.2, scale * factor))
    draw()
  }
  function fit(): void {
    const { width } = layoutOf(types, linesOf(model), keysOnly)
    // What cannot be read any more is of no use: then one has to scroll.
    scale = Math.max(0.55, Math.min(1, (canvas.clientWidth - 8) / width))
    draw()
  }

  const keys = el('input', {
    type: 'checkbox',
    checked: keysOnly,
    onchange: () => {
      keysOnly = keys.checked
      draw()
    },
  })
  draw()
  // How much room there is, is known when it is in the page.
  requestAnimationFrame(fit)
  return {
    title: 'Diagram',
    content: [
      title('Diagram'),
      el(
        'div',
        { class: 'row tools' },
        el('label', {}, keys, el('span', {}, 'Keys only')),
        el('button', { type: 'button', onclick: () => zoom(1.25), 'aria-label': 'Larger' }, '+'),
        el('button', { type: 'button', onclick: () => zoom(0.8), 'aria-label': 'Smaller' }, '−'),
        el('button', { type: 'button', onclick: fit }, 'Fit'),
        el('a', { href: '#types' }, 'The same as a list'),
      ),
      canvas,
    ],
  }
}

function drawing(
  model: Model,
  types: readonly StructuralType[],
  keysOnly: boolean,
  scale: number,
): SVGElement {
  const lines = linesOf(model)
  const layout = layoutOf(types, lines, keysOnly)
  const { boxes, width, height } = layout
  const paths = linePaths(lines, layout)
  const drawn = paths.map(drawnLine)
  const nodes = types.flatMap((type) => {
    const box = boxes.get(type.qualifiedName)
    return box === undefined ? [] : [drawnBox(type, box, keysOnly)]
  })
  const picture = svg(
    'svg',
    {
      class: 'diagram',
      viewBox: `0 0 ${String(width)} ${String(height)}`,
      width: width * scale,
      height: height * scale,
      role: 'group',
      'aria-label': `${String(types.length)} entity types and ${String(paths.length)} links`,
    },
    svg(
      'defs',
      {},
      svg(
        'marker',
        {
          id: 'base',
          viewBox: '0 0 10 10',
          refX: 10,
          refY: 5,
          markerWidth: 10,
          markerHeight: 10,
          orient: 'auto-start-reverse',
        },
        svg('path', { class: 'triangle', d: 'M0 0L10 5L0 10z' }),
      ),
    ),
    ...drawn,
    ...nodes,
  )
  const mark = (name: string | undefined): void => {
    picture.classList.toggle('marking', name !== undefined)
    paths.forEach(({ line }, index) => {
      drawn[index]?.classList.toggle('marked', line.from === name || line.to === name)
    })
  }
  nodes.forEach((node) => {
    const name = node.getAttribute('data-type') ?? undefined
    for (const event of ['mouseenter', 'focus']) node.addEventListener(event, () => mark(name))
    for (const event of ['mouseleave', 'blur']) node.addEventListener(event, () => mark(undefined))
  })
  return picture
}

function layoutOf(
  types: readonly StructuralType[],
  lines: readonly DiagramLine[],
  keysOnly: boolean,
): Layout<DiagramLine> {
  return layOut(
    types.map((type) => boxOf(type, lines, keysOnly)),
    lines,
  )
}

/** What a box lists, with the type to the right of each name. */
function rowsOf(type: StructuralType, keysOnly: boolean): readonly (readonly [string, string, boolean])[] {
  const shown = type.properties.filter(({ isKey }) => isKey || !keysOnly)
  return shown.map(({ name, type: typeName, isKey }) => [name, shortName(typeName), isKey] as const)
}

function boxOf(type: StructuralType, lines: readonly DiagramLine[], keysOnly: boolean): Box {
  const name = type.qualifiedName
  const rows = rowsOf(type, keysOnly)
  const longest = Math.max(
    type.name.length * 1.1,
    ...rows.map(([left, right]) => left.length + right.length + 2),
  )
  const ends = Math.max(
    lines.filter(({ from }) => from === name).length,
    lines.filter(({ to }) => to === name).length,
  )
  const listed = headHeight + rows.length * rowHeight + (rows.length > 0 ? 8 : 0)
  return {
    name,
    width: Math.ceil(longest * letterWidth) + 20,
    height: Math.max(listed, (ends + 1) * lineDistance),
  }
}

/** The end of which there is one comes first, so that lines lead from the left to the right. */
function linesOf(model: Model): DiagramLine[] {
  const lines = model.associations.map(({ qualifiedName, ends: [a, b] }): DiagramLine => {
    const [first, second] = a.multiplicity === '*' && b.multiplicity !== '*' ? [b, a] : [a, b]
    return {
      from: first.type,
      to: second.type,
      fromText: first.multiplicity,
      toText: second.multiplicity,
      isInheritance: false,
      title: shortName(qualifiedName),
    }
  })
  for (const { qualifiedName, baseType, kind } of model.types.values()) {
    if (kind !== 'EntityType' || baseType === '') continue
    lines.push({
      from: baseType,
      to: qualifiedName,
      fromText: '',
      toText: '',
      isInheritance: true,
      title: 'base type',
    })
  }
  return lines
}

function drawnLine({ line, path, start, end }: LinePath): SVGElement {
  // Where the line does not go.
  const at = ({ x, y, side }: Point, other: Point, text: string): SVGElement =>
    svg(
      'text',
      { x: x + side * 7, y: other.y < y ? y + 13 : y - 5, 'text-anchor': side > 0 ? 'start' : 'end' },
      text,
    )
  return svg(
    'g',
    { class: line.isInheritance ? 'line inheritance' : 'line' },
    svg('title', {}, line.title),
    svg('path', { d: path, 'marker-start': line.isInheritance ? 'url(#base)' : undefined }),
    at(start, end, line.fromText),
    at(end, start, line.toText),
  )
}

function drawnBox(type: StructuralType, { x, y, width, height }: PlacedBox, keysOnly: boolean): SVGElement {
  const rows = rowsOf(type, keysOnly).flatMap(([name, kind, isKey], index) => {
    const base = y + headHeight + 4 + (index + 0.7) * rowHeight
    return [
      svg('text', { x: x + 10, y: base, class: isKey ? 'key' : undefined }, name),
      svg('text', { x: x + width - 10, y: base, class: 'kind', 'text-anchor': 'end' }, kind),
    ]
  })
  return svg(
    'a',
    {
      class: 'box',
      href: typeHash(type.qualifiedName),
      'data-type': type.qualifiedName,
      'aria-label': `${type.name}, ${String(type.properties.length)} properties`,
    },
    svg('rect', { x, y, width, height, rx: 6 }),
    svg('path', { class: 'head', d: `M${x} ${y + headHeight}h${width}` }),
    svg('text', { x: x + 10, y: y + 20, class: 'name' }, type.name),
    ...rows,
  )
}
