import type { EdmModel } from '../../edm/edm-model.js'
import { escapeText } from '../../xml/escape-xml.js'

/** A file by which another program connects to the service. */
export interface ConnectionFile {
  readonly fileName: string
  readonly contentType: string
  readonly text: string
}

/**
 * The file that an address names: `service.odc`, `service.pbids`, `sets/Products.odc`, `sets/Products.pbids`.
 *
 * @param segments what stands behind `$explorer`
 * @param root address of the service as other programs know it
 * @returns undefined when there is no such file
 */
export function connectionFile(
  segments: readonly string[],
  model: EdmModel,
  root: string,
): ConnectionFile | undefined {
  const match = /^(?:service|sets\/([^/]+))\.(odc|pbids)$/.exec(segments.join('/'))
  if (match === null) return undefined
  const [, path, kind] = match
  const sets = model.entityContainers.flatMap(({ entitySets }) => entitySets.map((set) => set.path))
  if (path !== undefined && !sets.includes(path)) return undefined
  const name = path ?? model.entityContainers.find(({ isDefault }) => isDefault)?.name ?? 'service'
  if (kind === 'odc') {
    const text = officeDataConnection(name, root, path === undefined ? sets : [path])
    return { fileName: `${name}.odc`, contentType: 'text/x-ms-odc;charset=utf-8', text }
  }
  const address = path === undefined ? root : `${root}${encodeURIComponent(path)}`
  return { fileName: `${name}.pbids`, contentType: 'application/json', text: powerBiSource(address) }
}

/**
 * A connection of Excel: a data feed, of which the named sets are read.
 *
 * @spec MS-ODCFF 2.2.1 (CT_Connection), 2.1.2 (TableCollection)
 */
function officeDataConnection(name: string, root: string, sets: readonly string[]): string {
  const connection = [
    `Data Source=${connectionValue(root)}`,
    'Namespaces to Include=*',
    'Max Received Message Size=4398046511104',
    'Keep Alive=true',
    'Persist Security Info=false',
    `Service Document Url=${connectionValue(root)}`,
  ].join(';')
  const tables = sets.map((set) => `"${set}"`).join(',')
  return `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns="http://www.w3.org/TR/REC-html40">
<head>
<meta http-equiv=Content-Type content="text/x-ms-odc; charset=utf-8">
<meta name=ProgId content=ODC.TableCollection>
<meta name=SourceType content=DATAFEED>
<title>${escapeText(name)}</title>
<xml id=docprops><o:DocumentProperties xmlns:o="urn:schemas-microsoft-com:office:office" xmlns="http://www.w3.org/TR/REC-html40">
<o:Name>${escapeText(name)}</o:Name>
</o:DocumentProperties></xml>
<xml id=msodc><odc:OfficeDataConnection xmlns:odc="urn:schemas-microsoft-com:office:odc" xmlns="http://www.w3.org/TR/REC-html40">
<odc:Connection odc:Type="DATAFEED">
<odc:ConnectionString>${escapeText(connection)}</odc:ConnectionString>
<odc:CommandType>TableCollection</odc:CommandType>
<odc:CommandText>${escapeText(tables)}</odc:CommandText>
</odc:Connection>
</odc:OfficeDataConnection></xml>
</head>
</html>
`
}

/** A semicolon would end the value. */
function connectionValue(text: string): string {
  return /[;='"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A data source of Power BI Desktop. */
function powerBiSource(url: string): string {
  const connections = [{ details: { protocol: 'odata', address: { url } } }]
  return `${JSON.stringify({ version: '0.1', connections }, undefined, 2)}\n`
}
