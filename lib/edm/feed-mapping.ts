/** The Atom elements to which properties can be mapped. */
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

/** The type of an Atom text construct. */
export type FeedContentKind = 'text' | 'html' | 'xhtml'

/**
 * A feed mapping (customizable feed): an element of an Atom entry has the value of a property.
 *
 * @spec MS-ODATA 2.2.3.7.2.1 (customizable feeds)
 */
export interface FeedMapping {
  /** The path of the property: `['Dims', 'Unit']`. */
  readonly sourcePath: readonly string[]
  /** A syndication target, or a path of elements that may end with an attribute: `geo/@lat`. */
  readonly targetPath: string
  readonly contentKind: FeedContentKind
  /** If true, the value is repeated in the content of the entry. Default: true. */
  readonly keepInContent: boolean
  /** The namespace of a custom path. */
  readonly namespaceUri?: string | undefined
  readonly namespacePrefix?: string | undefined
}

const targets: ReadonlySet<string> = new Set(syndicationTargets)

export function isSyndicationTarget(path: string): path is SyndicationTarget {
  return targets.has(path)
}
