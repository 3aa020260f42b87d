import type { AccessRights, Operation } from '../../lib/index.js'
import { filter, memoryProvider, ODataError, odataV2 } from '../../lib/index.js'
import express from 'express'
import { TestServer } from '../support/http-exchange.js'
import { staffModel, staffRows } from '../support/services/staff.js'

type Rights = AccessRights<typeof staffModel> | string | ReturnType<typeof filter> | undefined

/** Callers by name. Some columns are hidden from some of them, or for some entities only. */
const callers: Record<string, (operation: Operation) => Rights> = {
  boss: () => undefined,
  clerk: () => ({ hidden: ['Salary', 'Boss'] }),
  guest: () => ({ hidden: ['Name', 'Home/Zip'], filter: 'ID lt 3' }),
  report: () => filter`BossID eq ${1}`,
  partial: (operation) =>
    'key' in operation && operation.key?.ID === 2 ? { hidden: ['Salary'] } : { hidden: ['Salary', 'Boss'] },
  stranger: () => {
    throw new ODataError('Forbidden')
  },
}

const requests = [
  'Staff(1)',
  'Staff(2)?$select=Name',
  'Staff(3)?$select=Salary',
  'Staff(9)',
  "Staff('a')",
  'Staff(1)?$expand=Boss',
  'Staff(1)?$expand=Reports&$select=Name,Reports/Salary',
  'Staff(2)?$select=Boss',
  'Staff(2)/Boss',
  'Staff(2)/Home/Zip',
  'Staff?$top=2',
  'Staff?$filter=Salary%20gt%204711',
  "Staff?$filter=Name%20eq%20'Bob'&$select=ID,Name",
  'Staff?$orderby=Salary%20desc&$inlinecount=allpages',
  'Staff?$filter=Boss%2FName%20eq%20%27Ada%27',
  'Staff?search=ada',
  'Staff?s%65arch=bob',
  'Staff/$count?$filter=Salary%20gt%204711',
  'Staff?$format=xml2',
  'Staff?$skip=x',
  'Nothing',
  'All',
]

/** A service that records the calls of `authorize`, which wait if it is asynchronous. */
async function start(
  isAsynchronous: boolean,
): Promise<{ readonly server: TestServer; readonly operations: Operation[] }> {
  const operations: Operation[] = []
  const staff = staffRows()
  const functions = { Best: () => staff[0] as never, All: () => staff as never }
  const provider = memoryProvider(staffModel, { Staff: staff }, { functions })
  const rightsOf = (operation: Operation, name: string): Rights => {
    operations.push(operation)
    return callers[name]?.(operation)
  }
  const service = odataV2(staffModel, provider, {
    context: (req) => String(req.headers.caller),
    authorize: isAsynchronous
      ? async (operation, name: string) => Promise.resolve(rightsOf(operation as Operation, name))
      : (operation, name: string) => rightsOf(operation as Operation, name),
    search: { Staff: ['Name', 'Boss/Name'] },
    serviceRoot: 'http://firm.test/',
  })
  return { server: await TestServer.start(express().use('/', service)), operations }
}

describe.each([false, true])('Reads after those of other callers; asynchronous: %s', (isAsynchronous) => {
  it.each(Object.keys(callers))(
    'MUST call authorize, respond and fail as if %s were the first caller',
    async (name) => {
      const fresh = await start(isAsynchronous)
      const used = await start(isAsynchronous)
      const send = async (
        { operations, server }: typeof used,
        path: string,
        caller: string,
      ): Promise<unknown> => {
        operations.length = 0
        const { status, text } = await server.send(`/${path}`, {
          headers: { accept: 'application/json', caller },
        })
        return { path, status, text, operations: [...operations] }
      }
      const expected = new Map<string, unknown>()
      for (const path of requests) {
        await send(fresh, 'Staff(1)', 'boss')
        expected.set(path, await send(fresh, path, name))
      }
      for (const earlier of ['clerk', 'guest', 'boss']) {
        for (const path of requests) {
          for (const before of ['Staff(1)', 'Staff?$top=1']) await send(used, before, earlier)
          expect({ earlier, sent: await send(used, path, name) }).toEqual({
            earlier,
            sent: expected.get(path),
          })
        }
      }
      await fresh.server.stop()
      await used.server.stop()
    },
  )
})
