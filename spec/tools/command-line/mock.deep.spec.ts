import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeEdmx } from '../../../lib/csdl/write-edmx.js'
import { northwindModel } from '../../../sample-app/northwind/northwind-service.js'
import type { ProgramProcess } from '../../support/command-process.js'
import { salesModel } from '../../support/services/sales-service.js'
import { BuiltProgram } from '../../support/command-process.js'
import { until } from '../../support/until.js'

const directory = mkdtempSync(join(tmpdir(), 'mock-'))
const at = (...names: string[]): string => join(directory, ...names)
const running: ProgramProcess[] = []
let program: BuiltProgram
let folders = 0

beforeAll(() => {
  program = new BuiltProgram()
  writeFileSync(at('model.edmx'), writeEdmx(northwindModel))
  writeFileSync(at('sales.edmx'), writeEdmx(salesModel))
})

afterEach(async () => {
  for (const one of running.splice(0)) {
    one.child.kill('SIGKILL')
    await one.ended
  }
})

afterAll(() => {
  program.remove()
  rmSync(directory, { recursive: true })
})

interface Mock {
  readonly process: ProgramProcess
  readonly printed: string
  readonly root: string
  readonly get: (path: string) => Promise<unknown>
  readonly send: (method: string, path: string, body?: unknown) => Promise<number>
  readonly stop: () => Promise<string>
}

const serve = (...words: string[]): Promise<Mock> => serveDocument('model.edmx', ...words)

async function serveDocument(name: string, ...words: string[]): Promise<Mock> {
  const process = program.start([at(name), ...words, '--writable', '--port', '0'])
  running.push(process)
  const printed = await process.printed(/For example\n(?: .*\n)+/)
  const root = /: (http:\S+)/.exec(printed)?.[1] ?? ''
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' }
  const headersFor = (method: string): Record<string, string> =>
    method === 'MERGE' ? { ...headers, 'If-Match': '*' } : headers
  return {
    process,
    printed,
    root,
    get: async (path) => {
      const { d } = (await (await fetch(root + path, { headers })).json()) as { d: { results?: unknown } }
      return d.results ?? d
    },
    send: async (method, path, body) => {
      const init = body === undefined ? {} : { body: JSON.stringify(body) }
      return (await fetch(root + path, { method, headers: headersFor(method), ...init })).status
    },
    stop: async () => {
      process.child.kill('SIGTERM')
      return (await process.ended).stderr
    },
  }
}

const Categories = [
  { CategoryID: 1, CategoryName: 'Cheese' },
  { CategoryID: 2, CategoryName: 'Drinks' },
]

/** A directory of its own. */
function rowsIn(files: Readonly<Record<string, unknown>>): string {
  const folder = at(`data-${String(++folders)}`)
  mkdirSync(folder)
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

/** Resolves while files are written, at one of the first four changes that the operating system reports. */
function changeWithin(folder: string, skipped: number): Promise<void> {
  let changes = 0
  return new Promise((resolve) => {
    const watcher = watch(folder, () => {
      if (changes++ < skipped) return
      watcher.close()
      resolve()
    })
  })
}

const read = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), 'utf8'))

