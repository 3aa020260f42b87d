import type { TableDatabase, TableOptions } from '../../../sql.js'
import type { EdmModel } from '../../../edm/edm-model.js'
import { parseDatabaseSource } from '../../../providers/sql/open-database/database-source.js'
import { optionalPackage, purposeOf } from '../../../providers/sql/open-database/driver.js'
import type { Command } from '../command.js'
import { outputOption, writeResult } from '../command.js'
import { SourceError, UsageError } from '../errors.js'
import { reasonOf } from '../../../util/thrown-error.js'
import { parseArgs, parseChoice, parseSource } from '../parse-args.js'
import { readModel, sourceHelp, sourceOptions, sourceSettings } from '../read-model.js'

const databases = ['sqlite', 'postgres', 'mysql', 'mariadb'] as const satisfies readonly TableDatabase[]

const options = {
  database: { type: 'string', value: '<name>', text: `create all tables: ${databases.join(', ')}` },
  to: {
    type: 'string',
    value: '<database>',
    text: 'change the tables of this database: a URL, or an SQLite file. It is only read',
  },
  names: { type: 'string', value: '<names>', text: 'same (default), or snake_case' },
  output: outputOption,
  ...sourceOptions,
} as const

export const ddlCommand: Command = {
  synopsis: '<source> (--database <name> | --to <database>) [options]',
  description: `Writes the SQL statements that create the tables of a model, or that change the tables of a database so that they
fit the model. The statements are not executed, and remove nothing.

${sourceHelp}`,
  options,
  notes: `  express-odata-v2 ddl model.ts --database postgres --output schema.sql
  express-odata-v2 ddl model.ts --to postgres://user:password@host/shop`,
  async run(words, io) {
    const { values, positionals } = parseArgs(words, options)
    const source = parseSource(positionals, 'For which model do you want tables?')
    const { database, to } = values
    if ((database === undefined) === (to === undefined))
      throw new UsageError('Name either a kind of database with --database, or a database with --to.')
    const names = parseChoice('--names', values.names, ['same', 'snake_case'])
    const kind = database === undefined ? undefined : parseChoice('--database', database, databases)
    const model = await readModel(source, sourceSettings(values), io)
    const onNotice = (notice: string): void => {
      io.error(`${io.errorStyle.yellow('Note:')} ${notice}`)
    }
    const statements = await statementsOf(model, kind, to ?? '', { names, onNotice })
    if (statements.length === 0) io.error('The tables fit the model.')
    await writeResult(statements.map((one) => `${one};\n`).join(''), values.output, io)
    return 0
  },
}

async function statementsOf(
  model: EdmModel,
  kind: TableDatabase | undefined,
  to: string,
  given: TableOptions,
): Promise<readonly string[]> {
  try {
    // This part of the package imports kysely.
    const load = () => import('../../../sql.js')
    if (kind !== undefined)
      return (await optionalPackage(load, ['kysely'], 'To write tables')).createTables(model, kind, given)
    const { format } = parseDatabaseSource(to)
    return await (
      await optionalPackage(load, format.packages, purposeOf(format))
    ).alterTables(model, to, given)
  } catch (error) {
    throw new SourceError(
      reasonOf(error)
        .replace(/^(?:create|alter)Tables: /, '')
        .replace("the option 'mapping'", 'a mapping in code'),
    )
  }
}
