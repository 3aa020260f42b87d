/** The lines of a hand-coded CSV file of products. */
const quote = (text) => {
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[,"\r\n]|^ | $/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvHeader =
  '\uFEFFID,"Name","Description","Price","Stock","CategoryID","Weight","Active","Released","Code"\r\n'

/** @param cells in the order of the columns */
export const csvLine = ([id, name, description, price, stock, category, weight, active, released, code]) =>
  `${id},${quote(name)},${description === null ? '' : quote(description)},${price.toFixed(2)},${stock},${category},` +
  `${weight ?? ''},${active === 1},${released === null ? '' : released.replace('T', ' ')},${code ?? ''}\r\n`
