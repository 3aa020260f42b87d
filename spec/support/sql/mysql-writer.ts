import type { Connection } from 'mysql2/promise'
import type { Random } from './random-writer.js'

const DEADLOCK = 1213

/**
 * Changes products in transactions that last for several steps. Statements need the SQL mode `ANSI_QUOTES`.
 */
export class MysqlWriter {
  /** The number of transactions that the database has rolled back, because another node changed the same rows. */
  conflicts = 0
  private isOpen = false

  constructor(
    private readonly connection: Connection,
    private readonly random: Random,
    private readonly number: number,
  ) {}

  /** Makes one change, or ends the transaction. */
  async step(): Promise<void> {
    try {
      await this.change()
    } catch (error) {
      if (!isConflict(error)) throw error
      this.conflicts++
      this.isOpen = false
    }
  }

  private async change(): Promise<void> {
    const { connection, random } = this
    if (!this.isOpen) await connection.query('start transaction')
    this.isOpen = true
    const choice = random(12)
    if (choice < 3) return this.end(choice === 0 ? 'rollback' : 'commit')
    if (choice > 3) return void (await connection.query(this.statement()))
    await connection.query('savepoint s')
    await connection.query(this.statement())
    await connection.query(random(2) === 0 ? 'rollback to savepoint s' : 'release savepoint s')
  }

  async finish(): Promise<void> {
    if (!this.isOpen) return
    await this.end(this.random(2) === 0 ? 'commit' : 'rollback').catch((error: unknown) => {
      if (!isConflict(error)) throw error
    })
  }

  private async end(statement: string): Promise<void> {
    await this.connection.query(statement)
    this.isOpen = false
  }

  private statement(): string {
    const { number, random } = this
    const id = (): string => String(random(8) * 10 + number)
    const price = `${String(random(60))}.5`
    const owner = random(2) === 0 ? "'ann'" : "'bob'"
    const category = random(3) === 0 ? '2' : 'null'
    const row = `(${id()}, 'n${String(random(99))}', ${price}, ${owner}, ${category})`
    const into = `into "Products" ("ID", "Name", "Price", "Owner", "CategoryID") values ${row}`
    switch (random(6)) {
      case 0:
        return `insert ${into} on duplicate key update "Price" = ${price}`
      case 1:
        return `replace ${into}`
      case 2:
        return `update "Products" set "Price" = ${price}, "Owner" = ${owner} where "ID" = ${id()}`
      case 3:
        return `delete from "Products" where "ID" = ${id()}`
      case 4:
        return `update ignore "Products" set "ID" = ${id()} where "ID" = ${id()}`
      default:
        return `insert ignore ${into}`
    }
  }
}

function isConflict(error: unknown): boolean {
  return (error as { readonly errno?: unknown }).errno === DEADLOCK
}