describe('A metadata document that is served', () => {
  it('MUST have generated rows without a directory, and report it', async () => {
    const { printed, get } = await serve('--rows', '3')
    expect(printed).toContain('Note: All rows are generated.')
    expect(await get('Products?$select=ProductID')).toHaveLength(3)
    const seeded = await serve('--rows', '3', '--seed', 'other')
    expect(await seeded.get('Products?$format=json')).not.toEqual(await get('Products?$format=json'))
  })

  it('MUST group the generated rows of analytical sets, which cannot be changed', async () => {
    const { get, send } = await serveDocument('sales.edmx', '--rows', '40')
    const total = (await get('Sales?$select=Quantity')) as { Quantity: number }[]
    const countries = (await get('Sales?$select=Country,Quantity')) as { ID: string; Quantity: number }[]
    expect(countries.length).toBeGreaterThan(1)
    expect(countries.length).toBeLessThanOrEqual(5)
    expect(countries.reduce((sum, { Quantity }) => sum + Quantity, 0)).toBe(total[0]?.Quantity)
    expect(await get(`Sales('${countries[0]?.ID ?? ''}')?$select=Quantity`)).toMatchObject({
      Quantity: countries[0]?.Quantity,
    })
    expect(await send('POST', 'Sales', { ID: 'x' })).toBe(405)
  })

  it('MUST have only the rows of its directory without --generate', async () => {
    const data = rowsIn({ 'Categories.json': Categories })
    const plain = await serve('--data', data)
    expect(plain.printed).toMatch(/Note: There are no rows for Products, .*Use --generate to create some\./)
    expect(await plain.get('Products')).toEqual([])
    const generated = await serve('--data', data, '--generate')
    expect(generated.printed).toMatch(/Note: Generated rows: Products \(20\), /)
    const products = (await generated.get('Products')) as { CategoryID: number | null }[]
    expect(new Set(products.map((row) => row.CategoryID ?? 1))).toEqual(new Set([1, 2]))
  })

  it('MUST respond to function imports without errors, and use functions.mjs if it exists', async () => {
    const { get, stop } = await serve()
    const [name = ''] = northwindModel.defaultContainer.functionImports
      .filter(({ httpMethod, parameters }) => httpMethod !== 'POST' && parameters.length === 0)
      .map((one) => one.name)
    expect(await get(name)).toBeDefined()
    expect(await stop()).toBe('')
    const written = rowsIn({ 'functions.mjs': `export const ${name} = () => []` })
    expect(await (await serve('--data', written)).get(name)).toEqual([])
    const data = rowsIn({ 'functions.mjs': 'export const Nonsense = () => 1' })
    const ended = await program.run([at('model.edmx'), '--data', data, '--port', '0'])
    expect([ended.code, ended.stderr]).toEqual([
      2,
      expect.stringContaining("functions.mjs: there is no function import 'Nonsense'."),
    ])
  })

  it('MUST write nothing without --persist', async () => {
    const data = rowsIn({ 'Categories.json': Categories })
    const { send, stop } = await serve('--data', data)
    expect(await send('DELETE', 'Categories(2)')).toBe(204)
    await stop()
    expect([readdirSync(data), read(data, 'Categories.json')]).toEqual([['Categories.json'], Categories])
  })

  it.each([
    [['--persist', '--writable'], '--persist needs a directory: --data ./data'],
    [['--data', '.', '--persist'], '--persist requires --writable: it saves the changes of clients.'],
    [['--watch'], '--watch needs a directory: --data ./data'],
    [['--rows', 'x'], "--rows must be a whole number up to 100000, not 'x'."],
  ])('MUST reject %j with a hint', async (words, message) => {
    expect(await program.run([at('model.edmx'), ...words])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message) as string,
    })
  })
})

