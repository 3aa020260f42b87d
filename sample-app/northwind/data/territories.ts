const names: readonly (readonly [id: string, description: string])[] = [
  ['AU-TAS', 'Tasmania'],
  ['BR-PR', 'Paraná'],
  ['CA-NS', 'Nova Scotia'],
  ['CA-QC', 'Québec'],
  ['CZ-64', 'Jihomoravský kraj'],
  ['DE-BY', 'Bayern'],
  ['DE-NW', 'Nordrhein-Westfalen'],
  ['ES-SE', 'Sevilla'],
  ['FR-33', 'Gironde'],
  ['GB-YOR', 'North Yorkshire'],
  ['GH-AA', 'Greater Accra'],
  ['IE-CO', 'County Cork'],
  ['IE-G', 'County Galway'],
  ['IT-MO', 'Modena'],
  ['JP-39', '高知県'],
  ['NO-46', 'Vestland'],
  ['NO-55', 'Troms'],
  ['PL-12', 'Małopolska'],
  ['PT-13', 'Porto'],
  ['US-ME', 'Maine'],
]

/** The rows of Territories. The rows of employees contain the links. CZ-64 has no employee. */
export const territories = names.map(([TerritoryID, TerritoryDescription]) => ({
  TerritoryID,
  TerritoryDescription,
}))
