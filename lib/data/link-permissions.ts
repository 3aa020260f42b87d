import type { EntitySet, NavigationProperty } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import type { Permissions } from './permissions.js'
import type { Operation } from '../provider/authorize.js'
import { everything } from './collection-reader.js'
import { keyOf } from './key-of.js'
import type { NavigationPrefetch } from './navigation-prefetch.js'
import type { RelatedRows } from './related-rows.js'
import { meets } from './row-filter.js'
import { isSameValue } from '../evaluation/write-values.js'

/**
 * Asks the application about links that come and go with other changes, by the operations that requests of `$links`
 * ask about: what cannot be unlinked there cannot be pushed aside by another link either.
 *
 * @spec MS-ODATA 2.2.7.4 (links)
 */
export class LinkPermissions {
  constructor(
    private readonly permissions: Permissions<unknown>,
    private readonly related: RelatedRows,
  ) {}

  /** False when the service has no `authorize` function. Then no rows are read for it. */
  get hasAuthorize(): boolean {
    return this.permissions.hasAuthorize
  }

  /** @throws ODataError Forbidden when an entity may not be linked */
  async permitLink(set: EntitySet, row: Row): Promise<void> {
    await this.permit({ kind: 'link', entitySet: set.path, key: keyOf(set, row), expandDepth: 0 }, set, [row])
  }

  /**
   * Asks about the links that a new one takes the place of, on either side.
   *
   * @param row the source; undefined when it is new itself
   * @throws ODataError Forbidden
   */
  async permitMove(
    set: EntitySet,
    row: Row | undefined,
    navigation: NavigationProperty,
    target: EntitySet,
    targetRow: Row,
  ): Promise<void> {
    if (row !== undefined) await this.permitReplaced(set, row, navigation, target, targetRow)
    const { partner } = navigation
    if (partner !== undefined) await this.permitReplaced(target, targetRow, partner, set, row)
  }

  /**
   * Asks about what a single-valued navigation property leads to and will not any more.
   *
   * @param next what it will lead to, which stays when it is there already
   * @throws ODataError Forbidden
   */
  async permitReplaced(
    set: EntitySet,
    row: Row,
    navigation: NavigationProperty,
    target: EntitySet,
    next?: Row,
  ): Promise<void> {
    if (!this.hasAuthorize || navigation.isCollection) return
    const over = { navigation, source: set, target }
    // All of them, also those that the caller cannot see.
    const [linked = []] = await this.related.read(over, [row], everything(target))
    const gone = linked.filter((one) => next === undefined || !isSameEntity(target, one, next))
    if (gone.length === 0) return
    const key = keyOf(set, row)
    await this.permit({ kind: 'unlink', entitySet: set.path, key, expandDepth: 0 }, set, [row])
    await this.permit(
      { kind: 'unlink', entitySet: target.path, navigation: navigation.name, expandDepth: 0 },
      target,
      gone,
    )
  }

  private async permit(operation: Operation, set: EntitySet, rows: readonly Row[]): Promise<void> {
    const restrictions = await this.permissions.filters(operation, set)
    if (restrictions.length === 0) return
    const createPrefetch = (): NavigationPrefetch => this.related.prefetch(set)
    for (const row of rows) {
      if (!(await meets(row, { restrictions, filters: [] }, set.entityType, createPrefetch))) {
        throw new ODataError('Forbidden')
      }
    }
  }
}

function isSameEntity({ entityType }: EntitySet, one: Row, other: Row): boolean {
  return entityType.key.every((key) => isSameValue(key, one[key.name], other[key.name]))
}
