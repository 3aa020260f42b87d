/** The results of the specs without a mutant. */
export interface Coverage {
  /** The duration of each spec in milliseconds. */
  readonly times: readonly number[]
  /** The specs that reach a mutant, by its ID. */
  readonly tests: Readonly<Record<number, readonly number[]>>
  /** Mutants reached while the files are loaded: they have to be active from the start. */
  readonly atStart: readonly number[]
}

/** A request to a worker. */
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
      /** Specs that are skipped. */
      readonly without: readonly number[]
      /** The only spec to run. */
      readonly only?: number
    }

/** A response of a worker. */
export type WorkerResponse =
  | { readonly kind: 'ready' }
  | { readonly kind: 'covered'; readonly coverage: Coverage; readonly failed: readonly string[] }
  | {
      readonly kind: 'tried'
      /** The spec that fails. */
      readonly killer?: string
      readonly error?: string
      readonly wasMet: boolean
      /** The number of specs that reach it. */
      readonly count: number
      /** The state of the process is damaged: start another. */
      readonly spoilt?: boolean
      /** A spec that fails without the mutant as well. */
      readonly doubtful?: number
    }
