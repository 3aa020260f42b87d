import type { EntitySetProvider, ProviderCall, Row, Rows } from '../../lib/index.js'

/** Categories that come in batches; records how much was read and how reading ended. */
export class RecordedRows {
  /** The number of requested batches. */
  batches = 0
  /** True if the consumer closed the source, or read it to its end. */
  ended = false
  signal: AbortSignal | undefined

  constructor(private readonly batch: (index: number) => Promise<readonly Row[] | undefined>) {}

  get provider(): EntitySetProvider {
    return {
      read: (_query, { signal }: ProviderCall): Rows => {
        this.signal = signal
        return this.rows()
      },
      pushdown: { filter: () => true, orderBy: () => true },
    }
  }

  private async *rows(): AsyncGenerator<readonly Row[]> {
    try {
      for (;;) {
        const rows = await this.batch(this.batches++)
        if (rows === undefined) return
        yield rows
      }
    } finally {
      this.ended = true
    }
  }
}

/** The rows of one batch: a hundred categories, 20 kB of text. */
export function hundredRows(index: number): Row[] {
  return Array.from({ length: 100 }, (_, row) => ({
    ID: index * 100 + row,
    Name: 'x'.repeat(100),
    Note: 'y'.repeat(50),
  }))
}
