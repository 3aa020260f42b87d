import type { Provider, Row, ServiceOptions } from '../../lib/index.js'
import { memoryProvider, odataV2, readEdmx } from '../../lib/index.js'

/** Products with a label, a complex property and a related entity, for specs of exports. */
export const shopModel = readEdmx(`<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
  <edmx:DataServices xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" m:DataServiceVersion="2.0">
    <Schema Namespace="Shop" xmlns="http://schemas.microsoft.com/ado/2008/09/edm" xmlns:sap="http://www.sap.com/Protocols/SAPData">
      <EntityType Name="Product">
        <Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String" sap:label="Product"/>
        <Property Name="Price" Type="Edm.Decimal" Precision="9" Scale="2"/>
        <Property Name="Size" Type="Shop.Size" Nullable="false" sap:label="Dimensions"/>
        <Property Name="CategoryID" Type="Edm.Int32"/>
        <NavigationProperty Name="Category" Relationship="Shop.InCategory" FromRole="Product" ToRole="Category"/>
      </EntityType>
      <EntityType Name="Book" BaseType="Shop.Product">
        <Property Name="Pages" Type="Edm.Int32" sap:label="Number of pages"/>
      </EntityType>
      <EntityType Name="Category">
        <Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String"/>
        <NavigationProperty Name="Products" Relationship="Shop.InCategory" FromRole="Category" ToRole="Product"/>
      </EntityType>
      <EntityType Name="Everything">
        <Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="String" Type="Edm.String"/>
        <Property Name="Guid" Type="Edm.Guid"/>
        <Property Name="Binary" Type="Edm.Binary"/>
        <Property Name="Boolean" Type="Edm.Boolean"/>
        <Property Name="Byte" Type="Edm.Byte"/>
        <Property Name="SByte" Type="Edm.SByte"/>
        <Property Name="Int16" Type="Edm.Int16"/>
        <Property Name="Int64" Type="Edm.Int64"/>
        <Property Name="Decimal" Type="Edm.Decimal" Precision="30" Scale="3"/>
        <Property Name="Double" Type="Edm.Double"/>
        <Property Name="Single" Type="Edm.Single"/>
        <Property Name="DateTime" Type="Edm.DateTime"/>
        <Property Name="Day" Type="Edm.DateTime" sap:display-format="Date"/>
        <Property Name="DateTimeOffset" Type="Edm.DateTimeOffset"/>
        <Property Name="Time" Type="Edm.Time"/>
      </EntityType>
      <ComplexType Name="Size">
        <Property Name="Width" Type="Edm.Double" sap:label="Width in cm"/>
        <Property Name="Unit" Type="Edm.String"/>
      </ComplexType>
      <Association Name="InCategory">
        <End Role="Product" Type="Shop.Product" Multiplicity="*"/>
        <End Role="Category" Type="Shop.Category" Multiplicity="0..1"/>
        <ReferentialConstraint>
          <Principal Role="Category"><PropertyRef Name="ID"/></Principal>
          <Dependent Role="Product"><PropertyRef Name="CategoryID"/></Dependent>
        </ReferentialConstraint>
      </Association>
      <EntityContainer Name="Container" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Products" EntityType="Shop.Product"/>
        <EntitySet Name="Categories" EntityType="Shop.Category"/>
        <EntitySet Name="Everything" EntityType="Shop.Everything"/>
        <AssociationSet Name="ProductsInCategory" Association="Shop.InCategory">
          <End Role="Product" EntitySet="Products"/>
          <End Role="Category" EntitySet="Categories"/>
        </AssociationSet>
        <FunctionImport Name="Cheapest" ReturnType="Collection(Shop.Product)" EntitySet="Products" m:HttpMethod="GET"/>
        <FunctionImport Name="Names" ReturnType="Collection(Edm.String)" m:HttpMethod="GET"/>
      </EntityContainer>
    </Schema>
  </edmx:DataServices>
</edmx:Edmx>`)

const size = { Width: 1.5, Unit: 'cm' }

export const products: readonly Row[] = [
  { ID: 1, Name: 'Gouda', Price: '12.5', Size: size, CategoryID: 7 },
  { ID: 2, Name: '=1+1', Price: null, Size: size, CategoryID: null },
  { $type: 'Shop.Book', ID: 3, Name: 'Recipes', Price: '8', Size: size, CategoryID: 7, Pages: 120 },
]

/** @param everything rows of the set `Everything` */
export function shopProvider(everything: readonly Row[] = []): Provider {
  const rows = { Products: products, Categories: [{ ID: 7, Name: 'Cheese' }], Everything: everything }
  const { entitySets } = memoryProvider(shopModel, rows)
  return { entitySets, functions: { Cheapest: () => products.slice(1), Names: () => ['a'] } }
}

/** A service with exports. */
export function exportShop(
  options: ServiceOptions = {},
  everything: readonly Row[] = [],
): ReturnType<typeof odataV2> {
  return odataV2(shopModel, shopProvider(everything), { exports: true, ...options })
}
