import { typeHash } from './address.js'
import type { App, View } from './app.js'
import { button, link, title } from './components.js'
import type { Box, Line, LinePath, PlacedBox, Point } from './diagram-layout.js'
import { layOut, linePaths } from './diagram-layout.js'
import { el, fill, svg } from './dom.js'
import { saveFile } from './download.js'
import type { Model, Property, StructuralType } from './model.js'
import { shortName } from './model.js'

const HEAD_HEIGHT = 30
const ROW_HEIGHT = 19
const LETTER_WIDTH = 7.6
/** Distance between lines at the same side of a box. */
const LINE_DISTANCE = 16
/** Larger models start with key properties only. */
const MAX_DETAILED_TYPES = 18
/** Smaller text is not readable. */
const MIN_FITTED_SCALE = 0.55

/** An association, or the inheritance of a type from its base type. */
interface DiagramLine extends Line {
  readonly fromText: string
  readonly toText: string
  readonly isInheritance: boolean
  readonly title: string
}

/** Creates a diagram of the entity types with their associations and inheritance. */
export function diagramView({ model, ownRoot, title: serviceTitle }: App): View {
  const types = [...model.types.values()].filter(({ kind }) => kind === 'EntityType')
  const lines = [...associationLines(model), ...types.flatMap(inheritanceLine)]
  const canvas = el('div', { class: 'canvas', tabindex: 0, role: 'region', 'aria-label': 'Diagram' })
  const checked = types.length > MAX_DETAILED_TYPES
  const keysOnly = el('input', { type: 'checkbox', checked, onchange: () => draw() })
  const search = el('input', {
    type: 'search',
    placeholder: 'Find type',
    'aria-label': 'Find type',
    oninput: find,
  })
  let scale = 1

  function draw(): void {
    fill(canvas, drawing(types, lines, keysOnly.checked, scale))
    find()
  }
  /** Fades the boxes without the wanted text, and scrolls to the first one that has it. */
  function find(): void {
    const wanted = search.value.trim().toLowerCase()
    let first: Element | undefined
    for (const box of canvas.querySelectorAll('.box')) {
      const isFound = box.textContent.toLowerCase().includes(wanted)
      box.classList.toggle('faint', !isFound)
      if (isFound) first ??= box
    }
    if (wanted !== '') first?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  /** Saves the diagram with the style sheet of the page, so that it looks the same outside of it. */
  async function save(): Promise<void> {
    const picture = canvas.firstElementChild?.cloneNode(true)
    if (!(picture instanceof SVGElement)) return
    const css = await (await fetch(`${ownRoot}explorer.css`)).text()
    picture.prepend(svg('style', {}, css))
    const text = new XMLSerializer().serializeToString(picture)
    saveFile(new Blob([text], { type: 'image/svg+xml' }), `${serviceTitle}.svg`)
  }
  function zoom(factor: number): void {
    scale = Math.min(2.5, Math.max(0.2, scale * factor))
    draw()
  }
  function fit(): void {
    const drawnWidth = (canvas.firstElementChild?.getBoundingClientRect().width ?? 1) / scale
    scale = Math.max(MIN_FITTED_SCALE, Math.min(1, (canvas.clientWidth - 8) / drawnWidth))
    draw()
  }

  draw()
  // The canvas has no width until it is part of the page.
  requestAnimationFrame(fit)
  return {
    title: 'Diagram',
    content: [
      title('Diagram'),
      el(
        'div',
        { class: 'row tools' },
        el('label', {}, keysOnly, el('span', {}, 'Keys only')),
        button('+', () => zoom(1.25), { 'aria-label': 'Zoom in' }),
        button('−', () => zoom(0.8), { 'aria-label': 'Zoom out' }),
        button('Fit', fit),
        button('Save as SVG', () => void save()),
        search,
        link('#types', 'Show as list'),
      ),
      canvas,
    ],
  }
}

/** Lines start at the end with multiplicity 1, so that they lead from left to right. */
function associationLines({ associations }: Model): readonly DiagramLine[] {
  return associations.map(({ qualifiedName, ends: [a, b] }) => {
    const [from, to] = a.multiplicity === '*' && b.multiplicity !== '*' ? [b, a] : [a, b]
    return {
      from: from.type,
      to: to.type,
      fromText: from.multiplicity,
      toText: to.multiplicity,
      isInheritance: false,
      title: shortName(qualifiedName),
    }
  })
}

function inheritanceLine({ qualifiedName, baseType }: StructuralType): readonly DiagramLine[] {
  if (baseType === '') return []
  const line = { fromText: '', toText: '', isInheritance: true, title: 'base type' }
  return [{ from: baseType, to: qualifiedName, ...line }]
}

function drawing(
  types: readonly StructuralType[],
  lines: readonly DiagramLine[],
  keysOnly: boolean,
  scale: number,
): SVGElement {
  const rowsOf = (type: StructuralType): readonly Property[] =>
    type.properties.filter(({ isKey }) => isKey || !keysOnly)
  const layout = layOut(
    types.map((type) => boxOf(type, rowsOf(type), lines)),
    lines,
  )
  const { boxes, width, height } = layout
  const paths = linePaths(lines, layout)
  const drawnLines = paths.map(drawLine)
  const highlight = (name: string | undefined): void => {
    picture.classList.toggle('marking', name !== undefined)
    for (const [index, { line }] of paths.entries()) {
      drawnLines[index]?.classList.toggle('marked', line.from === name || line.to === name)
    }
  }
  const drawnBoxes = types.map((type) => {
    const box = boxes.get(type.qualifiedName)
    return box === undefined ? undefined : drawBox(type, box, rowsOf(type), highlight)
  })
  const picture = svg(
    'svg',
    {
      class: 'diagram',
      viewBox: `0 0 ${String(width)} ${String(height)}`,
      width: width * scale,
      height: height * scale,
      role: 'group',
      'aria-label': `${String(types.length)} entity types and ${String(paths.length)} lines`,
    },
    svg('defs', {}, inheritanceMarker()),
    ...drawnLines,
    ...drawnBoxes,
  )
  return picture
}

function inheritanceMarker(): SVGElement {
  const size = { refX: 10, refY: 5, markerWidth: 10, markerHeight: 10 }
  return svg(
    'marker',
    { id: 'base', viewBox: '0 0 10 10', ...size, orient: 'auto-start-reverse' },
    svg('path', { class: 'triangle', d: 'M0 0L10 5L0 10z' }),
  )
}

function boxOf(
  { name, qualifiedName }: StructuralType,
  rows: readonly Property[],
  lines: readonly DiagramLine[],
): Box {
  const longestRow = Math.max(
    name.length * 1.1,
    ...rows.map((row) => row.name.length + shortName(row.type).length + 2),
  )
  const maxLines = Math.max(
    lines.filter(({ from }) => from === qualifiedName).length,
    lines.filter(({ to }) => to === qualifiedName).length,
  )
  const rowsHeight = HEAD_HEIGHT + rows.length * ROW_HEIGHT + (rows.length > 0 ? 8 : 0)
  return {
    name: qualifiedName,
    width: Math.ceil(longestRow * LETTER_WIDTH) + 20,
    height: Math.max(rowsHeight, (maxLines + 1) * LINE_DISTANCE),
  }
}

function drawLine({ line, path, start, end }: LinePath<DiagramLine>): SVGElement {
  return svg(
    'g',
    { class: line.isInheritance ? 'line inheritance' : 'line' },
    svg('title', {}, line.title),
    svg('path', { d: path, 'marker-start': line.isInheritance ? 'url(#base)' : undefined }),
    multiplicity(start, end, line.fromText),
    multiplicity(end, start, line.toText),
  )
}

/** Creates a multiplicity at an end of a line, above or below it so that the line does not cross it. */
function multiplicity({ x, y, side }: Point, other: Point, text: string): SVGElement {
  const textY = other.y < y ? y + 13 : y - 5
  return svg('text', { x: x + side * 7, y: textY, 'text-anchor': side > 0 ? 'start' : 'end' }, text)
}

/** @param highlight highlights the lines of a box by name, or none */
function drawBox(
  { name, qualifiedName }: StructuralType,
  { x, y, width, height }: PlacedBox,
  rows: readonly Property[],
  highlight: (name: string | undefined) => void,
): SVGElement {
  const [show, hide] = [() => highlight(qualifiedName), () => highlight(undefined)]
  return svg(
    'a',
    {
      class: 'box',
      href: typeHash(qualifiedName),
      onmouseenter: show,
      onfocus: show,
      onmouseleave: hide,
      onblur: hide,
    },
    svg('rect', { x, y, width, height, rx: 6 }),
    svg('path', { class: 'head', d: `M${String(x)} ${String(y + HEAD_HEIGHT)}h${String(width)}` }),
    svg('text', { x: x + 10, y: y + 20, class: 'name' }, name),
    ...rows.flatMap((row, index) => {
      const baseline = y + HEAD_HEIGHT + 4 + (index + 0.7) * ROW_HEIGHT
      const type = { x: x + width - 10, y: baseline, class: 'kind', 'text-anchor': 'end' }
      return [
        svg('text', { x: x + 10, y: baseline, class: row.isKey ? 'key' : undefined }, row.name),
        svg('text', type, shortName(row.type)),
      ]
    }),
  )
}
