import type { EntitySet, NavigationProperty } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import type { Permissions } from './permissions.js'
import type { Operation } from '../provider/authorize.js'
import { keyOf } from './provider-calls.js'
import { everything } from './pushdown.js'
import type { RelatedReader } from './related-reader.js'
import { meets } from './row-pipeline.js'
import { isSameValue } from '../evaluation/write-values.js'

/**
 * Authorizes links that change together with entities or other links, by the same operations as requests of `$links`:
 * a link that the caller may not delete cannot be replaced by another link either.
 *
 * @spec MS-ODATA 2.2.7.4 (links)
 */
export class LinkPermissions {
  constructor(
    private readonly permissions: Permissions<unknown>,
    private readonly related: RelatedReader,
  ) {}

  /** @throws ODataError Forbidden when an entity may not be linked */
  async authorizeLink(set: EntitySet, row: Row): Promise<void> {
    await this.authorize({ kind: 'link', entitySet: set.path, key: keyOf(set, row), expandDepth: 0 }, set, [
      row,
    ])
  }

  /**
   * Authorizes the removal of links that a new link replaces, on either side.
   *
   * @param row the source; undefined when it is inserted by the same request
   * @throws ODataError Forbidden
   */
  async authorizeMove(
    set: EntitySet,
    row: Row | undefined,
    navigation: NavigationProperty,
    target: EntitySet,
    targetRow: Row,
  ): Promise<void> {
    if (row !== undefined) await this.authorizeReplacement(set, row, navigation, target, targetRow)
    const { partner } = navigation
    if (partner !== undefined) await this.authorizeReplacement(target, targetRow, partner, set, row)
  }

  /**
   * Authorizes the removal of the link of a single-valued navigation property.
   *
   * @param next the new target; a link to it is not removed
   * @throws ODataError Forbidden
   */
  async authorizeReplacement(
    set: EntitySet,
    row: Row,
    navigation: NavigationProperty,
    target: EntitySet,
    next?: Row,
  ): Promise<void> {
    if (!this.permissions.hasAuthorize || navigation.isCollection) return
    const over = { navigation, source: set, target }
    // Includes entities that the caller may not see.
    const [linked = []] = await this.related.read(over, [row], everything(target))
    const removed = linked.filter((one) => next === undefined || !isSameEntity(target, one, next))
    if (removed.length === 0) return
    const key = keyOf(set, row)
    await this.authorize({ kind: 'unlink', entitySet: set.path, key, expandDepth: 0 }, set, [row])
    await this.authorize(
      { kind: 'unlink', entitySet: target.path, navigation: navigation.name, expandDepth: 0 },
      target,
      removed,
    )
  }

  private async authorize(operation: Operation, set: EntitySet, rows: readonly Row[]): Promise<void> {
    const restrictions = await this.permissions.filters(operation, set)
    if (restrictions.length === 0) return
    const conditions = { restrictions, filters: [] }
    for (const row of rows) {
      const isPermitted = await meets(row, conditions, set.entityType, () => this.related.prefetch(set))
      if (!isPermitted) throw new ODataError('Forbidden')
    }
  }
}

function isSameEntity({ entityType }: EntitySet, one: Row, other: Row): boolean {
  return entityType.key.every((key) => isSameValue(key, one[key.name], other[key.name]))
}
