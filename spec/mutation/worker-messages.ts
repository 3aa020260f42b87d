/** What the specs meet without a fault. */
export interface Coverage {
  /** How long each spec takes, in milliseconds. */
  readonly times: readonly number[]
  /** The specs that meet a fault, by its number. */
  readonly tests: Readonly<Record<number, readonly number[]>>
  /** What is met when the files are read: these faults have to be on from the start. */
  readonly atStart: readonly number[]
}

/** What a worker is asked for. */
export type Order =
  | {
      readonly kind: 'read'
      readonly folder: string
      readonly specs: readonly string[]
      readonly coverage?: Coverage
    }
  | { readonly kind: 'cover' }
  | {
      readonly kind: 'try'
      readonly mutant: number
      readonly atStart: boolean
      /** Specs that are not asked. */
      readonly without: readonly number[]
      /** The only spec that is asked. */
      readonly only?: number
    }

/** What it answers. */
export type Answer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'covered'; readonly coverage: Coverage; readonly failed: readonly string[] }
  | {
      readonly kind: 'tried'
      /** The spec that fails. */
      readonly killer?: string
      readonly error?: string
      readonly wasMet: boolean
      /** How many specs meet it. */
      readonly count: number
      /** The process is no longer as it was: start another. */
      readonly spoilt?: boolean
      /** A spec that then fails without the fault as well. */
      readonly doubtful?: number
    }
