import { filterOutcome, valueOf } from '../support/expressions.js'

const truth = [true, false, null] as const
const text = (value: boolean | null): string => String(value)

/** How a value can be written; the property `Active` is null here. */
function forms(value: boolean | null): string[] {
  return value === null ? ['null', 'Active'] : [text(value)]
}

function and(a: boolean | null, b: boolean | null): boolean | null {
  if (a === false || b === false) return false
  return a === null || b === null ? null : true
}

function or(a: boolean | null, b: boolean | null): boolean | null {
  if (a === true || b === true) return true
  return a === null || b === null ? null : false
}

describe('Conditions (MS-ODATA 2.2.3.6.1.1, lifted operators)', () => {
  describe('Three-valued logic', () => {
    const pairs = truth.flatMap((a) => truth.map((b) => [a, b] as const))

    it.each(pairs)('MUST evaluate %p and %p according to the table of the specification', (a, b) => {
      for (const left of forms(a)) {
        for (const right of forms(b)) {
          expect(filterOutcome(`${left} and ${right}`)).toBe(and(a, b))
          expect(filterOutcome(`${left} or ${right}`)).toBe(or(a, b))
          expect(filterOutcome(`not (${left} and ${right})`)).toBe(negated(and(a, b)))
          // As values of a comparison, which is never null itself.
          expect(filterOutcome(`(${left} and ${right}) eq ${text(and(a, b))}`)).toBe(true)
          expect(filterOutcome(`(${left} or ${right}) eq ${text(or(a, b))}`)).toBe(true)
          expect(filterOutcome(`(${left} or ${right}) ne ${text(or(a, b))}`)).toBe(false)
          expect(filterOutcome(`(not (${left} or ${right})) eq ${text(negated(or(a, b)))}`)).toBe(true)
        }
      }
    })

    it('MUST return null for not null', () => {
      expect(filterOutcome('not null')).toBeNull()
      expect(filterOutcome('not Active')).toBeNull()
      expect(filterOutcome('not not Active')).toBeNull()
      expect(filterOutcome('not Active', { Active: false })).toBe(true)
      expect(filterOutcome('not not Active', { Active: false })).toBe(false)
    })

    it('MUST preserve null of a property and of a function', () => {
      expect(filterOutcome('Active')).toBeNull()
      expect(filterOutcome("startswith(Name,'a')")).toBeNull()
      expect(filterOutcome("not startswith(Name,'a')")).toBeNull()
      expect(filterOutcome("startswith(Name,'a') or true")).toBe(true)
      expect(filterOutcome('null')).toBeNull()
    })
  })

  describe('Comparisons with null', () => {
    it.each([
      ['null eq null', true],
      ['null ne null', false],
      ['Price eq null', true],
      ['null eq Price', true],
      ['Price ne null', false],
      ['ID eq null', false],
      ['ID ne null', true],
      ['null ne ID', true],
      ['Price eq Weight', true],
      ['Price ne Weight', false],
      ['Price eq 5', false],
      ['Price ne 5', true],
      ['5 ne Price', true],
      ['ID eq Price', false],
      ['ID ne Price', true],
      ['Active eq null', true],
      ['Active eq false', false],
      ['Active ne false', true],
      ['length(Name) eq null', true],
      ['Price add 1 eq null', true],
      ['Price add 1 ne null', false],
    ])('MUST be true or false: %s', (filter, outcome) => {
      expect(filterOutcome(filter, { ID: 1 })).toBe(outcome)
      expect(filterOutcome(`not (${filter})`, { ID: 1 })).toBe(!outcome)
    })

    it.each(['lt', 'le', 'gt', 'ge'])('MUST be false with %s, so that the negation is true', (operator) => {
      for (const [left, right] of [
        ['Price', '5'],
        ['5', 'Price'],
        ['Price', 'null'],
        ['null', '5'],
        ['null', 'null'],
        ['Price', 'Weight'],
        ['Price', 'ID'],
        ['Name', "'x'"],
        ['Released', "datetime'2012-05-29T09:13:28'"],
        ['Category/Name', "'x'"],
        ['length(Name)', '5'],
      ] as const) {
        expect(filterOutcome(`${left} ${operator} ${right}`, { ID: 1 })).toBe(false)
        expect(filterOutcome(`not (${left} ${operator} ${right})`, { ID: 1 })).toBe(true)
      }
    })
  })

  it.each([
    ['Name', "'x'"],
    ['ID', '5'],
    ['Stock', '5L'],
    ['Price', '5'],
    ['Weight', '5D'],
    ['Released', "datetime'2012-05-29T09:13:28'"],
    ['Active', 'true'],
  ])('MUST treat null for %s like a missing property', (name, literal) => {
    for (const row of [{ [name]: null }, { [name]: undefined }, {}]) {
      expect(filterOutcome(`${name} eq ${literal}`, row)).toBe(false)
      expect(filterOutcome(`${name} ne ${literal}`, row)).toBe(true)
      expect(filterOutcome(`${name} eq null`, row)).toBe(true)
      expect(filterOutcome(`null ne ${name}`, row)).toBe(false)
      expect(valueOf(name, row)).toBeNull()
      if (name === 'Active') continue
      for (const operator of ['lt', 'le', 'ge', 'gt']) {
        expect(filterOutcome(`${name} ${operator} ${literal}`, row)).toBe(false)
        expect(filterOutcome(`${literal} ${operator} ${name}`, row)).toBe(false)
      }
    }
  })

  describe('Arithmetic with null', () => {
    it.each(['add', 'sub', 'mul', 'div', 'mod'])('MUST be null with %s', (operator) => {
      for (const type of ['Price', 'Stock', 'Rating', 'Weight', 'Discount']) {
        expect(valueOf(`${type} ${operator} 5`)).toBeNull()
        expect(valueOf(`5 ${operator} ${type}`)).toBeNull()
        expect(valueOf(`${type} ${operator} null`, { [type]: type === 'Price' ? '1' : 1 })).toBeNull()
      }
      expect(valueOf(`null ${operator} null`)).toBeNull()
    })

    it('MUST be null with a minus', () => {
      expect(valueOf('-Price')).toBeNull()
      expect(valueOf('-null')).toBeNull()
    })
  })

  describe('Paths', () => {
    const row = {
      ID: 1,
      Dims: { W: 2.5, Unit: null, Box: { Depth: 7 } },
      Category: { ID: 3, Name: 'Cheese', Parent: { ID: 4, Name: 'Food' } },
    }

    it.each([
      ['Dims/W', 2.5],
      ['Dims/Unit', null],
      ['Dims/Box/Depth', 7],
      ['Category/Name', 'Cheese'],
      ['Category/Parent/Name', 'Food'],
      ['Category/Parent/Parent/Name', null],
    ])('MUST evaluate %s to %j', (path, value) => {
      expect(valueOf(path, row)).toBe(value)
    })

    it.each([
      ['Dims/W', { Dims: null }],
      ['Dims/Box/Depth', { Dims: {} }],
      ['Category/Name', { Category: null }],
      ['Category/Parent/Name', {}],
    ])('MUST return null for %s when a step of the path is null', (path, given) => {
      expect(valueOf(path, given)).toBeNull()
      expect(filterOutcome(`${path} eq null`, given)).toBe(true)
    })

    it('MUST compare an entity with null', () => {
      expect(filterOutcome('Category eq null', row)).toBe(false)
      expect(filterOutcome('Category ne null', row)).toBe(true)
      expect(filterOutcome('null ne Category/Parent', row)).toBe(true)
      expect(filterOutcome('Category/Parent/Parent eq null', row)).toBe(true)
      expect(filterOutcome('Category/Parent eq null', {})).toBe(true)
      expect(filterOutcome("cast('NW.Product') eq null", row)).toBe(false)
      expect(filterOutcome("cast('NW.Product') ne null", row)).toBe(true)
    })
  })

  describe('isof and cast', () => {
    const person = { $type: 'NW.Person', ID: 2, Name: 'Ann', Email: 'a@x', Boss: { ID: 1, Name: 'ACME' } }
    const party = { ID: 1, Name: 'ACME', Boss: person }
    const on = (filter: string, row: object): unknown => filterOutcome(filter, { ...row }, 'Parties')

    it.each([
      ["isof('NW.Person')", true, false],
      ["isof('NW.Party')", true, true],
      ["isof('NW.Photo')", false, false],
      ["isof(Boss,'NW.Person')", false, true],
      ["isof(Boss,'NW.Party')", true, true],
      ["isof(Boss/Boss,'NW.Person')", false, false],
      ["isof(Name,'Edm.String')", true, true],
      ["isof(Name,'Edm.Int32')", false, false],
      ["isof(null,'Edm.String')", false, false],
      ["isof(cast('NW.Person'),'NW.Party')", true, false],
      ["cast('NW.Person')/Email eq 'a@x'", true, false],
      ["cast('NW.Person')/Email eq null", false, true],
      ["cast('NW.Person') eq null", false, true],
      ["cast(Boss,'NW.Person')/Email eq 'a@x'", false, true],
      ["cast('NW.Party')/Name eq Name", true, true],
      ["cast(cast('NW.Person')/Boss,'NW.Person') eq null", true, true],
      ["cast(cast('NW.Person')/Boss,'NW.Party') eq null", false, true],
      ["cast(Boss/Boss,'NW.Person') eq null", true, true],
    ])('MUST evaluate %s to %p for a person and to %p for another party', (filter, ofPerson, ofParty) => {
      expect(on(filter, person)).toBe(ofPerson)
      expect(on(filter, party)).toBe(ofParty)
    })

    it('MUST be false for null', () => {
      expect(on("isof(Boss,'NW.Party')", {})).toBe(false)
      expect(on("not isof(Boss,'NW.Party')", {})).toBe(true)
      expect(filterOutcome("isof(Price,'Edm.Decimal')")).toBe(false)
    })
  })

  it('MUST evaluate nested conditions in linear time', () => {
    const chain = `false${' eq true'.repeat(200)}`
    expect(filterOutcome(chain)).toBe(false)
    const nested = `${'('.repeat(90)}Active${' and Active) eq false or not Active'.repeat(90)}`
    // Every level turns the value of the one below round.
    expect(filterOutcome(nested, { Active: true })).toBe(true)
    expect(filterOutcome(nested)).toBeNull()
  })
})

function negated(value: boolean | null): boolean | null {
  return value === null ? null : !value
}
