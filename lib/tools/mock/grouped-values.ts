import { analyticalProperties } from '../../edm/analytical-set.js'
import { sapAnnotation } from '../../edm/annotations.js'
import type { EntitySet, Property } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import { Random } from './random.js'
import type { Subject } from './words.js'
import { randomSubject } from './words.js'

/** The number of values of a dimension: with few values, groups have several rows. */
export const MAX_MEMBERS = 4

/** Where a value comes from: equal subjects and random numbers give equal values. */
type ValueSource = readonly [subject: Subject, random: Random]

/** The members of all dimensions for one row. */
interface RowMembers {
  /** Returns the source of the value of a property; undefined for measures, whose values differ in each row. */
  sourceOf(property: Property): ValueSource | undefined
}

/**
 * Makes the dimensions of an analytical set repeat a few values, so that grouping its rows shows something. Attributes
 * and the property of `sap:text` follow their dimension. Everything else follows the first dimension: all rows of one
 * of its members have the same currency.
 */
export class GroupedValues {
  private readonly dimensionOf = new Map<string, string>()
  private readonly dimensions: readonly string[]

  constructor(
    private readonly set: EntitySet,
    private readonly seed: string,
  ) {
    const { dimensions, grouping } = analyticalProperties(set)
    this.dimensions = dimensions.map(({ name }) => name)
    for (const property of grouping) {
      const { name } = property
      const own = this.dimensions.includes(name) ? name : this.dimensions[0]
      this.dimensionOf.set(name, sapAnnotation(property, 'attribute-for') ?? own ?? '')
    }
    for (const dimension of dimensions) {
      const text = sapAnnotation(dimension, 'text')
      if (text !== undefined) this.dimensionOf.set(text, dimension.name)
    }
  }

  /** @param values those of the row that exist already: foreign keys */
  pickMembers(values: Row, random: Random): RowMembers {
    const members = new Map(
      this.dimensions.map((name) => [
        name,
        (values[name] as string | undefined) ?? random.below(MAX_MEMBERS),
      ]),
    )
    const { dimensionOf, seed, set } = this
    return {
      sourceOf({ name }) {
        const dimension = dimensionOf.get(name)
        if (dimension === undefined) return undefined
        const member = `${seed}/${set.path}/${dimension}/${String(members.get(dimension))}`
        return [randomSubject(new Random(member)), new Random(`${member}/${name}`)]
      },
    }
  }
}
