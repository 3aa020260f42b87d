import type { App } from './app.js'
import { link, note } from './components.js'
import { fill, uniqueId } from './dom.js'
import type { EntityChanges } from './entity-changes.js'
import type { Property } from './model.js'
import type { Reference } from './references.js'
import type { ValueField } from './value-field.js'
import { valueField } from './value-field.js'

/** A row of a table of entities. */
export interface EditableRow {
  readonly row: HTMLTableRowElement
  readonly changes: EntityChanges
  /** The properties of the cells that can be edited. */
  readonly properties: ReadonlyMap<HTMLTableCellElement, Property>
  /** Shows the values after a change; the content of the edited cell is created again in any case. */
  readonly update: (edited: HTMLTableCellElement) => void
}

/** The cell that is edited. */
interface OpenCell {
  readonly cell: HTMLTableCellElement
  readonly in: EditableRow
  readonly field: ValueField
  /** Values that the user has chosen together with that of the cell. */
  readonly chosen: Record<string, unknown>
}

const CONTROLS = 'input, select, textarea'

/**
 * Lets users edit cells of a table, which becomes a grid: the arrow keys move between cells, Enter, F2 or a double
 * click opens the input of a form in a cell, Tab opens the next one, Escape restores the value. The changes are
 * collected, and sent as one change set.
 *
 * @param references the entities from which values are chosen, by the names of properties
 * @returns instructions with a link to the changes
 */
export function editCells(
  app: App,
  table: HTMLTableElement,
  rows: readonly EditableRow[],
  references: ReadonlyMap<string, Reference>,
): HTMLElement {
  const editor = new CellEditor(app, rows, references)
  const cells = rows.flatMap(({ row }) => [...row.cells])
  for (const cell of cells) {
    cell.tabIndex = -1
    if (!editor.canEdit(cell)) cell.setAttribute('aria-readonly', 'true')
  }
  const [first] = cells.filter((cell) => editor.canEdit(cell))
  if (first !== undefined) first.tabIndex = 0
  editor.hint.id = uniqueId('hint')
  table.setAttribute('role', 'grid')
  table.setAttribute('aria-label', 'Entities')
  table.setAttribute('aria-describedby', editor.hint.id)
  table.addEventListener('keydown', (event) => {
    const cell = editor.cellOf(event.target)
    if (cell !== undefined && !event.defaultPrevented && editor.press(event, cell)) event.preventDefault()
  })
  table.addEventListener('dblclick', ({ target }) => {
    const cell = editor.cellOf(target)
    if (cell !== undefined) void editor.open(cell)
  })
  table.addEventListener('focusin', ({ target }) => {
    const cell = editor.cellOf(target)
    if (cell === undefined) return
    // Tab returns to the cell that had the focus last.
    for (const other of cells) if (other.tabIndex === 0) other.tabIndex = -1
    cell.tabIndex = 0
  })
  table.addEventListener('focusout', ({ relatedTarget }) => editor.leave(relatedTarget))
  return editor.hint
}

class CellEditor {
  readonly hint = note('')
  private current: OpenCell | undefined

  constructor(
    private readonly app: App,
    private readonly rows: readonly EditableRow[],
    private readonly references: ReadonlyMap<string, Reference>,
  ) {
    this.showHint()
  }

  /** Returns the cell of a row that contains an element; cells of nested tables belong to these. */
  cellOf(target: EventTarget | null): HTMLTableCellElement | undefined {
    const cell = target instanceof Element ? target.closest<HTMLTableCellElement>('td, th') : null
    return cell !== null && this.rowOf(cell) !== undefined ? cell : undefined
  }

  canEdit(cell: HTMLTableCellElement): boolean {
    const row = this.rowOf(cell)
    return row?.properties.has(cell) === true && row.changes.pending?.operation.method !== 'DELETE'
  }

  private rowOf(cell: HTMLTableCellElement): EditableRow | undefined {
    return this.rows.find(({ row }) => row === cell.parentElement)
  }

