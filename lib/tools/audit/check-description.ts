/** What a requirement is called and where it stands. */
export interface CheckDescription {
  /** `ODATA-META-003`; never given to another requirement. */
  readonly id: string
  readonly level: 'MUST' | 'SHOULD'
  /** The requirement in one sentence. */
  readonly title: string
  /** The section it is from: `MS-ODATA 2.2.3.7.1`. */
  readonly spec: string
  /** True for what changes data, and is left out unless the audit may write. */
  readonly writes: boolean
}