describe('Changes that persist', () => {
  it('MUST be in the files of the sets that have changed, and there after a restart', async () => {
    const data = rowsIn({ 'Categories.json': Categories, 'Suppliers.json': '[ ]' })
    const { send, printed, stop } = await serve('--data', data, '--persist')
    expect(printed).toContain(`Note: Changes are written to ${data}.`)
    expect(await send('POST', 'Categories', { CategoryID: 3, CategoryName: 'Bread' })).toBe(201)
    expect(await stop()).toBe('')
    expect(readdirSync(data)).toEqual(['Categories.json', 'Suppliers.json'])
    expect(readFileSync(join(data, 'Suppliers.json'), 'utf8')).toBe('[ ]')
    const again = await serve('--data', data, '--persist')
    expect(await again.get('Categories(3)/CategoryName')).toEqual({ CategoryName: 'Bread' })
  })

  it('MUST be written soon after the change, not only at the end', async () => {
    const data = rowsIn({ 'Categories.json': Categories })
    const { send, process } = await serve('--data', data, '--persist')
    await send('DELETE', 'Categories(2)')
    await until(() => (read(data, 'Categories.json') as unknown[]).length === 1)
    process.child.kill('SIGKILL')
    const again = await serve('--data', data, '--persist')
    expect(await again.get('Categories')).toHaveLength(1)
  })

  it('MUST not contradict links in the file of the other set', async () => {
    const data = rowsIn({
      'Categories.json': [{ ...Categories[0], Products: [{ ProductID: 1 }] }, Categories[1]],
      'Products.json': [{ ProductID: 1, ProductName: 'Gouda' }],
      'Employees.json': [
        { EmployeeID: 1, LastName: 'Ito', FirstName: 'Hana', Territories: [{ TerritoryID: '1' }] },
      ],
      'Territories.json': [
        { TerritoryID: '1', TerritoryDescription: 'North' },
        { TerritoryID: '2', TerritoryDescription: 'South' },
      ],
    })
    const { send, stop } = await serve('--data', data, '--persist')
    expect(await send('MERGE', 'Products(1)', { CategoryID: 2 })).toBe(204)
    expect(await send('DELETE', "Employees(1)/$links/Territories('1')")).toBe(204)
    expect(await send('POST', 'Employees(1)/$links/Territories', { uri: "Territories('2')" })).toBe(204)
    expect(await stop()).toBe('')
    const again = await serve('--data', data, '--persist')
    expect(await again.get('Products(1)/Category')).toMatchObject({ CategoryID: 2 })
    expect(await again.get('Employees(1)/Territories')).toMatchObject([{ TerritoryID: '2' }])
  })

  it('MUST save change sets atomically', async () => {
    const data = rowsIn({ 'Categories.json': Categories, 'Suppliers.json': [] })
    const { process, printed, stop } = await serve('--data', data, '--persist')
    const root = /: (http:\S+)/.exec(printed)?.[1] ?? ''
    const part = (path: string, body: object): string =>
      `--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nPOST ${path} HTTP/1.1\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(body)}\r\n`
    const post = async (...parts: string[]): Promise<string> => {
      const body = `--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n${parts.join('')}--c--\r\n--b--\r\n`
      const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
      return (await fetch(`${root}$batch`, { method: 'POST', headers, body })).text()
    }
    const category = (CategoryID: number): string => part('Categories', { CategoryID, CategoryName: 'New' })
    expect(await post(category(3), part('Suppliers', { SupplierID: 1, CompanyName: 'Delta' }))).toContain(
      '201',
    )
    await until(() => (read(data, 'Suppliers.json') as unknown[]).length === 1)
    expect(read(data, 'Categories.json')).toHaveLength(3)
    const territory = part('Territories', { TerritoryID: '1', TerritoryDescription: 'North' })
    expect(await post(category(4), territory, territory)).toContain('409')
    expect(process.child.exitCode).toBeNull()
    expect(await stop()).toBe('')
    expect(read(data, 'Categories.json')).toHaveLength(3)
    expect(readdirSync(data)).toEqual(['Categories.json', 'Suppliers.json'])
  })

  it('MUST save generated rows at start-up, in a directory that is created', async () => {
    const data = at('made', 'up')
    const { get, stop } = await serve('--data', data, '--generate', '--persist', '--rows', '4')
    const before = await get('Orders?$format=json')
    await stop()
    expect(read(data, 'Orders.json')).toHaveLength(4)
    const again = await serve('--data', data, '--persist')
    expect(JSON.stringify(await again.get('Orders')).replace(/localhost:\d+/g, '')).toBe(
      JSON.stringify(before).replace(/localhost:\d+/g, ''),
    )
  })

  it('MUST not overwrite changes of other programs, nor lose its own', async () => {
    const data = rowsIn({ 'Categories.json': Categories })
    const { send, stop } = await serve('--data', data, '--persist')
    writeFileSync(join(data, 'Categories.json'), '[]')
    expect(await send('DELETE', 'Categories(2)')).toBe(204)
    expect(await stop()).toContain('was changed by another program and is not overwritten')
    expect(read(data, 'Categories.json')).toEqual([])
    expect(read(data, 'Categories.json.unsaved')).toMatchObject([{ CategoryID: 1 }])
  })

  it('MUST leave complete old or new files when the program is killed', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => ({
      CategoryID: index + 1,
      CategoryName: 'x'.repeat(10),
    }))
    const data = rowsIn({ 'Categories.json': many })
    for (let round = 0; round < 4; round++) {
      const { send, process } = await serve('--data', data, '--persist')
      const written = changeWithin(data, round)
      expect(await send('DELETE', `Categories(${String(round + 1)})`)).toBe(204)
      await written
      process.child.kill('SIGKILL')
      await process.ended
      const { length } = read(data, 'Categories.json') as unknown[]
      expect(length).toBeGreaterThanOrEqual(2_000 - round - 1)
      expect(length).toBeLessThanOrEqual(2_000)
    }
  })

  it('MUST be finished by the next run when several files were about to be put in place', async () => {
    const data = rowsIn({
      'Categories.json': Categories,
      '.Categories.json.new': [{ CategoryID: 9, CategoryName: 'New' }],
      '.Suppliers.json.new': [],
      '.unfinished.json': ['Categories.json', 'Suppliers.json'],
    })
    const { get } = await serve('--data', data, '--persist')
    expect(await get('Categories')).toMatchObject([{ CategoryID: 9 }])
    expect(existsSync(join(data, '.unfinished.json'))).toBe(false)
  })
})

