import express from 'express'
import type { FunctionHandlers, Provider, ProviderCall } from '../../lib/index.js'
import { defineModel, edm, inTransaction, memoryProvider, ODataError, odataV2 } from '../../lib/index.js'
import { sqlProvider } from '../../lib/sql.js'
import { retryableError } from '../../lib/errors/odata-error.js'
import { batchBody, postBatch, responsesIn, statusesOf, written } from '../support/batch-exchange.js'
import type { Question } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'
import { describeDatabases } from '../support/sql/databases.js'

const int = edm.Int32({ nullable: false })

const model = defineModel({
  namespace: 'Bank',
  entityTypes: { Account: { key: ['ID'], properties: { ID: int, Amount: int } } },
  entityContainer: {
    entitySets: { Accounts: { entityType: 'Account' } },
    functionImports: {
      Move: { httpMethod: 'POST', returnType: 'Account', entitySet: 'Accounts', parameters: { to: int } },
      MoveLoosely: { httpMethod: 'POST', parameters: { to: int } },
    },
  },
})

type Bank = Provider<typeof model>

/** Moves an amount of 1 from account 1 to another account, which may not exist. */
async function move(bank: Bank, to: number, call: ProviderCall): Promise<{ ID: number; Amount: number }> {
  const { Accounts } = bank.entitySets
  const change = async (ID: number, by: number): Promise<{ ID: number; Amount: number }> => {
    const found = await Accounts.readByKey?.({ ID }, {}, call)
    if (!found) throw new ODataError('BadRequest', { message: 'There is no such account.' })
    const changed = { ID, Amount: (found.Amount ?? 0) + by }
    await Accounts.update?.({ ID }, changed, {}, call)
    return changed
  }
  await change(1, -1)
  return change(to, 1)
}

function handlers(bank: () => Bank): FunctionHandlers<typeof model> {
  return {
    Move: inTransaction(({ to }, _context, call) => move(bank(), to, call)),
    MoveLoosely: async ({ to }, _context, call) => {
      await move(bank(), to, call)
    },
  }
}

async function start(bank: Bank): Promise<TestServer> {
  return TestServer.start(express().use('/bank', odataV2(model, bank)))
}

async function amounts(server: TestServer): Promise<unknown> {
  const { text } = await server.send('/bank/Accounts?$format=json&$orderby=ID')
  return (JSON.parse(text) as { d: { results: { Amount: number }[] } }).d.results.map(({ Amount }) => Amount)
}

const post: Question = { method: 'POST', headers: { Accept: 'application/json' } }

/** States what a transaction is, for any provider. */
function describeTransactions(open: () => Promise<Bank>): void {
  let server: TestServer
  beforeEach(async () => {
    server = await start(await open())
  })
  afterEach(() => server.stop())

  it('MUST make all changes, and return the result', async () => {
    const { status, text } = await server.send('/bank/Move?to=2', post)
    expect([status, JSON.parse(text)]).toMatchObject([200, { d: { ID: 2, Amount: 6 } }])
    expect(await amounts(server)).toEqual([4, 6])
  })

  it('MUST make no change if the handler throws', async () => {
    expect((await server.send('/bank/Move?to=9', post)).status).toBe(400)
    expect(await amounts(server)).toEqual([5, 5])
  })

  it('MUST keep the changes that a handler without a transaction made before it throws', async () => {
    expect((await server.send('/bank/MoveLoosely?to=9', post)).status).toBe(400)
    expect(await amounts(server)).toEqual([4, 5])
  })

  it('MUST be undone when a handler without a transaction throws as the only request of a change set', async () => {
    const exchange = await postBatch(
      server.port,
      batchBody([written('POST MoveLoosely?to=9')]),
      {},
      '/bank/$batch',
    )
    expect(statusesOf(responsesIn(exchange))).toEqual([400])
    expect(await amounts(server)).toEqual([5, 5])
  })

  it('MUST belong to the change set of a batch', async () => {
    const body = batchBody([written('POST Move?to=2'), written('MERGE Accounts(9)', '{"Amount":1}')])
    const exchange = await postBatch(server.port, body, {}, '/bank/$batch')
    expect(statusesOf(responsesIn(exchange))).toEqual([404])
    expect(await amounts(server)).toEqual([5, 5])
  })
}

describe('A function in a transaction', () => {
  describe('memory', () => {
    describeTransactions(async () => {
      const rows = [1, 2].map((ID) => ({ ID, Amount: 5 }))
      const bank: Bank = memoryProvider(model, { Accounts: rows }, { functions: handlers(() => bank) })
      return bank
    })
  })

  describeDatabases(({ open }) => {
    describeTransactions(async () => {
      const table = 'create table "Accounts" ("ID" integer primary key, "Amount" integer not null)'
      const db = await open([
        'drop table if exists "Accounts"',
        table,
        'insert into "Accounts" values (1, 5), (2, 5)',
      ])
      const bank: Bank = sqlProvider(model, db, { functions: handlers(() => bank) })
      return bank
    })
  })

  it('MUST be retried after a conflict with other changes', async () => {
    let conflicts = 2
    const rows = [1, 2].map((ID) => ({ ID, Amount: 5 }))
    const inner: Bank = memoryProvider(model, { Accounts: rows }, { functions: handlers(() => inner) })
    const bank: Bank = {
      ...inner,
      async beginChangeSet(call) {
        const changeSet = await inner.beginChangeSet?.(call)
        if (changeSet === undefined) throw new Error('The memory provider has change sets.')
        const commit = changeSet.commit.bind(changeSet)
        changeSet.commit = async () => {
          if (conflicts-- > 0) throw retryableError(new Error('conflict'))
          await commit()
        }
        return changeSet
      },
    }
    const server = await start(bank)
    expect((await server.send('/bank/Move?to=2', post)).status).toBe(200)
    expect([await amounts(server), conflicts]).toEqual([[4, 6], -1])
    await server.stop()
  })
})
