import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type * as Breeze from 'breeze-client'
import express from 'express'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from './support/browser.js'
import { stores } from './support/northwind.js'
import type { ServedNorthwind } from './support/served-northwind.js'
import { serveNorthwind } from './support/served-northwind.js'

const bundle = execFileSync(join(__dirname, '../../node_modules/.bin/esbuild'), [
  join(__dirname, 'support/breeze-page.ts'),
  '--bundle',
  '--format=iife',
  '--log-level=error',
])

const pages = express.Router()
pages.use('/datajs.js', express.static(join(__dirname, 'node_modules/datajs/lib/datajs.js')))
pages.get('/breeze.js', (_req, res) => {
  res.type('js').send(bundle)
})
pages.get('/page', (_req, res) => {
  res.send(
    '<!doctype html><title>breeze</title><script src="/datajs.js"></script><script src="/breeze.js"></script>',
  )
})

/** Breeze raises versions itself, which the model rules out, and looks for errors within change sets. */
const options = { nestChangeSetErrors: true, sapRestrictions: false }

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

describe.each(stores)('breeze with a catalogue in %s', (_name, openStore) => {
  let served: ServedNorthwind
  let page: Page

  beforeAll(async () => {
    served = await serveNorthwind(openStore, options, [pages])
    page = await browser.newPage()
    await page.goto(`${served.origin}/page`)
  })
  afterAll(async () => {
    await page.close()
    await served.close()
  })
  beforeEach(() => void served.takeRequests())

  const run = <Returned>(
    inPage: (breeze: typeof Breeze, root: string) => Promise<Returned>,
  ): Promise<Returned> =>
    page.evaluate(
      ([source, root]) => {
        const { toolkit, run } = { toolkit: Reflect.get(window, 'toolkit'), run: (0, eval)(`(${source})`) }
        return run(toolkit, root)
      },
      [inPage.toString(), served.root] as const,
    )

  it('MUST load metadata so that the client knows types, keys and associations', async () => {
    const described = await run(async ({ EntityManager }, root) => {
      const manager = new EntityManager(root)
      await manager.fetchMetadata()
      const type = manager.metadataStore.getAsEntityType('Product')
      return {
        keys: type.keyProperties.map(({ name }) => name),
        navigations: type.navigationProperties.map(({ name }) => name).sort(),
        price: (type.getDataProperty('UnitPrice')?.dataType as { name?: string } | undefined)?.name,
        version: type.concurrencyProperties.map(({ name }) => name),
      }
    })
    expect(described).toEqual({
      keys: ['ProductID'],
      navigations: ['Category', 'Order_Details', 'Supplier'],
      price: 'Decimal',
      version: ['Version'],
    })
  })

  it('MUST read with filters, orders, pages, totals and expansions', async () => {
    const found = await run(async ({ EntityManager, EntityQuery, Predicate }, root) => {
      const manager = new EntityManager(root)
      const query = EntityQuery.from('Products')
        .where(
          Predicate.create('UnitPrice', '>', 30)
            .and('ProductName', 'contains', 'a')
            .and('Discontinued', '==', false),
        )
        .orderBy('UnitPrice desc, ProductName')
        .skip(1)
        .take(3)
        .expand('Category')
        .inlineCount()
      const { results, inlineCount } = await manager.executeQuery(query)
      const products = results as { ProductName: string; Category: { CategoryName: string } }[]
      return {
        inlineCount,
        names: products.map(({ ProductName }) => ProductName),
        category: typeof products[0]?.Category.CategoryName,
      }
    })
    expect(found).toEqual({
      inlineCount: 32,
      names: ['Serra Hard Cheese', 'Jamón, Sliced', 'Balsamic, 25 Years'],
      category: 'string',
    })
  })

  it('MUST save added, changed and deleted entities in one change set, with ETags', async () => {
    const saved = await run(async ({ EntityManager, EntityQuery }, root) => {
      const manager = new EntityManager(root)
      await manager.fetchMetadata()
      type Product = Breeze.Entity & { ProductID: number; ProductName: string; Version: number }
      const added = manager.createEntity('Product', {
        ProductName: 'Gouda',
        Discontinued: false,
        CategoryID: 1,
      }) as Product
      const other = manager.createEntity('Product', { ProductName: 'Edam', Discontinued: false }) as Product
      await manager.saveChanges()
      const keys = [added.ProductID, other.ProductID]
      added.ProductName = 'Gouda, old'
      other.entityAspect.setDeleted()
      await manager.saveChanges()
      const { results } = await new EntityManager(root).executeQuery(
        EntityQuery.from('Products').where('ProductID', '>=', Math.min(...keys)),
      )
      const left = (results as Product[]).map(({ ProductName }) => ProductName)
      return { left, hasKeys: keys.every((key) => key > 0), hasChanges: manager.hasChanges() }
    })
    expect(saved).toEqual({ left: ['Gouda, old'], hasKeys: true, hasChanges: false })
    const posts = served.takeRequests().filter(({ method }) => method === 'POST')
    expect(posts.map(({ url }) => url)).toEqual(['/northwind/$batch', '/northwind/$batch'])
  })

  it('MUST reject a change of an entity that another user has changed', async () => {
    const message = await run(async ({ EntityManager, EntityQuery }, root) => {
      const [mine, theirs] = [new EntityManager(root), new EntityManager(root)]
      type Product = Breeze.Entity & { UnitsInStock: number }
      const one = async (manager: Breeze.EntityManager): Promise<Product> => {
        const { results } = await manager.executeQuery(
          EntityQuery.from('Products').where('ProductID', '==', 2),
        )
        return results[0] as Product
      }
      const [my, their] = [await one(mine), await one(theirs)]
      their.UnitsInStock = 1
      await theirs.saveChanges()
      my.UnitsInStock = 2
      return mine.saveChanges().then(
        () => 'saved',
        (error: Error & { status?: unknown }) => `${String(error.status)} ${error.message}`,
      )
    })
    expect(message).toMatch(/412/)
  })
})
