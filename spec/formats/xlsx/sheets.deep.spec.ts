import express from 'express'
import type { Row } from '../../../lib/index.js'
import { odataV2 } from '../../../lib/index.js'
import { shopModel, shopProvider } from '../../support/export-shop.js'
import { TestServer } from '../../support/http-exchange.js'
import { unzip } from '../../support/read-xlsx.js'

/** The maximum number of rows of a sheet. */
const MAX_ROWS = 1_048_576

function* rows(count: number): Generator<readonly Row[]> {
  for (let start = 0; start < count; start += 1_000) {
    yield Array.from({ length: Math.min(1_000, count - start) }, (_, index) => ({
      ID: start + index,
      Size: {},
    }))
  }
}

/** Returns the number of rows of each sheet of an export, with their headers. */
async function sheetLengths(count: number): Promise<readonly number[]> {
  const { entitySets, functions } = shopProvider()
  const Products = { read: () => rows(count), pushdown: { orderBy: () => true } }
  const service = odataV2(
    shopModel,
    { functions, entitySets: { ...entitySets, Products } },
    { exports: true, limits: { exportRows: 2 * MAX_ROWS } },
  )
  const server = await TestServer.start(express().use('/shop', service))
  try {
    const { bytes } = await server.send('/shop/Products?$format=xlsx&$select=ID')
    const files = unzip(bytes)
    const workbook = files.get('xl/workbook.xml')?.toString() ?? ''
    const names = [...workbook.matchAll(/<sheet name="([^"]*)"/g)].map(([, name]) => name)
    expect(names).toEqual(['Products', 'Products (2)'].slice(0, names.length))
    return names.map((_, index) => {
      const xml = files.get(`xl/worksheets/sheet${index + 1}.xml`)?.toString() ?? ''
      expect(xml.match(/<row r="1"><c r="A1" s="1"/g)).toHaveLength(1)
      expect(xml.endsWith('</row></sheetData></worksheet>')).toBe(true)
      return xml.match(/<row /g)?.length ?? 0
    })
  } finally {
    await server.stop()
  }
}

describe('A workbook of many rows', () => {
  it('MUST have one sheet up to the maximum number of rows', async () => {
    expect(await sheetLengths(MAX_ROWS - 1)).toEqual([MAX_ROWS])
  })

  it('MUST continue on a further sheet with a header of its own', async () => {
    expect(await sheetLengths(MAX_ROWS + 3)).toEqual([MAX_ROWS, 5])
  })
})
