/**
 * Reads a CSV or Excel file with readers from npm, with their usual options, and prints the rows that each of them
 * returns as JSON: of CSV, objects; of Excel, arrays of the displayed text. A program of its own, because most readers
 * are ES modules, and DuckDB a native one.
 */
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { DuckDBInstance } from '@duckdb/node-api'
import { parse } from 'csv-parse/sync'
import csvToJson from 'csvtojson'
import { csvParse } from 'd3-dsv'
import exceljs from 'exceljs'
import { parseCsvObjects, readXlsx } from 'hucre'
import papaparse from 'papaparse'
import xlsx from 'xlsx'

const csvReaders = {
  DuckDB: readWithDuckDb,
  papaparse: async (path) => papaparse.parse(await textOf(path), { header: true, skipEmptyLines: true }).data,
  'csv-parse': async (path) => parse(await readFile(path), { bom: true, columns: true }),
  csvtojson: (path) => csvToJson().fromFile(path),
  'd3-dsv': async (path) => [...csvParse(await textOf(path))],
  hucre: async (path) => parseCsvObjects(await textOf(path)).data,
  SheetJS: async (path) => {
    const book = xlsx.read(await readFile(path), { type: 'buffer', raw: true })
    return xlsx.utils.sheet_to_json(book.Sheets[book.SheetNames[0]], { defval: '' })
  },
}

const workbookReaders = {
  SheetJS: async (path) => {
    const book = xlsx.read(await readFile(path), { type: 'buffer' })
    return xlsx.utils.sheet_to_json(book.Sheets[book.SheetNames[0]], { header: 1, raw: false, defval: '' })
  },
  exceljs: async (path) => {
    const book = new exceljs.Workbook()
    await book.xlsx.readFile(path)
    const rows = []
    book.worksheets[0].eachRow((row) => rows.push(row.values.slice(1)))
    return rows
  },
  hucre: async (path) => (await readXlsx(await readFile(path))).sheets[0].rows,
}

/** Decodes a file like `response.text()`, without the byte order mark. */
async function textOf(path) {
  return new TextDecoder().decode(await readFile(path))
}

async function readWithDuckDb(path) {
  const connection = await (await DuckDBInstance.create()).connect()
  const reader = await connection.runAndReadAll(`from read_csv('${path}', all_varchar = true)`)
  return reader.getRowObjects()
}

const [path, first = '0'] = process.argv.slice(2)
const readers = path.endsWith('.csv') ? csvReaders : workbookReaders
const results = await Promise.all(
  Object.entries(readers).map(async ([name, read]) => {
    const rows = await read(path)
    return [name, { count: rows.length, rows: rows.slice(Number(first)) }]
  }),
)
process.stdout.write(JSON.stringify(Object.fromEntries(results)))
