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

/** Forms are sent again after ten minutes: the values of one query may have been the reason. */
const FORGET_MS = 600_000

/** Remembers for a while the forms of queries that a V4 service has refused with 400 or 501. */
export class UnsupportedForms {
  /** When each form is forgotten. */
  private readonly forms = new Map<string, number>()

  /** Returns true unless the service has refused the form recently. */
  readonly isSupported = (form: string): boolean => {
    const until = this.forms.get(form)
    if (until === undefined) return true
    if (performance.now() < until) return false
    this.forms.delete(form)
    return true
  }

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
      for (const form of suspects) this.forms.set(form, performance.now() + FORGET_MS)
      return true
    }
    return false
  }
}
