import { atomBody, atomValue } from './write-bodies.js'
import type { WriteSubject } from './write-contract.js'
import { root } from './write-service.js'

/** POST to a collection. */
export function describeInserting({ service, has, fractionDigits }: WriteSubject): void {
  it('MUST respond with 201, the canonical address and the entity as it is stored', async () => {
    const json = await service().send('POST', 'Categories', { json: { Name: 'new' } })
    expect(json.status).toBe(201)
    const { ID } = (JSON.parse(json.text) as { d: { ID: number } }).d
    expect(json.headers.location).toBe(`${root}Categories(${ID})`)
    expect(await service().entity(`Categories(${ID})`)).toMatchObject({ Name: 'new', ParentID: null })

    const headers = { Accept: 'application/atom+xml' }
    const body = atomBody('Category', { Name: 'newer', ParentID: String(ID) })
    const atom = await service().send('POST', 'Categories', { atom: body, headers })
    expect(atom.status).toBe(201)
    expect(atom.headers.location).toBe(`${root}Categories(${atomValue(atom.text, 'ID')})`)
    expect(atomValue(atom.text, 'Name')).toBe('newer')
    expect(await service().list(`Categories(${ID})/Children`, 'Name')).toEqual(['newer'])
  })

  it('MUST respond with only the address when the client prefers that', async () => {
    const headers = { Prefer: 'return-no-content' }
    const { status, text, headers: sent } = await service().send('POST', 'Orders', { json: {}, headers })
    expect([status, text]).toEqual([204, ''])
    expect(await service().entity(String(sent.location).slice(root.length))).toMatchObject({ Customer: null })
  })

  it('MUST set absent properties to their default or null, and keep explicit nulls', async () => {
    const absent = { Note: null, Color: 'red', Count: 7, Active: true }
    const json = await service().addId('Forms', { Title: '' })
    const atom = await service().atom('POST', 'Forms', 'Form', { Title: '' })
    const last = (JSON.parse(atom.text) as { d: { ID: number } }).d.ID
    for (const ID of [json, last]) {
      const { Price, ...form } = await service().entity(`Forms(${ID})`)
      expect(form).toMatchObject({ ...absent, Title: '', Size: { W: null, Unit: 'cm' } })
      expect(Number(Price)).toBe(1.5)
    }
    const given = { Title: 'x', Color: null, Price: null, Count: 0, Active: false, Size: { Unit: null } }
    const ID = await service().addId('Forms', given)
    expect(await service().entity(`Forms(${ID})`)).toMatchObject({ ...given, Size: { W: null, Unit: null } })
  })

  it('MUST generate keys that no other entity has', async () => {
    const first = await service().addId('Products')
    const second = await service().addId('Products')
    expect(new Set([1, 2, first, second]).size).toBe(4)
    const coupon = String((await service().add('Coupons', {})).ID)
    expect(await service().entity(`Coupons(${coupon}L)`)).toMatchObject({ ID: coupon })
    expect(coupon).not.toBe('9007199254740993')
    const tag = (await service().add('Tags', { Label: 'a' })).ID
    expect(tag).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect((await service().add('Tags', { Label: 'b' })).ID).not.toBe(tag)
    // A client that knows no key may say so.
    expect((await service().add('Coupons', { ID: null })).ID).not.toBe(coupon)
    expect((await service().add('Tags', { ID: null, Label: 'c' })).ID).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('MUST accept an explicit key and continue to generate unique keys', async () => {
    const first = service().freeKey()
    const given = [first, first + 1, first + 2]
    for (const key of given) {
      expect(await service().add('Orders', { ID: key })).toMatchObject({ ID: key })
    }
    expect(given).not.toContain(await service().addId('Orders'))
    expect(await service().add('Coupons', { ID: '-9223372036854775808' })).toMatchObject({
      ID: '-9223372036854775808',
    })
    expect(await service().add('Orders', { ID: -5 })).toMatchObject({ ID: -5 })
  })

  it.each([
    ['Orders', { ID: 1 }, 'Orders(1)', { ID: 77 }],
    ['Coupons', { ID: '9007199254740993' }, 'Coupons(9007199254740993L)', { ID: 77 }],
    ['Lines', { OrderID: 1, No: 1, Text: 'other' }, 'Lines(OrderID=1,No=1)', { No: 77 }],
  ])(
    'MUST respond with 409 to an existing key of %s, and change nothing',
    async (set, json, address, key) => {
      const before = await service().entity(address)
      expect(await service().status('POST', set, { json })).toBe(409)
      expect(await service().entity(address)).toEqual(before)
      expect(await service().status('POST', set, { json: { ...json, ...key } })).not.toBe(409)
    },
  )

  it.each(["it's", 'a/b?c#d%', 'é\u{1F600}', 'Case', 'CASE', 'Case ', '%_[]\\', ''])(
    'MUST accept the key %j, and distinguish it from all others',
    async (Name) => {
      const literal = encodeURIComponent(`'${Name.replaceAll("'", "''")}'`)
      expect(await service().add('Covers', { Name, Sheets: 1 })).toMatchObject({ Name })
      expect(await service().entity(`Covers(${literal})`)).toMatchObject({ Name, Sheets: 1 })
      expect(await service().status('POST', 'Covers', { json: { Name, Sheets: 2 } })).toBe(409)
    },
  )

  it('MUST find entities by keys of other types, to the last digit', async () => {
    const Sensor = '12345678-aaaa-bbbb-cccc-ddddeeeeffff'
    const Channel = '9007199254740993'
    const fraction = '1234567'.slice(0, fractionDigits)
    const moments = [`${fraction.slice(0, -1)}8`, fraction].map((digits) => `2012-05-29T09:13:28.${digits}`)
    const keys = moments.map((At) => ({ At, Sensor, Channel }))
    const others = [
      { ...keys[0], Channel: '9007199254740992' },
      { ...keys[0], Sensor: Sensor.replace('1', '2') },
    ]
    const address = ({ At, ...key }: Record<string, string>): string =>
      `Readings(Sensor=guid'${key.Sensor}',At=datetime'${At}',Channel=${key.Channel}L)`
    const all = [...keys, ...others]
    for (const [index, key] of all.entries()) {
      const { status, headers } = await service().send('POST', 'Readings', {
        json: { ...key, Value: `${index}` },
      })
      expect([status, decodeURIComponent(String(headers.location))]).toEqual([
        201,
        `${root}Readings(At=datetime'${key.At}',Sensor=guid'${key.Sensor}',Channel=${key.Channel}L)`,
      ])
      expect(await service().status('POST', 'Readings', { json: key })).toBe(409)
    }
    for (const [index, key] of all.entries()) {
      expect(Number((await service().entity(address(key))).Value)).toBe(index)
      expect(await service().status('MERGE', address(key), { json: { Value: `${index + 10}` } })).toBe(204)
    }
    const [first = {}, ...rest] = all
    expect(await service().status('DELETE', address(first))).toBe(204)
    expect(await service().status('GET', address(first))).toBe(404)
    const values = await Promise.all(rest.map((key) => service().entity(address(key))))
    expect(values.map(({ Value }) => Number(Value))).toEqual([11, 12, 13])
  })

  it.each([
    ['Samples', 'Short', 'longer than 8'],
    ['Samples', 'Ascii', 'é'],
    ['Samples', 'Tiny', 256],
    ['Samples', 'Signed', -129],
    ['Samples', 'Small', 32_768],
    ['Samples', 'Whole', 2_147_483_648],
    ['Samples', 'Large', '9223372036854775808'],
    ['Samples', 'Money', '1.234'],
    ['Samples', 'Money', '12345'],
    ['Samples', 'Rough', '1E39'],
    ['Samples', 'Code', 'no guid'],
    ['Samples', 'Moment', '2012-02-30T00:00:00'],
    ['Samples', 'Nonsense', 1],
    ['Forms', 'Count', null],
    ['Forms', 'Title', null],
  ])('MUST respond with 400 to %s with a %s of %j, name it, and add nothing', async (set, name, value) => {
    const before = await service().list(set)
    const { status, text } = await service().send('POST', set, { json: { Title: 'x', [name]: value } })
    const json = set === 'Forms' ? { Title: 'x', [name]: value } : { [name]: value }
    const response = await service().send('POST', set, { json })
    expect([status, response.status]).toEqual([400, 400])
    expect(`${text} ${response.text}`).toContain(name)
    expect(await service().list(set)).toEqual(before)
  })

  it('MUST respond with 400 when a required value is missing', async () => {
    const { status, text } = await service().send('POST', 'Forms', { json: { Note: 'no title' } })
    expect([status, text]).toEqual([400, expect.stringContaining('Title')])
    expect(await service().status('POST', 'Covers', { json: { Sheets: 1 } })).toBe(400)
    expect(await service().status('POST', 'Bins', { json: { Label: 'nowhere' } })).toBe(400)
  })

  it('MUST respond with 409 when a foreign key refers to no entity', async () => {
    expect(await service().status('POST', 'Products', { json: { CategoryID: 4711 } })).toBe(409)
    expect(await service().status('POST', 'Lines', { json: { OrderID: 4711, No: 1 } })).toBe(409)
    const remark = { OrderID: 1, LineNo: 4711 }
    expect(await service().status('POST', 'Remarks', { json: remark })).toBe(409)
    expect(await service().list('Remarks')).toEqual([])
  })

  it('MUST link entities that are added through a navigation property', async () => {
    const { status, headers } = await service().send('POST', 'Orders(1)/Lines', { json: { No: 2 } })
    expect([status, headers.location]).toEqual([201, `${root}Lines(OrderID=1,No=2)`])
    const product = await service().add('Categories(2)/Products', { Name: 'Sherry' })
    expect(product).toMatchObject({ CategoryID: 2 })
    expect(await service().status('POST', 'Categories(4711)/Products', { json: {} })).toBe(404)
    if (!has('link tables')) return
    const tag = await service().add(`Products(${String(product.ID)})/Tags`, { Label: 'dry' })
    const products = `Tags(guid'${String(tag.ID)}')/Products`
    expect(await service().list(products)).toEqual([product.ID])
    const whole = await service().addId(products, { Name: 'box' })
    expect(await service().list(`Products(${whole})/Tags`, 'Label')).toEqual(['dry'])
  })

  it('MUST reject conditions: a new entity has no version', async () => {
    for (const name of ['If-Match', 'If-None-Match']) {
      expect(await service().status('POST', 'Orders', { json: {}, headers: { [name]: '*' } })).toBe(400)
    }
  })

  if (has('inheritance')) {
    it('MUST preserve the type of a derived entity', async () => {
      const json = { __metadata: { type: 'Works.Person' }, Name: 'Ada', Age: 36 }
      const person = await service().add('Parties', json)
      const address = `Parties(${String(person.ID)})`
      expect(await service().entity(address)).toMatchObject({
        __metadata: { type: 'Works.Person' },
        Age: 36,
      })
      const other = await service().atom('POST', 'Parties', 'Person', { Name: 'Ben', Age: '7' })
      expect(other.status).toBe(201)
      const guild = await service().add('Parties', { Name: 'Guild' })
      expect(guild.__metadata?.type).toBe('Works.Party')
      expect(guild).not.toHaveProperty('Age')
      expect(await service().status('POST', 'Parties', { json: { Age: 36 } })).toBe(400)
      expect(await service().list("Parties?$filter=isof('Works.Person')", 'Name')).toEqual(['Ada', 'Ben'])
    })
  }
}
