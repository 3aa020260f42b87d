import { sql } from 'kysely'
import type { AnyDatabase, DatabaseKind } from '../model-tables.js'
import { checkSchema } from './check-schema.js'
import { filmRental } from './film-rental.js'
import { musicStore } from './music-store.js'

/** Opens databases with the features of real ones by introspection, and uses all of their entities. */
export function describeRealSchemas(kind: DatabaseKind, open: () => Promise<AnyDatabase>): void {
  async function created(statements: readonly string[]): Promise<AnyDatabase> {
    const db = await open()
    for (const statement of statements) await sql.raw(statement).execute(db)
    return db
  }

  describe(`A real schema on ${kind}`, () => {
    it('MUST be read, paged, filtered, sorted, expanded and written back: a shop for music', async () => {
      const db = await created(musicStore(kind))
      const tables =
        'performers,records,styles,songs,playlists,playlist_songs,employees,customers,order,order lines'
      const counts = await checkSchema(db, kind, { sales_by_country: ['country'] }, tables.split(','))
      expect(counts).toEqual({
        Performers: 3,
        Records: 3,
        Styles: 3,
        Songs: 5,
        Playlists: 2,
        Employees: 3,
        Customers: 3,
        Orders: 3,
        OrderLines: 4,
        SalesByCountries: 2,
      })
    })

    it('MUST be read, paged, filtered, sorted, expanded and written back: films to rent', async () => {
      const db = await created(filmRental[kind])
      const tables = 'languages,actors,films,film_actors,stores,inventory,select'
      const counts = await checkSchema(
        db,
        kind,
        { film_list: ['id'], ...(kind === 'postgres' ? { film_count: ['rating'] } : {}) },
        tables.split(','),
      )
      expect(counts).toMatchObject({
        Languages: 2,
        Actors: 3,
        Films: 3,
        Stores: 3,
        Inventories: 4,
        FilmLists: 3,
        Selects: 3,
      })
    })
  })
}
