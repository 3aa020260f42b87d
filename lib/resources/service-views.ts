import type { HiddenNames } from '../edm/model-view.js'
import { ModelView } from '../edm/model-view.js'
import type { EdmModel, EntitySet } from '../edm/edm-model.js'
import { entitySetsByPath } from '../edm/edm-model.js'
import type { SapRestrictions } from '../edm/sap-annotations.js'
import { BoundedCache } from '../util/bounded-cache.js'
import type { RequestPlans } from './request-plan.js'

/** A service as callers with hidden columns see it. */
export interface ServiceView<Route> {
  /** Identifies the hidden names, also in the keys of cached pages. */
  readonly key: string
  readonly view: ModelView
  readonly plans: RequestPlans<Route>
  readonly sapRestrictions: SapRestrictions | undefined
}

type CreatePlans<Route> = (view: ModelView, restrictions: SapRestrictions | undefined) => RequestPlans<Route>

const MAX_CACHED_VIEWS = 50

/**
 * The views of a service, cached by their hidden names, each with its own plans: callers with other hidden names do not
 * share them.
 */
export class ServiceViews<Route> {
  private readonly views = new BoundedCache<string, ServiceView<Route>>(MAX_CACHED_VIEWS)
  /** The view of the last request with hidden columns: comparing its names takes less time than creating a key. */
  private last: ServiceView<Route> | undefined
  /** The views of the last two reads; undefined for the whole service. */
  private lastRead: ServiceView<Route> | undefined
  private readBefore: ServiceView<Route> | undefined

  constructor(
    private readonly model: EdmModel,
    readonly isRestricted: boolean,
    private readonly createPlans: CreatePlans<Route>,
  ) {}

  /** Returns an entity set of the model by its path. */
  setAt(path: string): EntitySet {
    const set = entitySetsByPath(this.model).get(path)
    if (set === undefined) throw new TypeError(`The model does not have the entity set '${path}'.`)
    return set
  }

  /** The view that the next read probably needs: that of the last two reads. Undefined for the whole service. */
  get likely(): ServiceView<Route> | undefined {
    return this.lastRead === this.readBefore ? this.lastRead : undefined
  }

  /** Notes the view of a read; undefined for the whole service. */
  noteRead(view: ServiceView<Route> | undefined): void {
    this.readBefore = this.lastRead
    this.lastRead = view
  }

  of(hidden: HiddenNames): ServiceView<Route> {
    if (this.last?.view.hides(hidden) === true) return this.last
    return (this.last = this.viewOf(hidden))
  }

  private viewOf(hidden: HiddenNames): ServiceView<Route> {
    const sorted = [...hidden].map(([set, names]) => [set, ...[...names].sort()].join(' ')).sort()
    const key = sorted.join(';')
    let view = this.views.get(key)
    if (view === undefined) {
      const names = [...hidden].map(([set, own]) => [set, new Set(own)] as const)
      view = this.create(key, new ModelView(this.model, new Map(names)))
      this.views.set(key, view)
    }
    return view
  }

  /** Creates a view without hidden names that reports the entity sets which names lead to. */
  tracking(touched: Set<string>): ServiceView<Route> {
    const onSet = ({ path }: { readonly path: string }): void => {
      touched.add(path)
    }
    return this.create('', new ModelView(this.model, new Map(), onSet))
  }

  private create(key: string, view: ModelView): ServiceView<Route> {
    const sapRestrictions = this.isRestricted ? view.restrictions() : undefined
    return { key, view, plans: this.createPlans(view, sapRestrictions), sapRestrictions }
  }
}
