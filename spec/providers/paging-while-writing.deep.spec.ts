import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'
import { fileModel, fileProvider, memoryProvider, odataV2 } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'
import { Chance, describePagingWhileWriting, thingModel } from '../support/paging-while-writing.js'
import { describeDatabases } from '../support/sql/databases.js'
import { openThings } from '../support/sql/paged-things.js'
import { targetOf } from '../support/walk-pages.js'
import { temporaryDirectory } from './file-system/support.js'

describePagingWhileWriting('memory', async (things) => {
  const provider = memoryProvider(thingModel, { Things: things.map((one) => ({ ...one })) })
  const server = await TestServer.start(express().use('/s', odataV2(thingModel, provider, { pageSize: 7 })))
  return { server, stop: () => server.stop() }
})

describeDatabases(({ kind, open }) => {
  describePagingWhileWriting(kind, async (things) => openThings(await open([]), kind, things))
})

describe('Paging while others write: files', () => {
  const root = temporaryDirectory()
  let server: TestServer

  /** Names that stay, with those that are inserted and deleted before, between and after them. */
  const stable = [...'bdfhjlnprtvx'].flatMap((letter) => [
    `${letter}1.txt`,
    `${letter}2/x.txt`,
    `${letter}2/y.md`,
  ])
  const others = [...'acegikmoqsuwyz'].flatMap((letter) => [
    `${letter}.txt`,
    `b2/${letter}1.txt`,
    `v2/${letter}1.md`,
  ])
  const sizeOf = (name: string): number => name.length % 3

  beforeAll(async () => {
    for (const name of stable) {
      mkdirSync(join(root, name, '..'), { recursive: true })
      writeFileSync(join(root, name), 'x'.repeat(sizeOf(name)))
    }
    server = await TestServer.start(
      express().use('/f', odataV2(fileModel, fileProvider(root), { pageSize: 7 })),
    )
  })

  afterAll(() => server.stop())

  it.each([
    '',
    '$orderby=path desc',
    '$orderby=name',
    '$orderby=size desc,name',
    '$orderby=isDirectory,size',
    "$filter=endswith(name,'t')&$orderby=size",
    "$filter=startswith(path,'/b')",
  ])('MUST show all that is there throughout exactly once: %s', async (query) => {
    const chance = new Chance(3)
    const shown: string[] = []
    for (let target: string | undefined = `/f/Files?${query.replaceAll(' ', '%20')}`; target !== undefined;) {
      const { status, text } = await server.send(target, { headers: { Accept: 'application/json' } })
      expect([status, status === 200 ? '' : text]).toEqual([200, ''])
      const { d } = JSON.parse(text) as { d: { results: { path: string }[]; __next?: string } }
      shown.push(...d.results.map(({ path }) => path.slice(1)))
      target = d.__next === undefined ? undefined : targetOf(d.__next, server)
      for (let count = 0; count < 8; count++) {
        const file = join(root, chance.of(others))
        if (chance.below(2) === 0) rmSync(file, { force: true })
        else writeFileSync(file, 'y'.repeat(chance.below(4)))
      }
    }
    const wanted = stable.filter((name) => {
      if (query.includes('startswith')) return name.startsWith('b')
      return query.includes('endswith') ? name.endsWith('t') : true
    })
    expect(shown.filter((path) => stable.includes(path)).sort()).toEqual(wanted.sort())
  })
})
