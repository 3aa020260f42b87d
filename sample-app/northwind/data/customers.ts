import type { City } from './places.js'
import { addressOf, phoneIn } from './places.js'
import { createRandom } from './random.js'

const random = createRandom(60)
const positions = ['Owner', 'Purchasing', 'Head Chef', 'Accounting', 'Assistant', null] as const

type Firm = readonly [id: string, company: string, contact: string | null, street: string, city: City]

/** The first keys contain characters with a special meaning in URLs or literals. */
const firms: readonly Firm[] = [
  ["O'NEI", "O'Neill's Larder", 'Sinéad O’Neill', '3 Quay Street', 'Galway'],
  ['M/S H', 'M/S Havet, Galley', 'Jonas Refsgaard', 'Pier 2', 'Aarhus'],
  ['50%UP', 'Fifty Per Cent Up', 'Dinah Marsh', '19 Goodramgate', 'York'],
  ['TE+KA', 'Te+Kaka', 'Freja Lindahl', 'Vasagatan 44', 'Göteborg'],
  ['ÆBLE', 'Æblehaven', 'Karen Ravn', 'Åboulevarden 70', 'Aarhus'],
  ['Q&A', 'Quiche & Apfelwein', 'Uwe Seitz', 'Severinstraße 101', 'Köln'],
  ['ALDER', 'Alder & Ash', 'Priya Nair', '5 Micklegate', 'York'],
  ['AMSEL', 'Gasthaus zur Amsel', 'Vroni Lechner', 'Hans-Sachs-Straße 8', 'München'],
  ['BACAL', 'Casa do Bacalhau', 'Filipa Moura', 'Rua de Cedofeita 230', 'Porto'],
  ['BIGBA', 'Big Basket', 'Kwame Asante', '2 Ring Road East', 'Accra'],
  ['BISTR', 'Bistrot des Quais', 'Océane Lafitte', '61, quai de Bacalan', 'Bordeaux'],
  ['BLEUE', 'L’Heure bleue', null, '14, rue Sainte-Anne', 'Québec'],
  ['BODEG', 'Bodega Triana', 'Curro Montes', 'Calle Betis 21', 'Sevilla'],
  ['BRYGG', 'Bryggerloftet', 'Tone Haugland', 'Bryggen 33', 'Bergen'],
  ['CANTI', 'Cantina Aurora', 'Lupita Saldaña', 'Calle Hidalgo 77', 'León de los Aldama'],
  ['CHILE', 'Green Chile Kitchen', 'Marisol Baca', '410 Guadalupe Street', 'Santa Fe'],
  ['CLOCK', 'Clock Tower Deli', 'Owen Hartigan', '95 North Main Street', 'Cork'],
  ['CORVO', 'Il Corvo', 'Elena Vandelli', 'Via Taglio 19', 'Modena'],
  ['DAFFO', 'Daffodil Tearoom', 'Megan Birch', '28 Petergate', 'York'],
  ['DOMSP', 'Domspatz', 'Ralf Kessenich', 'Domkloster 4', 'Köln'],
  ['DVORE', 'Dvorek', 'Hana Ryšavá', 'Dvořákova 6', 'Brno'],
  ['EMPOR', 'Empório Araucária', 'Beatriz Kowalski', 'Rua Itupava 1200', 'Curitiba'],
  ['FINNB', 'Finnbarr Grocers', 'Niamh Crowley', '7 Cornmarket Street', 'Cork'],
  ['FJELL', 'Fjellstua', 'Sigrid Moen', 'Fløyfjellet 1', 'Bergen'],
  ['FRITZ', 'Fritzes Eck', null, 'Baaderstraße 51', 'München'],
  ['GAMLA', 'Gamla Saluhallen', 'Elsa Hermansson', 'Kungstorget 2', 'Göteborg'],
  ['GULLS', 'Three Gulls', 'Abby Thibodeau', '230 Fore Street', 'Portland, Maine'],
  ['HARBO', 'Harbourmaster’s Table', 'Colin MacIsaac', '1869 Upper Water Street', 'Halifax'],
  ['HERBS', 'Herbs & Hooks', 'Judith Pybus', '11 Fossgate', 'York'],
  ['ISLA', 'Isla Mayor', 'Macarena Rueda', 'Calle Sierpes 9', 'Sevilla'],
  ['JUNIP', 'Juniper Room', 'Dale Ortiz', '60 East San Francisco Street', 'Santa Fe'],
  ['KAHVI', 'Kahvila Pyynikki', 'Eero Salonen', 'Näkötornintie 20', 'Tampere'],
  ['KARCZ', 'Karczma pod Wawelem', 'Zofia Nowak', 'ulica Grodzka 52', 'Kraków'],
  ['KIOSK', 'Kiosk 24', 'Cem Yıldız', 'Zülpicher Straße 190', 'Köln'],
  ['KONBI', 'Konbini Hirome', 'Sora Takechi', 'Obiyamachi 2-3-1', 'Kōchi'],
  ['LAKES', 'Two Lakes Lodge', 'Veikko Rinne', 'Satamakatu 3', 'Tampere'],
  ['LIBRA', 'Libra Wholefoods', 'Rhona Fitch', '44 Elizabeth Street', 'Hobart'],
  ['MAISO', 'Maison Tremblay', 'Josée Tremblay', '80, côte de la Montagne', 'Québec'],
  ['MERCA', 'Mercado da Ribeira', 'Nuno Teles', 'Cais da Ribeira 40', 'Porto'],
  ['MOLEN', 'Molen Pantry', 'Tessa Vaughan', '120 Macquarie Street', 'Hobart'],
  ['NAUTI', 'Nautilus Chandlers', 'Reid Pinkham', '15 Custom House Wharf', 'Portland, Maine'],
  ['NORDE', 'Norden Delikatesser', 'Lars Ekeberg', 'Storgata 95', 'Tromsø'],
  ['OSTER', 'Osteria del Pozzo', 'Marco Cavani', 'Piazza Grande 3', 'Modena'],
  ['PALAC', 'Palác Jídel', 'Tomáš Kubíček', 'Masarykova 22', 'Brno'],
  ['PETIT', 'Le Petit Marché', 'Antoine Barreau', '12, cours Victor-Hugo', 'Bordeaux'],
  ['PIERO', 'Pierogarnia Kazimierz', 'Marek Zając', 'ulica Józefa 17', 'Kraków'],
  ['POLAR', 'Polarkost', 'Ragnhild Eira', 'Sjøgata 14', 'Tromsø'],
  ['QUAYS', 'Quays Provisions', 'Declan Mannion', '8 Dominick Street', 'Galway'],
  ['RIVER', 'Riverside Co-op', 'Grace Addo', '31 Castle Road', 'Accra'],
  ['SAKUR', 'Sakura Shokudō', 'Yui Nagano', 'Harimayachō 3-11', 'Kōchi'],
  ['SALTY', 'Salty Dog Diner', 'Wes Comeau', '5160 Duke Street', 'Halifax'],
  ['SEMEN', 'Sementeira', 'Caio Ferraz', 'Rua Riachuelo 85', 'Curitiba'],
  ['SKAGE', 'Skagerrak Mad', 'Birthe Holm', 'Mejlgade 12', 'Aarhus'],
  ['STERN', 'Stern-Apotheke, Teeladen', 'Dr. Ilse Roth', 'Rosenheimer Platz 1', 'München'],
  ['TASSI', 'Tassie Hampers', 'Noel Grubb', '9 Battery Point', 'Hobart'],
  ['TORTI', 'Tortillería La Güera', 'Ximena Robles', 'Calle Pino Suárez 5', 'León de los Aldama'],
  ['ULLEV', 'Ullevi Kiosk', null, 'Skånegatan 1', 'Göteborg'],
  ['VELHA', 'Velha Guarda', 'Inês Abreu', 'Largo do Terreiro 6', 'Porto'],
  ['WHALE', 'The Whale’s Back', 'Orla Keane', '2 Spanish Parade', 'Galway'],
  ['ZOCAL', 'Zócalo Grill', 'Efraín Lozano', '33 Plaza Principal', 'León de los Aldama'],
]

/** The rows of Customers. */
export const customers = firms.map(([CustomerID, CompanyName, ContactName, street, city]) => ({
  CustomerID,
  CompanyName,
  ContactName,
  ContactTitle: ContactName === null ? null : random.oneOf(positions),
  Address: addressOf(street, city),
  Phone: random.chance(90) ? phoneIn(city, random) : null,
}))
