/** A vocabulary of annotations, with its usual alias. */
interface Vocabulary {
  readonly alias: string
  readonly namespace: string
  /** The published address, which documents refer to. It is never loaded. */
  readonly uri: string
}

const sapTerms = 'https://sap.github.io/odata-vocabularies/vocabularies'
const oasisTerms = 'https://oasis-tcs.github.io/odata-vocabularies/vocabularies'

/** The vocabularies whose aliases the builder accepts. */
export const vocabularies: readonly Vocabulary[] = [
  ...['UI', 'Common', 'Communication'].map((alias) => ({
    alias,
    namespace: `com.sap.vocabularies.${alias}.v1`,
    uri: `${sapTerms}/${alias}.xml`,
  })),
  ...['Core', 'Capabilities', 'Measures'].map((alias) => ({
    alias,
    namespace: `Org.OData.${alias}.V1`,
    uri: `${oasisTerms}/Org.OData.${alias}.V1.xml`,
  })),
]

/** The namespaces of the vocabularies by their aliases. */
export const vocabularyAliases: ReadonlyMap<string, string> = new Map(
  vocabularies.map(({ alias, namespace }) => [alias, namespace]),
)

/** Replaces the alias at the start of a qualified name by its namespace. */
export function fullName(name: string, aliases: ReadonlyMap<string, string>): string {
  const dot = name.lastIndexOf('.')
  const namespace = aliases.get(name.slice(0, Math.max(dot, 0)))
  return namespace === undefined ? name : namespace + name.slice(dot)
}
