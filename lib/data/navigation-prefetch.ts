import type { EntitySet, Property } from '../edm/edm-model.js'
import type {
  EvaluationContext,
  NavigationStep,
  RestrictExpression,
} from '../evaluation/evaluation-context.js'
import type { Row } from '../evaluation/row.js'
import type { ProviderCall } from '../provider/provider-call.js'
import type { Expression, PathStep } from '../query/expression.js'
import { valueReader } from './computed-values.js'

/** Reads the single related entity of each row; undefined for rows without one. */
type ReadRelatedEntity = (
  step: NavigationStep,
  sourceSet: EntitySet,
  rows: readonly Row[],
) => Promise<readonly (Row | undefined)[]>

interface PrefetchedPath {
  readonly step: NavigationStep
  /** The path before it; undefined when it starts at the rows themselves. */
  readonly parent: PrefetchedPath | undefined
  readonly related: Map<Row, Row>
}

/**
 * Lets expressions that the service evaluates follow navigation properties. Compiling an expression records the
 * navigation properties that it needs. They are read before each batch of rows, with one query for each property.
 */
export class NavigationPrefetch implements EvaluationContext {
  private readonly paths = new Map<string, PrefetchedPath>()
  /** Restrictions of the entities that navigation steps reach, in the order of discovery. */
  private readonly restrictions: Expression[] = []

  constructor(
    private readonly set: EntitySet,
    private readonly read: ReadRelatedEntity,
    private readonly call: ProviderCall,
    readonly restrictComputed: RestrictExpression | undefined,
  ) {}

  /** True when no compiled expression navigates. */
  get isEmpty(): boolean {
    return this.paths.size === 0
  }

  navigate(step: NavigationStep, before: readonly PathStep[]): (row: Row) => Row | null {
    const path = this.pathTo(step, before)
    return (row) => path.related.get(row) ?? null
  }

  compute(property: Property, before: readonly PathStep[]): (row: Row) => unknown {
    const step = before.findLast(({ kind }) => kind === 'Navigation')
    return valueReader(property, step?.kind === 'Navigation' ? step.target : this.set, this, this.call)
  }

  /** Reads the related entities of rows for the expressions, and discards those of earlier rows. */
  async load(rows: readonly Row[]): Promise<void> {
    for (const { step, parent, related } of this.paths.values()) {
      related.clear()
      const sources = parent === undefined ? rows : [...new Set(parent.related.values())]
      if (sources.length === 0) continue
      const found = await this.read(step, parent?.step.target ?? this.set, sources)
      for (const [index, row] of found.entries()) {
        const source = sources[index]
        if (row !== undefined && source !== undefined) related.set(source, row)
      }
    }
  }

  private pathTo(step: NavigationStep, before: readonly PathStep[]): PrefetchedPath {
    const name = [...before, step].map((one) => this.nameOf(one)).join('/')
    const known = this.paths.get(name)
    if (known !== undefined) return known
    const parentIndex = before.findLastIndex(({ kind }) => kind === 'Navigation')
    const parentStep = before[parentIndex]
    const parent =
      parentStep?.kind === 'Navigation' ? this.pathTo(parentStep, before.slice(0, parentIndex)) : undefined
    const path = { step, parent, related: new Map<Row, Row>() }
    this.paths.set(name, path)
    return path
  }

  /**
   * Names a path and its restriction: conditions of the client and of `authorize` can follow the same path, but see
   * different entities.
   */
  private nameOf(step: PathStep): string {
    switch (step.kind) {
      case 'Navigation':
        return `${step.navigation.name}${this.restrictionName(step.restriction)}`
      case 'Complex':
        return step.property.name
      case 'TypeCast':
        return `cast(${step.type.qualifiedName})`
    }
  }

  private restrictionName(restriction: Expression | undefined): string {
    if (restriction === undefined) return ''
    if (!this.restrictions.includes(restriction)) this.restrictions.push(restriction)
    return `#${this.restrictions.indexOf(restriction)}`
  }
}
