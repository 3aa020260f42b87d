import type { WriteSubject } from './write-contract.js'

/** Versions that ETags show, and clients that change an entity at the same time. */
export function describeConcurrency({ service }: WriteSubject): void {
  const newCounter = async (): Promise<string> =>
    `Counters(${await service().addId('Counters', { Value: 0 })})`
  const tagOf = async (address: string): Promise<string> => {
    const { headers } = await service().send('GET', address)
    if (headers.etag === undefined) throw new Error(`${address} has no ETag`)
    return headers.etag
  }
  const merge = (address: string, Value: number, tag?: string) =>
    service().send('MERGE', address, {
      json: { Value },
      headers: tag === undefined ? {} : { 'If-Match': tag },
    })

  it('MUST have the same ETag in every representation of an entity', async () => {
    const { status, headers, text } = await service().send('POST', 'Counters', { json: { Value: 1 } })
    expect([status, headers.etag]).toEqual([201, expect.stringMatching(/^W\/".+"$/)])
    const { ID } = (JSON.parse(text) as { d: { ID: number } }).d
    const etag = String(headers.etag)
    expect(await tagOf(`Counters(${ID})`)).toBe(etag)
    const { __metadata } = await service().entity(`Counters(${ID})`)
    expect(__metadata).toMatchObject({ etag })
    const filter = encodeURIComponent(`ID eq ${ID}`)
    const feed = await service().entity(`Counters?$filter=${filter}`)
    expect(feed.results?.[0]?.__metadata).toMatchObject({ etag })
    const unchanged = { headers: { 'If-None-Match': etag } }
    expect(await service().status('GET', `Counters(${ID})`, unchanged)).toBe(304)
  })

  it('MUST get another ETag with every change', async () => {
    const address = await newCounter()
    const tags = [await tagOf(address)]
    const text = { 'Content-Type': 'text/plain' }
    for (const [method, path, question] of [
      ['MERGE', '', { json: { Value: 1 } }],
      ['PUT', '', { json: { Value: 2 } }],
      ['PUT', '/Name', { json: { Name: 'x' } }],
      ['PUT', '/Value/$value', { bytes: '3', headers: text }],
      ['DELETE', '/Name/$value', {}],
    ] as const) {
      const tag = tags.at(-1) ?? ''
      const headers = { ...('headers' in question ? question.headers : {}), 'If-Match': tag }
      const response = await service().send(method, address + path, { ...question, headers })
      expect([method, path, response.status]).toEqual([method, path, 204])
      expect(response.headers.etag).toBe(await tagOf(address))
      tags.push(String(response.headers.etag))
    }
    expect(new Set(tags).size).toBe(tags.length)
    for (const tag of tags.slice(0, -1)) expect((await merge(address, 9, tag)).status).toBe(412)
    expect(await service().entity(address)).toMatchObject({ Value: 3, Name: null })
  })

  it('MUST be required by changes: 428 without an ETag, 412 for another one, 204 for the same, one of several, and any', async () => {
    const address = await newCounter()
    for (const [method, path, question] of [
      ['MERGE', '', { json: { Value: 1 } }],
      ['PUT', '', { json: { Value: 1 } }],
      ['PUT', '/Value', { json: { Value: 1 } }],
      ['DELETE', '/Name', {}],
      ['DELETE', '', {}],
    ] as const) {
      expect([method, path, await service().status(method, address + path, question)]).toEqual([
        method,
        path,
        428,
      ])
      const other = { ...question, headers: { 'If-Match': 'W/"4711"' } }
      expect([method, path, await service().status(method, address + path, other)]).toEqual([
        method,
        path,
        412,
      ])
      const none = { ...question, headers: { 'If-None-Match': '*' } }
      expect([method, path, await service().status(method, address + path, none)]).toEqual([
        method,
        path,
        400,
      ])
    }
    expect(await service().entity(address)).toMatchObject({ Value: 0 })
    expect((await merge(address, 1, `"a", ${await tagOf(address)}`)).status).toBe(204)
    expect((await merge(address, 2, '*')).status).toBe(204)
    expect(await service().status('DELETE', address, { headers: { 'If-Match': await tagOf(address) } })).toBe(
      204,
    )
    expect((await merge(address, 3, '*')).status).toBe(404)
  })

  it('MUST NOT reuse an earlier ETag, even if an update sets an earlier version', async () => {
    const address = await newCounter()
    const versionOf = async (): Promise<number> => Number((await service().entity(address)).Version)
    const start = await versionOf()
    const write = async (method: string, Version: number): Promise<unknown> => {
      const [tag, before] = [await tagOf(address), await versionOf()]
      const response = await service().send(method, address, {
        json: { Value: 1, Version },
        headers: { 'If-Match': tag },
      })
      expect(response.status).toBe(204)
      return (await versionOf()) - before
    }
    expect(await write('MERGE', start)).toBe(1)
    expect(await write('PUT', start)).toBe(1)
    expect(await write('MERGE', start - 7)).toBe(1)
    expect(await write('PUT', start + 100)).toBeGreaterThan(1)
  })

  it('MUST keep the ETag when a change fails', async () => {
    const address = await newCounter()
    const tag = await tagOf(address)
    const question = { json: { Name: 'x', Value: null }, headers: { 'If-Match': tag } }
    expect(await service().status('MERGE', address, question)).toBe(400)
    expect(await tagOf(address)).toBe(tag)
  })

  it('MUST not be required for types without a concurrency token, where any condition matches', async () => {
    const question = (tag: string) => ({ json: {}, headers: { 'If-Match': tag } })
    expect(await service().status('MERGE', 'Orders(1)', question('*'))).toBe(204)
    expect(await service().status('MERGE', 'Orders(1)', question('W/"1"'))).toBe(400)
    expect(await service().status('MERGE', 'Orders(4711)', question('*'))).toBe(404)
  })

  it('MUST see the new ETag in later changes of the same change set', async () => {
    const address = await newCounter()
    const headers = { 'If-Match': await tagOf(address) }
    const change = (Value: number) => ({ method: 'MERGE', path: address, json: { Value }, headers })
    const [response] = await service().batch([change(1), change(2)])
    expect(response).toMatchObject({ status: 412 })
    expect(await service().entity(address)).toMatchObject({ Value: 0 })
    expect(await service().batch([change(3)])).toMatchObject([[{ status: 204 }]])
  })

  it('MUST let exactly one of several concurrent writers succeed', async () => {
    const address = await newCounter()
    for (let round = 0; round < 3; round++) {
      const tag = await tagOf(address)
      const values = Array.from({ length: 8 }, (_, index) => round * 100 + index + 1)
      const responses = await Promise.all(values.map((value) => merge(address, value, tag)))
      const statuses = responses.map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([204, ...Array<number>(7).fill(412)])
      const winner = values[statuses.indexOf(204)]
      expect(await service().entity(address)).toMatchObject({ Value: winner })
    }
  })

  it('MUST lose no increment, neither of single changes nor of change sets', async () => {
    const address = await newCounter()
    const increment = async (inChangeSet: boolean): Promise<void> => {
      for (let attempt = 0; attempt < 500; attempt++) {
        const { Value, __metadata } = await service().entity(address)
        const { etag } = __metadata as unknown as { etag: string }
        const json = { Value: Number(Value) + 1 }
        const headers = { 'If-Match': etag }
        if (inChangeSet) {
          const [response] = await service().batch([
            { method: 'POST', path: 'Orders', json: { Customer: address } },
            { method: 'MERGE', path: address, json, headers },
          ])
          if (Array.isArray(response)) return
          expect(response).toMatchObject({ status: 412 })
        } else {
          const { status } = await service().send('MERGE', address, { json, headers })
          if (status === 204) return
          expect(status).toBe(412)
        }
      }
      throw new Error('This change must be rejected.')
    }
    const clients = Array.from({ length: 6 }, async (_, client) => {
      for (let time = 0; time < 4; time++) await increment(client % 2 === 1)
    })
    await Promise.all(clients)
    expect(await service().entity(address)).toMatchObject({ Value: 24 })
    const filter = encodeURIComponent(`Customer eq '${address}'`)
    expect((await service().list(`Orders?$filter=${filter}`)).length).toBe(12)
  })

  it('MUST not be needed to add and delete entities concurrently', async () => {
    const added = await Promise.all(Array.from({ length: 12 }, () => service().addId('Categories')))
    expect(new Set(added).size).toBe(12)
    const ID = service().freeKey()
    const same = Array.from({ length: 6 }, () => service().status('POST', 'Categories', { json: { ID } }))
    expect((await Promise.all(same)).toSorted()).toEqual([201, 409, 409, 409, 409, 409])
    const deleted = Array.from({ length: 6 }, () => service().status('DELETE', `Categories(${ID})`))
    expect((await Promise.all(deleted)).toSorted()).toEqual([204, 404, 404, 404, 404, 404])
  })
}
