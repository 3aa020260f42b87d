/** Products, categories and suppliers. `Product.Version` is the ETag. Categories and suppliers have feed mappings. */
export const catalogueTypes = `
      <EntityType Name="Category" sap:label="Category">
        <Documentation>
          <Summary>A shelf of the shop.</Summary>
          <LongDescription>Every product stands on one shelf at most; a few have not found theirs yet.</LongDescription>
        </Documentation>
        <Key>
          <PropertyRef Name="CategoryID" />
        </Key>
        <Property Name="CategoryID" Type="Edm.Int32" Nullable="false" annotation:StoreGeneratedPattern="Identity"
          sap:label="Category" />
        <Property Name="CategoryName" Type="Edm.String" Nullable="false" MaxLength="40" Unicode="true" FixedLength="false"
          sap:label="Name"
          m:FC_TargetPath="SyndicationTitle" m:FC_ContentKind="text" m:FC_KeepInContent="true" />
        <Property Name="Description" Type="Edm.String" Nullable="true" MaxLength="Max" Unicode="true" FixedLength="false"
          sap:label="Description"
          m:FC_TargetPath="SyndicationSummary" m:FC_ContentKind="text" m:FC_KeepInContent="true" />
        <Property Name="Picture" Type="Edm.Binary" Nullable="true" MaxLength="Max" FixedLength="false" m:MimeType="image/png"
          sap:label="Picture" sap:sortable="false" sap:filterable="false" />
        <NavigationProperty Name="Products" Relationship="NorthwindModel.Product_Category" FromRole="Category"
          ToRole="Products" />
      </EntityType>

      <EntityType Name="Product" sap:label="Product">
        <Documentation>
          <Summary>Something that can be ordered, unless it is discontinued.</Summary>
        </Documentation>
        <Key>
          <PropertyRef Name="ProductID" />
        </Key>
        <Property Name="ProductID" Type="Edm.Int32" Nullable="false" annotation:StoreGeneratedPattern="Identity"
          sap:label="Product" />
        <Property Name="ProductName" Type="Edm.String" Nullable="false" MaxLength="60" Unicode="true" FixedLength="false"
          sap:label="Name"
          m:FC_TargetPath="SyndicationTitle" m:FC_ContentKind="text" m:FC_KeepInContent="true" />
        <Property Name="SupplierID" Type="Edm.Int32" Nullable="true" sap:label="Supplier" />
        <Property Name="CategoryID" Type="Edm.Int32" Nullable="true" sap:label="Category" />
        <Property Name="QuantityPerUnit" Type="Edm.String" Nullable="true" MaxLength="30" Unicode="true"
          FixedLength="false" sap:label="Packing" />
        <Property Name="UnitPrice" Type="Edm.Decimal" Nullable="true" Precision="19" Scale="4" sap:label="Price">
          <Documentation>
            <Summary>Price of one unit of sale, before any discount.</Summary>
          </Documentation>
          <shop:Currency xmlns:shop="http://northwind.example/annotations" digits="2">EUR</shop:Currency>
        </Property>
        <Property Name="UnitsInStock" Type="Edm.Int16" Nullable="true" sap:label="In stock" />
        <Property Name="UnitsOnOrder" Type="Edm.Int16" Nullable="true" sap:label="On order" />
        <Property Name="ReorderLevel" Type="Edm.Int16" Nullable="true" sap:label="Reorder level" />
        <Property Name="Discontinued" Type="Edm.Boolean" Nullable="false" DefaultValue="false" sap:label="Discontinued" />
        <Property Name="Version" Type="Edm.Int32" Nullable="false" DefaultValue="1" ConcurrencyMode="Fixed"
          sap:label="Version" sap:creatable="false" sap:updatable="false">
          <Documentation>
            <Summary>The ETag of the product.</Summary>
          </Documentation>
        </Property>
        <NavigationProperty Name="Category" Relationship="NorthwindModel.Product_Category" FromRole="Products"
          ToRole="Category" />
        <NavigationProperty Name="Supplier" Relationship="NorthwindModel.Product_Supplier" FromRole="Products"
          ToRole="Supplier" />
        <NavigationProperty Name="Order_Details" Relationship="NorthwindModel.OrderDetail_Product" FromRole="Product"
          ToRole="Order_Details" />
      </EntityType>

      <EntityType Name="Supplier" sap:label="Supplier"
        m:FC_SourcePath="Address/Location/Latitude" m:FC_TargetPath="lat"
        m:FC_NsUri="http://www.w3.org/2003/01/geo/wgs84_pos#" m:FC_NsPrefix="geo" m:FC_KeepInContent="true"
        m:FC_SourcePath_1="Address/Location/Longitude" m:FC_TargetPath_1="long"
        m:FC_NsUri_1="http://www.w3.org/2003/01/geo/wgs84_pos#" m:FC_NsPrefix_1="geo" m:FC_KeepInContent_1="true">
        <Documentation>
          <Summary>Who makes what the shop sells.</Summary>
          <LongDescription>Feed readers that know the geo vocabulary can show suppliers on a map.</LongDescription>
        </Documentation>
        <Key>
          <PropertyRef Name="SupplierID" />
        </Key>
        <Property Name="SupplierID" Type="Edm.Int32" Nullable="false" annotation:StoreGeneratedPattern="Identity"
          sap:label="Supplier" />
        <Property Name="CompanyName" Type="Edm.String" Nullable="false" MaxLength="60" Unicode="true" FixedLength="false"
          sap:label="Company"
          m:FC_TargetPath="SyndicationTitle" m:FC_ContentKind="text" m:FC_KeepInContent="true" />
        <Property Name="ContactName" Type="Edm.String" Nullable="true" MaxLength="40" Unicode="true" FixedLength="false"
          sap:label="Contact" />
        <Property Name="Address" Type="NorthwindModel.Address" Nullable="false" />
        <Property Name="Phone" Type="Edm.String" Nullable="true" MaxLength="24" Unicode="false" FixedLength="false"
          sap:label="Phone" sap:semantics="tel" />
        <Property Name="HomePage" Type="Edm.String" Nullable="true" MaxLength="Max" Unicode="true" FixedLength="false"
          sap:label="Home page" sap:semantics="url" />
        <NavigationProperty Name="Products" Relationship="NorthwindModel.Product_Supplier" FromRole="Supplier"
          ToRole="Products" />
      </EntityType>

      <ComplexType Name="Address">
        <Documentation>
          <Summary>Where mail and goods go.</Summary>
        </Documentation>
        <Property Name="Street" Type="Edm.String" Nullable="true" MaxLength="60" Unicode="true" FixedLength="false"
          sap:label="Street" sap:semantics="street" />
        <Property Name="City" Type="Edm.String" Nullable="true" MaxLength="30" Unicode="true" FixedLength="false"
          sap:label="City" sap:semantics="city" />
        <Property Name="Region" Type="Edm.String" Nullable="true" MaxLength="30" Unicode="true" FixedLength="false"
          sap:label="Region" sap:semantics="region" />
        <Property Name="PostalCode" Type="Edm.String" Nullable="true" MaxLength="10" Unicode="true" FixedLength="false"
          sap:label="Postal code" sap:semantics="zip" />
        <Property Name="Country" Type="Edm.String" Nullable="true" MaxLength="30" Unicode="true" FixedLength="false"
          sap:label="Country" sap:semantics="country" />
        <Property Name="Location" Type="NorthwindModel.GeoPoint" Nullable="false" />
      </ComplexType>

      <ComplexType Name="GeoPoint">
        <Documentation>
          <Summary>Degrees of latitude and longitude, rounded to the city.</Summary>
        </Documentation>
        <Property Name="Latitude" Type="Edm.Double" Nullable="true" sap:label="Latitude" sap:semantics="geo-lat" />
        <Property Name="Longitude" Type="Edm.Double" Nullable="true" sap:label="Longitude" sap:semantics="geo-lon" />
      </ComplexType>`
