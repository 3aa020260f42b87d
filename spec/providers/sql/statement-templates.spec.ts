import { postgres } from '../../../lib/providers/sql/dialects/postgres/postgres.js'
import type { Sql } from '../../../lib/providers/sql/sql-text.js'
import { joined, parameter, raw, sql } from '../../../lib/providers/sql/sql-text.js'
import { StatementTemplates } from '../../../lib/providers/sql/statement-templates.js'

const built: string[] = []

/** Returns the statement of an update, and notes that its text was rendered. */
function update(templates: StatementTemplates, values: readonly Sql[], condition: Sql): unknown {
  return templates.statement('update', [...values, condition], () => {
    built.push('update')
    return sql`update t set ${joined(values, ', ')} where ${condition}`
  })
}

describe('Templates of statements', () => {
  beforeEach(() => {
    built.length = 0
  })

  it('MUST have the same text for other values, and their parameters', () => {
    const templates = new StatementTemplates(postgres)
    const first = update(templates, [sql`a = ${parameter(1)}::int4`], sql`id = ${parameter(7)}`)
    const second = update(templates, [sql`a = ${parameter(null)}::int4`], sql`id = ${parameter(8)}`)
    const text = 'update t set a = $1::int4 where id = $2'
    expect(first).toEqual({ text, parameters: [1, 7] })
    expect(second).toEqual({ text, parameters: [null, 8] })
    expect(built).toHaveLength(1)
  })

  it('MUST have another text for a value that becomes part of the text', () => {
    const templates = new StatementTemplates(postgres)
    const texts = ['0', '1', '0'].map((value) => update(templates, [raw(`a = ${value}`)], raw('b is null')))
    expect(texts).toEqual(
      ['0', '1', '0'].map((value) => ({
        text: `update t set a = ${value} where b is null`,
        parameters: [],
      })),
    )
    expect(built).toHaveLength(2)
  })

  it('MUST distinguish parts that are equal only when they are joined', () => {
    const templates = new StatementTemplates(postgres)
    const one = update(templates, [raw('a'), raw('b, c')], raw('d'))
    const other = update(templates, [raw('a, b'), raw('c')], raw('d'))
    expect([one, other]).toEqual([
      { text: 'update t set a, b, c where d', parameters: [] },
      { text: 'update t set a, b, c where d', parameters: [] },
    ])
    expect(built).toHaveLength(2)
  })

  it('MUST repeat a parameter that a statement has several times, in the order of the statement', () => {
    const templates = new StatementTemplates(postgres)
    const statements = [
      [1, 'x'],
      [2, 'y'],
    ].map(([number, string]) => {
      const [left, right] = [parameter(number), sql`lower(${parameter(string)})`]
      return templates.statement('select', [left, right], () => sql`${right} ${left} ${right}`)
    })
    const text = 'lower($1) $2 lower($3)'
    expect(statements).toEqual([
      { text, parameters: ['x', 1, 'x'] },
      { text, parameters: ['y', 2, 'y'] },
    ])
  })

  it('MUST reject a parameter that is in no part, because it would have the value of another request', () => {
    const templates = new StatementTemplates(postgres)
    expect(() => templates.statement('select', [], () => sql`select ${parameter(1)}`)).toThrow(
      'A parameter is in none of the parts of: select $1',
    )
  })

  it('MUST NOT cache more than 50 statements', () => {
    const templates = new StatementTemplates(postgres)
    const names = Array.from({ length: 51 }, (_, index) => `c${String(index)}`)
    for (const name of names) update(templates, [raw(name)], raw('true'))
    update(templates, [raw('c50')], raw('true'))
    expect(built).toHaveLength(51)
    update(templates, [raw('c0')], raw('true'))
    expect(built).toHaveLength(52)
  })

  it('MUST NOT cache long statements', () => {
    const templates = new StatementTemplates(postgres)
    const long = raw(`'${'x'.repeat(50_000)}'`)
    update(templates, [long], raw('true'))
    update(templates, [long], raw('true'))
    expect(built).toHaveLength(2)
  })
})
