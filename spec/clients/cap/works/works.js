// The handlers of the service. CAP generates neither integers as keys nor version numbers.
module.exports = (srv) => {
  let last = 1000
  srv.before('CREATE', (req) => {
    complete(req.data, req.target)
    if (req.target.name === 'Works.Counter') req.data.Version = 1
  })
  srv.before('UPDATE', 'Counter', async (req) => {
    const [{ ID }] = req.params.map((one) => (typeof one === 'object' ? one : { ID: one }))
    const found = await SELECT.one.from('Works.Counter').columns('Version').where({ ID })
    if (found) req.data.Version = found.Version + 1
  })

  /** Adds keys to a new entity and those within it. */
  function complete(data, entity) {
    const key = entity.keys.ID
    if (key?.type === 'cds.Integer') data.ID ??= ++last
    if (key?.type === 'cds.Int64') data.ID ??= String(9007199254741000n + BigInt(++last))
    for (const [name, { target }] of Object.entries(entity.compositions ?? {}))
      for (const one of data[name] ?? []) complete(one, srv.model.definitions[target])
  }
}
