/** What a change is about. */
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
  /** What kind of element has changed. */
  readonly element: ChangedElement
  /** Where it is, as the newer model calls it, or the older one what was removed: `NW.Product/Name`, `Products`. */
  readonly path: string
  /** Whether clients made for the older model may fail. */
  readonly breaking: boolean
  /** What has changed: `MaxLength 40 became 20`. */
  readonly message: string
  /** What that means for clients. */
  readonly reason: string
}

/** Collects changes, each about the element that it was opened for. */
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

/** Where the changes of one element are noted. */
export interface ElementLog {
  breaking(message: string, reason: string): void
  compatible(message: string, reason: string): void
  removed(reason: string): void
  added(breaking: boolean, reason: string): void
}
