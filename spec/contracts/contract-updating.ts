import { atomBody } from './write-bodies.js'
import type { WriteSubject } from './write-contract.js'

const form = {
  Title: 'old',
  Note: 'note',
  Color: 'blue',
  Count: 9,
  Price: '9.99',
  Active: false,
  Size: { W: '2', Unit: 'm' },
}

const setBack = { Note: null, Color: 'red', Count: 7, Active: true, Size: { W: null, Unit: 'cm' } }

/** PUT, MERGE and PATCH of entities and of their properties. */
export function describeUpdating({ service, has }: WriteSubject): void {
  const newForm = async (): Promise<string> => `Forms(${await service().addId('Forms', form)})`

  it('PUT MUST reset absent properties to their default or null', async () => {
    const [one, other] = [await newForm(), await newForm()]
    expect(await service().status('PUT', one, { json: { Title: 'new' } })).toBe(204)
    expect((await service().atom('PUT', other, 'Form', { Title: 'new' })).status).toBe(204)
    for (const address of [one, other]) {
      const { Price, ...rest } = await service().entity(address)
      expect([rest, Number(Price)]).toEqual([expect.objectContaining({ ...setBack, Title: 'new' }), 1.5])
    }
  })

  it('PUT MUST respond with 400 when a required value is absent, and change nothing', async () => {
    const address = await newForm()
    expect(await service().status('PUT', address, { json: { Note: 'no title' } })).toBe(400)
    expect(await service().entity(address)).toMatchObject(form)
  })

  it.each(['MERGE', 'PATCH'])('%s MUST preserve absent properties, in complex values too', async (method) => {
    const [one, other] = [await newForm(), await newForm()]
    const json = { Note: null, Size: { W: '3' } }
    expect(await service().status(method, one, { json })).toBe(204)
    expect(await service().entity(one)).toMatchObject({ ...form, Note: null, Size: { W: '3', Unit: 'm' } })
    expect((await service().atom(method, other, 'Form', { Count: '10' })).status).toBe(204)
    expect(await service().entity(other)).toMatchObject({ ...form, Count: 10 })
    expect(await service().status(method, other, { json: {} })).toBe(204)
    expect(await service().entity(other)).toMatchObject({ ...form, Count: 10 })
  })

  it('MERGE MUST merge complex values in complex values', async () => {
    const Place = { Street: 'A 1', At: { X: '1', Y: '2' } }
    const address = `Samples(${await service().addId('Samples', { Place })})`
    expect(await service().status('MERGE', address, { json: { Place: { At: { Y: null } } } })).toBe(204)
    expect(await service().entity(address)).toMatchObject({
      Place: { Street: 'A 1', At: { X: '1', Y: null } },
    })
    expect(await service().status('MERGE', address, { json: { Place: { Street: null } } })).toBe(204)
    expect(await service().entity(address)).toMatchObject({
      Place: { Street: null, At: { X: '1', Y: null } },
    })
    expect(await service().status('PUT', address, { json: { Place: { Street: 'B' } } })).toBe(204)
    expect(await service().entity(address)).toMatchObject({
      Place: { Street: 'B', At: { X: null, Y: null } },
    })
  })

  it.each(['PUT', 'MERGE'])(
    '%s MUST respond with 400 to the key of another entity, and accept the same key and the default key',
    async (method) => {
      const { ID } = await service().add('Orders', { Customer: 'Ann' })
      const address = `Orders(${String(ID)})`
      expect(await service().status(method, address, { json: { ID: Number(ID) + 1, Customer: 'B' } })).toBe(
        400,
      )
      expect(await service().entity(address)).toMatchObject({ ID, Customer: 'Ann' })
      expect(await service().status(method, address, { json: { ID, Customer: 'C' } })).toBe(204)
      expect(await service().status(method, address, { json: { ID: 0, Customer: 'D' } })).toBe(204)
      expect(await service().entity(address)).toMatchObject({ ID, Customer: 'D' })
    },
  )

  it('MUST respond with 404 when the entity does not exist, and create none', async () => {
    for (const method of ['PUT', 'MERGE', 'PATCH']) {
      expect(await service().status(method, 'Orders(4711)', { json: { Customer: 'x' } })).toBe(404)
    }
    expect(await service().status('PUT', 'Orders(4711)/Customer', { json: { Customer: 'x' } })).toBe(404)
    expect(await service().read('Orders(4711)')).toBe(404)
  })

  it('MUST respond with 400 to invalid values, and change nothing', async () => {
    const address = await newForm()
    for (const wrong of [{ Count: null }, { Title: null }, { Price: '1.234' }, { Nonsense: 1 }]) {
      expect(await service().status('MERGE', address, { json: { Note: 'changed', ...wrong } })).toBe(400)
      expect(await service().status('PUT', address, { json: { Title: 'changed', ...wrong } })).toBe(400)
    }
    expect(await service().entity(address)).toMatchObject(form)
  })

  it('MUST set single properties, and their members', async () => {
    const address = await newForm()
    expect(await service().status('PUT', `${address}/Note`, { json: { Note: 'a' } })).toBe(204)
    const xml = `<Count xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices">11</Count>`
    const headers = { 'Content-Type': 'application/xml' }
    expect(await service().status('PUT', `${address}/Count`, { bytes: xml, headers })).toBe(204)
    const json = { Size: { W: '5' } }
    expect(await service().status('MERGE', `${address}/Size`, { json })).toBe(204)
    expect(await service().entity(address)).toMatchObject({
      ...form,
      Note: 'a',
      Count: 11,
      Size: { W: '5', Unit: 'm' },
    })
    expect(await service().status('PUT', `${address}/Size/Unit`, { json: { Unit: 'km' } })).toBe(204)
    expect(await service().entity(address)).toMatchObject({ Size: { W: '5', Unit: 'km' } })
    expect(await service().status('PUT', `${address}/Size`, { json })).toBe(204)
    expect(await service().entity(address)).toMatchObject({ Size: { W: '5', Unit: 'cm' } })
  })

  it('MUST set raw values; deleting them sets null', async () => {
    const address = await newForm()
    const headers = { 'Content-Type': 'text/plain' }
    const value = `${address}/Note/$value`
    expect(await service().status('PUT', value, { bytes: 'é\u{1F600}', headers })).toBe(204)
    expect((await service().send('GET', value)).text).toBe('é\u{1F600}')
    expect(await service().status('DELETE', value)).toBe(204)
    expect(await service().status('GET', value)).toBe(404)
    expect(await service().entity(address)).toMatchObject({ ...form, Note: null })
    expect(await service().status('DELETE', `${address}/Count/$value`)).toBe(405)
    expect(await service().status('PUT', `${address}/ID/$value`, { bytes: '5', headers })).toBe(405)
    const bytes = Uint8Array.of(0, 255, 10, 13)
    const sample = `Samples(${await service().addId('Samples')})/Bytes/$value`
    const type = { 'Content-Type': 'application/octet-stream' }
    expect(await service().status('PUT', sample, { bytes, headers: type })).toBe(204)
    expect([...(await service().send('GET', sample)).body]).toEqual([...bytes])
  })

  it('MUST change the entity at a navigation property', async () => {
    const ID = await service().addId('Categories(2)/Products')
    expect(await service().status('MERGE', `Products(${ID})/Category`, { json: { Name: 'Wines' } })).toBe(204)
    expect(await service().entity('Categories(2)')).toMatchObject({ Name: 'Wines', ParentID: 1 })
  })

  it('MUST bind and unbind single links', async () => {
    const address = `Products(${await service().addId('Products', { Name: 'x' })})`
    const bound = { Category: { __metadata: { uri: 'Categories(1)' } } }
    expect(await service().status('MERGE', address, { json: bound })).toBe(204)
    expect(await service().entity(address)).toMatchObject({ Name: 'x', CategoryID: 1 })
    const atom = atomBody('Product', { Name: 'y' }, { bound: { Category: 'Categories(2)' } })
    expect(await service().status('PUT', address, { atom })).toBe(204)
    expect(await service().entity(address)).toMatchObject({ Name: 'y', CategoryID: 2 })
    expect(await service().status('MERGE', address, { json: { Category: null } })).toBe(204)
    expect(await service().entity(address)).toMatchObject({ Name: 'y', CategoryID: null })
    for (const uri of [
      'Categories(4711)',
      'Orders(1)',
      'http://elsewhere.test/Categories(1)',
      'Categories',
    ]) {
      const json = { Name: 'z', Category: { __metadata: { uri } } }
      expect([uri, await service().status('MERGE', address, { json })]).toEqual([uri, 400])
    }
    const json = { Name: 'z', Category: { Name: 'inline' } }
    expect(await service().status('MERGE', address, { json })).toBe(400)
    expect(await service().status('MERGE', address, { json: { Name: 'z', CategoryID: 4711 } })).toBe(409)
    expect(await service().entity(address)).toMatchObject({ Name: 'y', CategoryID: null })
  })

  it('MUST not change foreign keys of other entities with similar values', async () => {
    const [one, other] = [
      await service().addId('Categories(1)/Products'),
      await service().addId('Categories(1)/Products'),
    ]
    expect(await service().status('MERGE', `Products(${one})`, { json: { CategoryID: 2 } })).toBe(204)
    expect(await service().entity(`Products(${other})`)).toMatchObject({ CategoryID: 1 })
  })

  it('MUST compare all parts of the key of a line, and change no other line', async () => {
    const order = await service().addId('Orders', {
      Lines: [
        { No: 1, Text: 'a' },
        { No: 2, Text: 'b' },
      ],
    })
    const line = `Lines(No=2,OrderID=${order})`
    expect(await service().status('MERGE', line, { json: { Text: 'c' } })).toBe(204)
    expect(await service().list(`Orders(${order})/Lines`, 'Text')).toEqual(['a', 'c'])
    expect(await service().entity('Lines(OrderID=1,No=1)')).toMatchObject({ Text: 'first' })
  })

  it('MUST be accepted as POST with X-HTTP-Method, and return the entity when the client prefers that', async () => {
    const address = await newForm()
    const headers = { 'X-HTTP-Method': 'MERGE', Prefer: 'return-content' }
    const { status, text } = await service().send('POST', address, { json: { Note: 't' }, headers })
    expect([status, JSON.parse(text)]).toEqual([200, { d: expect.objectContaining({ ...form, Note: 't' }) }])
  })

  if (has('inheritance')) {
    it('MUST change the properties of a derived type, but not the type', async () => {
      const json = { __metadata: { type: 'Works.Person' }, Name: 'Ada', Age: 36 }
      const person = `Parties(${await service().addId('Parties', json)})`
      const type = 'Works.Person'
      expect(await service().status('MERGE', person, { json: { __metadata: { type }, Age: 37 } })).toBe(204)
      expect(await service().entity(person)).toMatchObject({ __metadata: { type }, Name: 'Ada', Age: 37 })
      expect(await service().status('PUT', person, { json: { __metadata: { type }, Name: 'B' } })).toBe(204)
      expect(await service().entity(person)).toMatchObject({ __metadata: { type }, Name: 'B', Age: null })
      const party = `Parties(${await service().addId('Parties', { Name: 'Guild' })})`
      expect(await service().status('MERGE', party, { json: { __metadata: { type }, Age: 1 } })).toBe(400)
      expect((await service().entity(party)).__metadata?.type).toBe('Works.Party')
    })
  }
}
