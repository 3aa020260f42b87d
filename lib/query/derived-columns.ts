import type { AnalyticalSet, Measure } from '../edm/analytical-set.js'
import type { EdmModel, EntitySet, Property } from '../edm/edm-model.js'
import { entitySetsOf } from '../edm/edm-model.js'
import { isCounted } from '../edm/measure-option.js'
import type { Analytics } from './analytics.js'
import { computedExpression } from './computed-expression.js'
import type { EntityPath, PathStep, PropertyPath } from './expression.js'
import { forEachNamedPath, forEachPath } from './expression.js'
import type { GroupSource } from './group-source.js'

/** A column of an entity set, by the path of the set and its own path: `Address/Zip`. */
interface ColumnUse {
  readonly set: string
  readonly path: string
}

/** A property whose value comes from columns that the application has named in its options or model. */
interface DerivedColumn {
  readonly set: string
  readonly name: string
  readonly uses: readonly ColumnUse[]
}

type NavigationStep = Extract<PathStep, { kind: 'Navigation' }>

/** The entities on which the values of the derived columns of a set depend. */
export interface DerivedFrom {
  readonly steps: readonly NavigationStep[]
  /** The set whose rows an analytical set groups. */
  readonly rows: EntitySet | undefined
}

/** Hidden names by the path of their entity set. */
type HiddenSets = Map<string, Set<string>>

/**
 * The properties of a service that are derived from other columns: computed properties, the properties of analytical sets
 * with `source`, and measures of other properties. A caller who cannot see one of these columns cannot see the derived
 * property either.
 */
export class DerivedColumns {
  private readonly columns: DerivedColumn[] = []
  private readonly sources = new Map<string, DerivedFrom>()

  constructor(model: EdmModel, analytics: Analytics | undefined) {
    for (const set of entitySetsOf(model)) {
      const analytical = analytics?.sets.get(set)
      const source = analytical && analytics?.sourceOf(analytical)
      const steps = this.addComputed(set)
      if (source !== undefined) steps.push(...this.addGrouped(set, source))
      if (analytical !== undefined) this.addMeasures(analytical)
      if (steps.length > 0 || source !== undefined) this.sources.set(set.path, { steps, rows: source?.set })
    }
  }

  /** Returns what the derived columns of a set depend on; undefined if they depend on the set alone. */
  from({ path }: EntitySet): DerivedFrom | undefined {
    return this.sources.get(path)
  }

  /** Adds the derived columns of hidden columns, and those that are derived from them in turn. */
  addTo(hidden: HiddenSets): void {
    const pending = this.columns.filter(({ set, name }) => hidden.get(set)?.has(name) !== true)
    const added = pending.filter(({ uses }) => uses.some((use) => isHidden(use, hidden)))
    if (added.length === 0) return
    for (const { set, name } of added) hidden.set(set, (hidden.get(set) ?? new Set()).add(name))
    this.addTo(hidden)
  }

  private addComputed(set: EntitySet): NavigationStep[] {
    const { path, entityType } = set
    return entityType.computedProperties.flatMap((property) => {
      const uses: ColumnUse[] = (property.computed?.needs ?? []).map((name) => ({ set: path, path: name }))
      const steps: NavigationStep[] = []
      const expression = computedExpression(set, property)
      if (expression !== undefined) {
        forEachNamedPath(expression, (one) => uses.push(...usesOf(one, set)))
        forEachPath(expression, (one) => steps.push(...navigationOf(one)))
      }
      this.columns.push({ set: path, name: property.name, uses })
      return steps
    })
  }

  private addGrouped(set: EntitySet, { paths, set: rows }: GroupSource): NavigationStep[] {
    return [...paths].flatMap(([name, path]) => {
      if (set.entityType.property(name)?.isKey !== true)
        this.columns.push({ set: set.path, name, uses: usesOf(path, rows) })
      return navigationOf(path)
    })
  }

  private addMeasures({ addsMixedUnits, measures, set }: AnalyticalSet): void {
    for (const [name, measure] of measures) {
      const uses = inputsOf(measure, addsMixedUnits).map((input) => ({ set: set.path, path: input.name }))
      this.columns.push({ set: set.path, name, uses })
    }
  }
}

/** Returns the properties that decide the value of a measure. */
function inputsOf({ input, method, unit }: Measure, addsMixedUnits: boolean): readonly Property[] {
  if (method === 'count') return []
  return unit === undefined || addsMixedUnits || isCounted(method) ? [input] : [input, unit]
}

/** Returns the columns that a path names, each in the set in which it stands. */
function usesOf(path: PropertyPath | EntityPath, start: EntitySet): readonly ColumnUse[] {
  const uses: ColumnUse[] = []
  let set = start.path
  let prefix = ''
  for (const step of path.steps) {
    if (step.kind === 'Complex') prefix += `${step.property.name}/`
    if (step.kind !== 'Navigation') continue
    uses.push({ set, path: step.navigation.name })
    set = step.target.path
  }
  if (path.kind === 'PropertyPath') uses.push({ set, path: prefix + path.property.name })
  return uses
}

function navigationOf({ steps }: PropertyPath | EntityPath): NavigationStep[] {
  return steps.filter((step) => step.kind === 'Navigation')
}

/** Returns true for a column that is hidden, that is part of a hidden complex property, or that has a hidden member. */
function isHidden({ set, path }: ColumnUse, hidden: HiddenSets): boolean {
  for (const name of hidden.get(set) ?? []) {
    if (name === path || name.startsWith(`${path}/`) || path.startsWith(`${name}/`)) return true
  }
  return false
}
