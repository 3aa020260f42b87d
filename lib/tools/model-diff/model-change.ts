/** The kind of element that a change affects. */
export type ChangedElement =
  | 'Model'
  | 'EntitySet'
  | 'EntityType'
  | 'ComplexType'
  | 'Property'
  | 'NavigationProperty'
  | 'FunctionImport'
  | 'Parameter'

/** One difference between two models, as clients of the service see it. */
export interface ModelChange {
  readonly kind: 'added' | 'removed' | 'changed'
  /** The kind of the element. */
  readonly element: ChangedElement
  /** The path of the element: `NW.Product/Name`, `Products`. Removed elements have the path of the old model. */
  readonly path: string
  /** Whether clients of the old model can fail. */
  readonly breaking: boolean
  /** The change: `MaxLength 40 became 20`. */
  readonly message: string
  /** The consequence for clients. */
  readonly reason: string
}

/** Collects the changes of a comparison. */
export class ChangeLog {
  readonly changes: ModelChange[] = []

  of(element: ChangedElement, path: string): ElementLog {
    const add = (kind: ModelChange['kind'], breaking: boolean, message: string, reason: string): void => {
      this.changes.push({ kind, element, path, breaking, message, reason })
    }
    return {
      breaking: (message, reason) => {
        add('changed', true, message, reason)
      },
      compatible: (message, reason) => {
        add('changed', false, message, reason)
      },
      removed: (reason) => {
        add('removed', true, 'removed', reason)
      },
      added: (breaking, reason) => {
        add('added', breaking, 'added', reason)
      },
    }
  }
}

/** Records the changes of one element. */
export interface ElementLog {
  breaking(message: string, reason: string): void
  compatible(message: string, reason: string): void
  removed(reason: string): void
  added(breaking: boolean, reason: string): void
}
