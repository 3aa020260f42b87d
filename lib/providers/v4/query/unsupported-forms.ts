/** The order in which forms are avoided: the less common ones first. */
const ranks: readonly ((form: string) => boolean)[] = [
  (form) => form.startsWith('expand'),
  (form) => /^[a-z]+$/.test(form) && form !== 'path' && form !== 'count' && form !== 'search',
  (form) => form === 'path',
  (form) => form.startsWith('order'),
  () => true,
]

/** The most forms that are remembered: names of functions and types limit them anyway. */
const MAX_FORMS = 1_000

/** Remembers the forms of queries that a V4 service has refused with 400 or 501, so that they are not sent again. */
export class UnsupportedForms {
  private readonly forms = new Set<string>()

  /** Returns true unless the service has refused the form. */
  readonly isSupported = (form: string): boolean => !this.forms.has(form)

  /**
   * Adds the least common forms of a refused request.
   *
   * @returns false if the request had no form that can be avoided
   */
  add(forms: Iterable<string>): boolean {
    const used = [...forms].filter(this.isSupported)
    for (const isOfRank of ranks) {
      const suspects = used.filter(isOfRank)
      if (suspects.length === 0) continue
      if (this.forms.size > MAX_FORMS) return false
      for (const form of suspects) this.forms.add(form)
      return true
    }
    return false
  }
}