  /** Opens the input for the value of a cell. */
  async open(cell: HTMLTableCellElement): Promise<void> {
    const row = this.rowOf(cell)
    const property = row?.properties.get(cell)
    if (row === undefined || property === undefined || !this.canEdit(cell)) return
    if (this.current?.cell === cell) return
    await this.commit()
    const chosen: Record<string, unknown> = {}
    const others = {
      read: (name: string) => (name in chosen ? chosen[name] : row.changes.current[name]),
      fill: (values: Readonly<Record<string, unknown>>) => void Object.assign(chosen, values),
    }
    const reference = this.references.get(property.name)
    const value = row.changes.current[property.name]
    const field = valueField(this.app, property, value, false, { reference, others })
    fill(cell, field.element)
    cell.classList.add('editing')
    this.current = { cell, in: row, field, chosen }
    const control = cell.querySelector<HTMLElement>(CONTROLS)
    control?.focus()
    if (control instanceof HTMLInputElement) control.select()
  }

  /** @returns true if the key has a meaning in the cell */
  press(event: KeyboardEvent, cell: HTMLTableCellElement): boolean {
    if (event.altKey || event.ctrlKey || event.metaKey) return false
    if (this.current?.cell === cell) return this.pressInInput(event, cell)
    const isOnCell = event.target === cell
    if (event.key === 'F2' || (event.key === 'Enter' && isOnCell)) {
      if (this.canEdit(cell)) void this.open(cell)
      else if (isOnCell) cell.querySelector<HTMLElement>('a, button')?.focus()
      return true
    }
    const next = this.neighbor(event.key, cell)
    next?.focus()
    return next !== undefined
  }

  private pressInInput({ key, shiftKey, target }: KeyboardEvent, cell: HTMLTableCellElement): boolean {
    if (key === 'Escape') {
      this.current = undefined
      this.rowOf(cell)?.update(cell)
      cell.focus()
      return true
    }
    if (key === 'Enter' && !(target instanceof HTMLTextAreaElement)) {
      void this.commit().then(() => cell.focus())
      return true
    }
    if (key !== 'Tab') return false
    const controls = [...cell.querySelectorAll(CONTROLS)]
    if (target !== controls.at(shiftKey ? 0 : -1)) return false
    const cells = this.rows.flatMap(({ row }) => [...row.cells]).filter((one) => this.canEdit(one))
    const next = cells[cells.indexOf(cell) + (shiftKey ? -1 : 1)]
    if (next === undefined) return false
    void this.open(next)
    return true
  }

  private neighbor(key: string, cell: HTMLTableCellElement): HTMLTableCellElement | undefined {
    const rows = this.rows.map(({ row }) => row.cells)
    const at = this.rows.findIndex(({ row }) => row === cell.parentElement)
    const { cellIndex } = cell
    switch (key) {
      case 'ArrowUp':
        return rows[at - 1]?.[cellIndex]
      case 'ArrowDown':
        return rows[at + 1]?.[cellIndex]
      case 'ArrowLeft':
        return rows[at]?.[cellIndex - 1]
      case 'ArrowRight':
        return rows[at]?.[cellIndex + 1]
      case 'Home':
        return rows[at]?.[0]
      case 'End':
        return rows[at]?.[rows[at].length - 1]
      default:
        return undefined
    }
  }

  /** Commits the value when the focus leaves the cell, but not when the user switches to another window. */
  leave(to: EventTarget | null): void {
    const isInside = to instanceof Node && this.current?.cell.contains(to) === true
    if (!isInside && document.hasFocus()) void this.commit()
  }

  /** Adds the entered value to the changes that are not sent yet. */
  private async commit(): Promise<void> {
    const { current } = this
    if (current === undefined) return
    this.current = undefined
    const { cell, field, chosen } = current
    const { changes, update } = current.in
    const value: unknown = await field.read()
    const before = changes.pending
    const values = await changes.differing({ ...before?.values, ...chosen, [field.name]: value })
    if (JSON.stringify(values) !== JSON.stringify(before?.values ?? {})) {
      changes.replace(values)
      this.app.announce(
        `${field.name} is ${field.name in values ? 'changed' : 'unchanged'}. ${this.countText()}`,
      )
    }
    update(cell)
    this.showHint()
  }

  private countText(): string {
    const count = this.app.changes.all.length
    return count === 1 ? '1 change is not sent yet.' : `${String(count)} changes are not sent yet.`
  }

  private showHint(): void {
    const instructions = 'To edit a cell, double-click it, or press Enter or F2.'
    if (this.app.changes.all.length === 0) return fill(this.hint, instructions)
    fill(this.hint, `${instructions} ${this.countText()} `, link('#changes', 'Review and send'))
  }
}
