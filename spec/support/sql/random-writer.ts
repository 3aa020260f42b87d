/** Runs a statement of SQL. */
export type Execute = (statement: string) => Promise<unknown>

/** Returns a whole number below a limit. */
export type Random = (below: number) => number

/** Returns a generator of the same numbers for the same seed. */
export function randomOf(seed: number): Random {
  let state = seed * 2_654_435_761 + 1
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x85ebca6b) + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
    mixed ^= mixed >>> 16
    return (mixed >>> 0) % below
  }
}

/**
 * Changes products in transactions that last for several steps. Some are rolled back. Writers have keys of their
 * own, so that none waits for another.
 */
export class RandomWriter {
  private isOpen = false

  constructor(
    private readonly execute: Execute,
    private readonly random: Random,
    private readonly number: number,
    private readonly isSqlite: boolean,
  ) {}

  /** Makes one change, or ends the transaction. */
  async step(): Promise<void> {
    const { execute, random } = this
    if (!this.isOpen) {
      await execute('begin')
      this.isOpen = true
    }
    const choice = random(12)
    if (choice === 0) return this.end('rollback')
    if (choice < 3) return this.end('commit')
    if (choice === 3) {
      await execute('savepoint s')
      for (let change = random(3); change >= 0; change--) await execute(this.change())
      await execute(random(2) === 0 ? 'rollback to savepoint s' : 'release savepoint s')
      return
    }
    await execute(this.change())
  }

  async finish(): Promise<void> {
    if (this.isOpen) await this.end(this.random(2) === 0 ? 'commit' : 'rollback')
  }

  private async end(statement: string): Promise<void> {
    await this.execute(statement)
    this.isOpen = false
  }

  private change(): string {
    const { number, random } = this
    const id = this.id()
    const price = `${String(random(60))}.5`
    const owner = random(2) === 0 ? "'ann'" : "'bob'"
    const row = `(${String(id)}, 'n${String(random(99))}', ${price}, ${owner}, ${random(3) === 0 ? 'cast(null as int)' : String(number + 10)})`
    const columns = '("ID", "Name", "Price", "Owner", "CategoryID")'
    const category = `insert into "Categories" ("ID", "Name") values (${String(number + 10)}, 'c') on conflict ("ID") do nothing`
    switch (random(8)) {
      case 0:
      case 1:
        return `insert into "Products" ${columns} select v.* from (select ${row.slice(1, -1)}) as v where exists (select 1 from "Categories" where "ID" = ${String(number + 10)}) on conflict ("ID") do update set "Price" = excluded."Price"`
      case 2:
        return `update "Products" set "Price" = ${price}, "Owner" = ${owner} where "ID" = ${String(id)}`
      case 3:
        return `delete from "Products" where "ID" = ${String(id)}`
      case 4: {
        const other = this.id()
        return `update "Products" set "ID" = ${String(other)} where "ID" = ${String(id)} and not exists (select 1 from "Products" where "ID" = ${String(other)})`
      }
      case 5:
        return random(2) === 0 ? category : `delete from "Categories" where "ID" = ${String(number + 10)}`
      case 6:
        return `update "Products" set "Name" = 'all ${String(random(99))}' where "ID" % 10 = ${String(number)}`
      default:
        if (!this.isSqlite) return category
        return `insert or replace into "Products" ${columns} values ${row.replace(/, \d+\)$/, ', null)')}`
    }
  }

  private id(): number {
    return this.random(8) * 10 + this.number
  }
}