describe('Rows that are watched', () => {
  it('MUST lose no change that is under way when a file changes', async () => {
    const data = rowsIn({ 'Categories.json': Categories, 'Suppliers.json': [] })
    const { get, root } = await serve('--data', data, '--watch', '--persist')
    const body = JSON.stringify({ CompanyName: 'Slow' })
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }
    const slow = request(`${root}Suppliers`, { method: 'POST', headers })
    slow.write(body.slice(0, 5))
    expect(await get('Categories')).toHaveLength(2)
    writeFileSync(join(data, 'Categories.json'), JSON.stringify(Categories.slice(1)))
    // By now the service has usually begun to read the file again, and waits for the request. No event tells that from
    // outside, and nothing below depends on it.
    await delay(400)
    const during = get('Categories')
    slow.end(body.slice(5))
    const [response] = (await once(slow, 'response')) as [IncomingMessage]
    response.resume()
    expect(response.statusCode).toBe(201)
    expect(await during).toEqual(expect.arrayContaining([expect.objectContaining(Categories[1] ?? {})]))
    await until(async () => ((await get('Categories')) as unknown[]).length === 1)
    expect(await get('Suppliers')).toMatchObject([{ CompanyName: 'Slow' }])
    expect(read(data, 'Suppliers.json')).toMatchObject([{ CompanyName: 'Slow' }])
  })

  it('MUST be read again when a file changes, and stay as they were when it cannot be read', async () => {
    const data = rowsIn({ 'Categories.json': Categories })
    const { get, process } = await serve('--data', data, '--watch', '--persist')
    const count = async (): Promise<number> => ((await get('Categories')) as unknown[]).length
    writeFileSync(join(data, 'Categories.json'), JSON.stringify(Categories.slice(1)))
    await until(async () => (await count()) === 1)
    let errors = ''
    process.child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    writeFileSync(join(data, 'Categories.json'), '[{]')
    await until(() => errors.includes('Categories.json:1:3'))
    expect(errors).toContain('The rows were not reloaded.')
    expect(await count()).toBe(1)
  })
})
