/**
 * The names of tables and columns that differ from the convention. By convention a table is named like its entity set and
 * a column like its property; the member `W` of the complex property `Dims` is the column `Dims_W`.
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
  /** Tables and columns by the name of the entity set. Default: the names in the model. */
  readonly entitySets?: Readonly<Record<string, EntitySetMapping>> | undefined
  /** Link tables of associations without a foreign key, by the name of the association set. Default: see its members. */
  readonly associationSets?: Readonly<Record<string, LinkTableMapping>> | undefined
}

/**
 * The table and columns of an entity set.
 *
 * @example
 * const products: EntitySetMapping = {
 *   table: 'shop.products',
 *   columns: { Name: 'product_name', 'Size/Width': 'width' },
 * }
 * const provider = sqlProvider(model, db, { mapping: { entitySets: { Products: products } } })
 */
export interface EntitySetMapping {
  /** The table or view, with or without its schema: `shop.products`. Default: the name of the set. */
  readonly table?: string | undefined
  /** Columns by property; `Dims/W` is a member of a complex property. Default: the name of the property, `Dims_W`. */
  readonly columns?: Readonly<Record<string, string>> | undefined
  /** The column with the name of the type, if a set has derived types. Default: `Discriminator`. */
  readonly typeColumn?: string | undefined
  /** The columns of media resources. Default: see its members. */
  readonly media?: MediaColumnsMapping | undefined
}

/**
 * The columns of the media resources of an entity set.
 *
 * @example
 * const media: MediaColumnsMapping = { content: 'bytes', contentType: 'mime_type', fileName: 'name' }
 * const provider = sqlProvider(model, db, { mapping: { entitySets: { Photos: { media } } } })
 */
export interface MediaColumnsMapping {
  /** The column of the bytes. Default: `MediaContent`. */
  readonly content?: string | undefined
  /** The column of the content type. Default: `MediaContentType`. */
  readonly contentType?: string | undefined
  /** The column of the file name, from the `Slug` of clients. Default: file names are not stored. */
  readonly fileName?: string | undefined
}

/**
 * The link table of an association without a foreign key.
 *
 * @example
 * const tags: LinkTableMapping = {
 *   table: 'product_tags',
 *   columns: { Product: { ID: 'product_id' }, Tag: { ID: 'tag_id' } },
 * }
 * const provider = sqlProvider(model, db, { mapping: { associationSets: { ProductTags: tags } } })
 */
export interface LinkTableMapping {
  /** The table, with or without its schema. Default: the name of the association set. */
  readonly table?: string | undefined
  /** Columns by role and key property. Default: `Product_ID` for `ID` of the role `Product`. */
  readonly columns?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined
}

/** Merges two mappings. The second one has precedence for each set. */
export function mergeMappings(known: SqlMapping, given: SqlMapping = {}): SqlMapping {
  return {
    entitySets: { ...known.entitySets, ...given.entitySets },
    associationSets: { ...known.associationSets, ...given.associationSets },
  }
}
