/** The rows of the shop, equal in every database and in memory. */
export const productCount = 10_000
const perCategory = 100
const day = 86_400_000

/** A product as a database keeps it. */
export function product(id) {
  return {
    ID: id,
    Name: `Product ${(id * 7919) % productCount}`,
    Description: `What there is to say about product ${id}, in a sentence or two of plain text.`,
    Price: (id % 90) + 0.5,
    Stock: id * 1_000_003,
    CategoryID: Math.ceil(id / perCategory),
    Weight: id / 8,
    Active: id % 3 > 0 ? 1 : 0,
    Released: new Date(Date.UTC(2020, 0, 1) + (id % 1000) * day + id).toISOString().slice(0, 23),
    Code: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
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
