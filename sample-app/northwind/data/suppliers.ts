import type { City } from './places.js'
import { addressOf, phoneIn } from './places.js'
import { createRandom } from './random.js'

const random = createRandom(29)

const firms: readonly (readonly [company: string, contact: string | null, street: string, city: City])[] = [
  ['Kaffehuset Nordlys', 'Ingrid Solbakken', 'Storgata 12', 'Tromsø'],
  ['Teekontor Rheinblick', 'Jürgen Achterberg', 'Am Leystapel 3', 'Köln'],
  ['Moutarderie du Port', 'Hélène Castaing', '8, quai des Chartrons', 'Bordeaux'],
  ["O'Sullivan & Daughters", 'Aoife O’Sullivan', '41 Shop Street', 'Galway'],
  ['Acetaia Fratelli Bellei', 'Tommaso Bellei', 'Via Emilia Centro 210', 'Modena'],
  ['Zuckerbäckerei Huber', 'Resi Huber', 'Sendlinger Straße 27', 'München'],
  ['Brunbergs Konfektyr', 'Kalle Brunberg', 'Haga Nygata 9', 'Göteborg'],
  ['Marzipanka', 'Bożena Wilk', 'ulica Floriańska 33', 'Kraków'],
  ['Queijaria Serra Alta', 'Duarte Fontes', 'Rua das Flores 115', 'Porto'],
  ['Ostebua', null, 'Skostredet 4', 'Bergen'],
  ['Wensley Vale Dairy', 'Harriet Applegarth', '6 Stonegate', 'York'],
  ['Leipomo Kanerva', 'Aino Kanerva', 'Hämeenkatu 18', 'Tampere'],
  ['Pastificio Due Torri', 'Giulia Ferrarini', 'Corso Duomo 5', 'Modena'],
  ['Udon no Mori', 'Haruka Mizuno', 'Obiyamachi 2-1-7', 'Kōchi'],
  ['Jamones El Tomillar', 'Rocío Barragán', 'Calle Feria 60', 'Sevilla'],
  ['Uzeniny Pod Hradem', 'Vojtěch Malina', 'Pekařská 14', 'Brno'],
  ['Bluebird Pemmican Co.', 'Sam Yellowhorse', '77 Canyon Road', 'Santa Fe'],
  ['Quinta do Vale Verde', 'Leonor Pacheco', 'Travessa da Fonte 2', 'Porto'],
  ['Huon Orchards', 'Bruce Tilley', '150 Salamanca Place', 'Hobart'],
  ['Ananas & Co', 'Akosua Mensah', '14 Oxford Street', 'Accra'],
  ['Érablière du Cap', 'Luc Gagnon', '23, rue Saint-Paul', 'Québec'],
  ['Fundy Lobster Pound', 'Marjorie Doucette', '1 Lower Water Street', 'Halifax'],
  ['Casco Bay Sardines', 'Ezra Littlefield', '88 Commercial Street', 'Portland, Maine'],
  ['Fiskeriet Havfruen', 'Mads Kjærgaard', 'Fiskergade 31', 'Aarhus'],
  ['Katsuo-ya', 'Kenji Okabayashi', 'Harimayachō 1-5', 'Kōchi'],
  ['Cervejaria Pinhão', 'Thiago Bittencourt', 'Rua XV de Novembro 900', 'Curitiba'],
  ['Salsas Doña Chayo', 'Rosario Villaseñor', 'Calle Madero 412', 'León de los Aldama'],
  ['Lee Valley Stout', 'Cormac Twomey', '12 Oliver Plunkett Street', 'Cork'],
  ['Kråkerøy Salt', 'Nils Aune', 'Bryggen 7', 'Bergen'],
]

/** The rows of Suppliers. */
export const suppliers = firms.map(([CompanyName, ContactName, street, city], index) => ({
  SupplierID: index + 1,
  CompanyName,
  ContactName,
  Address: addressOf(street, city),
  Phone: phoneIn(city, random),
  HomePage: index % 3 === 0 ? `http://supplier-${index + 1}.northwind.example/?lang=en&from=shop` : null,
}))
