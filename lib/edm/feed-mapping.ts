/** The Atom elements that a property can be shown in. */
export const syndicationTargets = [
  'SyndicationAuthorEmail',
  'SyndicationAuthorName',
  'SyndicationAuthorUri',
  'SyndicationContributorEmail',
  'SyndicationContributorName',
  'SyndicationContributorUri',
  'SyndicationPublished',
  'SyndicationRights',
  'SyndicationSummary',
  'SyndicationTitle',
  'SyndicationUpdated',
] as const

export type SyndicationTarget = (typeof syndicationTargets)[number]

/** How the text of a mapped property is to be read. */
export type FeedContentKind = 'text' | 'html' | 'xhtml'

/**
 * A feed customization: the value of a property appears outside the content of its Atom entry.
 *
 * @spec MS-ODATA 2.2.3.7.2.1 (customizable feeds)
 */
export interface FeedMapping {
  /** Names from the entity type to the property: `['Dims', 'Unit']`. */
  readonly sourcePath: readonly string[]
  /** A syndication target or a path of element names, whose last may be an attribute: `geo/@lat`. */
  readonly targetPath: string
  readonly contentKind: FeedContentKind
  /** Whether the value also stays in the content. Default true. */
  readonly keepInContent: boolean
  /** Namespace of a custom path. */
  readonly namespaceUri?: string | undefined
  readonly namespacePrefix?: string | undefined
}

const known: ReadonlySet<string> = new Set(syndicationTargets)

export function isSyndicationTarget(path: string): path is SyndicationTarget {
  return known.has(path)
}
