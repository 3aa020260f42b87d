const csdl2 = 'http://schemas.microsoft.com/ado/2008/09/edm'

/** A metadata document around the content of one schema with the namespace `S`. */
export function edmxAround(content: string, xmlNamespace = csdl2): string {
  return edmxOf(`<Schema Namespace="S" xmlns="${xmlNamespace}">${content}</Schema>`)
}

/** A metadata document around schemas, with the prefixes `m`, `sap` and `a` (StoreGeneratedPattern) declared. */
export function edmxOf(schemas: string, attributes = 'm:DataServiceVersion="2.0"'): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"><edmx:DataServices ${attributes}
  xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
  xmlns:a="http://schemas.microsoft.com/ado/2009/02/edm/annotation"
  xmlns:sap="http://www.sap.com/Protocols/SAPData">${schemas}</edmx:DataServices></edmx:Edmx>`
}

/** An entity type `T` with the key `ID`, and whatever else is given. */
export function entityTypeT(content = '', attributes = ''): string {
  return `<EntityType Name="T" ${attributes}><Key><PropertyRef Name="ID"/></Key>
    <Property Name="ID" Type="Edm.Int32" Nullable="false"/>${content}</EntityType>`
}

/** The default container with the set `Ts`, and whatever else is given. */
export function container(content = ''): string {
  return `<EntityContainer Name="C" m:IsDefaultEntityContainer="true"><EntitySet Name="Ts" EntityType="S.T"/>${content}</EntityContainer>`
}
