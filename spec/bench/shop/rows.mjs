/** The rows of the shop, equal in every database and in memory. */
export const productCount = 10_000
const perCategory = 100
const day = 86_400_000

const nouns = [
  'Gehäuse',
  'Bremsscheibe',
  'Café-Tisch',
  "Driver's seat",
  'Schlauch',
  'Tür & Zarge',
  'Monitor 27"',
]

/** Text as users type it: quotation marks, apostrophes, umlauts, markup and line breaks, sometimes beyond Latin-1. */
const descriptions = [
  (id) =>
    `Für Regale der Serie "Nordwand ${id}", links & rechts.\nLieferumfang: 4 Schrauben M6, 1 Schlüssel.`,
  (id) => `<p>It's the successor of <b>no. ${id - 1}</b>: "quieter, lighter & cheaper".</p>`,
  (id) =>
    `Paßt laut Käufer ${id} “einwandfrei” – auch zu älteren Geräten.\r\nPreis ohne USt., 1 Stück = 3 €.`,
  (id) =>
    `Spare part ${id} for the 19" rack of series C:\\Lab\\${id % 90}; fits the former models, too. Please order in pairs.`,
  () => 'Naturbelassen.',
]

/** A product as a database stores it. Every column that may be null is null in some rows. */
export function product(id) {
  const released = new Date(Date.UTC(2020, 0, 1) + (id % 1000) * day + id)
  return {
    ID: id,
    Name: `${nouns[id % nouns.length]} ${(id * 7919) % productCount}`,
    Description: id % 11 === 0 ? null : descriptions[id % descriptions.length](id),
    Price: (((id * 37) % 9000) + 99) / 100,
    Stock: id * 1_000_003,
    CategoryID: Math.ceil(id / perCategory),
    Weight: id % 9 === 0 ? null : id / 8,
    Active: id % 3 > 0 ? 1 : 0,
    Released: id % 13 === 0 ? null : released.toISOString().slice(0, 23),
    Code: id % 17 === 0 ? null : `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  }
}

export const productColumns = Object.keys(product(1))

export const categories = (products = productCount) =>
  Array.from({ length: products / perCategory }, (_, index) => ({
    ID: index + 1,
    Name: `Category ${index + 1}`,
  }))

/** A row of a database as providers give it: what has a type of its own in OData gets it. */
export function providerRow(row) {
  return {
    ID: row.ID,
    Name: row.Name,
    Description: row.Description,
    Price: row.Price,
    Stock: row.Stock,
    CategoryID: row.CategoryID,
    Weight: row.Weight,
    Active: row.Active === 1,
    Released: row.Released,
    Code: row.Code,
  }
}
