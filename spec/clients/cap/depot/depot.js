// The handlers of the service.
module.exports = (srv) => {
  const { Product } = srv.entities
  srv.on('Rated', (req) => SELECT.from(Product).where`Rating >= ${req.data.min ?? 0}`.orderBy('ID'))
  srv.on('Best', () => SELECT.one.from(Product).where`ID = 1`)
  srv.on('Total', () => 42)
}
