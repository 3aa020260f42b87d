/**
 * How the names of a model stand in a database, where they differ from the convention: the table of an entity set has
 * its name, and a column that of its property; the member `W` of the complex property `Dims` is the column `Dims_W`.
 *
 * @example
 * const mapping: SqlMapping = {
 *   entitySets: { Products: { table: 'shop.products', columns: { Name: 'product_name', 'Dims/W': 'width' } } },
 *   associationSets: {
 *     ProductTags: { table: 'product_tags', columns: { Product: { ID: 'product_id' }, Tag: { Id: 'tag_id' } } },
 *   },
 * }
 */
export interface SqlMapping {
  /** By the name of the entity set. */
  readonly entitySets?: Readonly<Record<string, EntitySetMapping>> | undefined
  /** By the name of the association set: the tables that link entities without a foreign key. */
  readonly associationSets?: Readonly<Record<string, LinkTableMapping>> | undefined
}

/** Where an entity set stands in the database. */
export interface EntitySetMapping {
  /** The table or view, perhaps with its schema: `shop.products`. Default: the name of the set. */
  readonly table?: string | undefined
  /** Columns by property; a member of a complex property is `Dims/W`, whose column is `Dims_W` by default. */
  readonly columns?: Readonly<Record<string, string>> | undefined
  /** The column with the name of the type, where a set holds derived types. Default: `Discriminator`. */
  readonly typeColumn?: string | undefined
  /** The columns of media resources. */
  readonly media?: MediaColumnsMapping | undefined
}

/** Where the media resources of an entity set stand. */
export interface MediaColumnsMapping {
  /** The bytes. Default: `MediaContent`. */
  readonly content?: string | undefined
  /** Their content type. Default: `MediaContentType`. */
  readonly contentType?: string | undefined
  /** The names under which browsers may save them, from the `Slug` of clients. Default: names are not stored. */
  readonly fileName?: string | undefined
}

/** The table of an association that has no foreign key. */
export interface LinkTableMapping {
  /** Default: the name of the association set. */
  readonly table?: string | undefined
  /** By role and key property, the column that holds it. Default: `Product_ID` for `ID` of the role `Product`. */
  readonly columns?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined
}

/** What is given for a name takes the place of what is known of it. */
export function mergedMapping(known: SqlMapping, given: SqlMapping = {}): SqlMapping {
  return {
    entitySets: { ...known.entitySets, ...given.entitySets },
    associationSets: { ...known.associationSets, ...given.associationSets },
  }
}
