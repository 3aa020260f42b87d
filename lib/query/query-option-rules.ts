import type { SystemQueryOption } from '../uri/parse-query-options.js'

/** Rules of a system query option that do not depend on the resource. */
interface OptionRules {
  /** The first version of the protocol with the option. @spec MS-ODATA 2.2.5.3 */
  readonly since: '1.0' | '2.0'
  /** True if next links repeat the option of the request; false if the service computes it, or omits it. */
  readonly isInNextLinks: boolean
  /**
   * Use with change tracking: `link`: delta links repeat the option; `page`: pages of deltas can have it; `firstLoad`:
   * only the first load can have it; `never`: the changes of such a request cannot be found.
   */
  readonly tracking: 'link' | 'page' | 'firstLoad' | 'never'
}

/** In the order of options in links. */
const rules: Readonly<Record<SystemQueryOption, OptionRules>> = {
  $filter: { since: '1.0', isInNextLinks: true, tracking: 'link' },
  $expand: { since: '1.0', isInNextLinks: true, tracking: 'never' },
  $orderby: { since: '1.0', isInNextLinks: true, tracking: 'firstLoad' },
  $inlinecount: { since: '2.0', isInNextLinks: true, tracking: 'firstLoad' },
  $select: { since: '2.0', isInNextLinks: true, tracking: 'link' },
  $format: { since: '1.0', isInNextLinks: true, tracking: 'link' },
  $top: { since: '1.0', isInNextLinks: false, tracking: 'never' },
  $skip: { since: '1.0', isInNextLinks: false, tracking: 'never' },
  $skiptoken: { since: '2.0', isInNextLinks: false, tracking: 'page' },
}

/** Returns the options whose rules meet a condition, in the order of links. */
export function optionsWhere(meets: (rules: OptionRules) => boolean): readonly SystemQueryOption[] {
  const options = Object.entries(rules) as [SystemQueryOption, OptionRules][]
  return options.flatMap(([name, own]) => (meets(own) ? [name] : []))
}
