/** Customers, orders and order details, which have a compound key. */
export const salesTypes = `
      <EntityType Name="Customer" sap:label="Customer">
        <Documentation>
          <Summary>A shop or a restaurant that orders.</Summary>
          <LongDescription>Keys are short texts, some with signs that must be encoded in addresses.</LongDescription>
        </Documentation>
        <Key>
          <PropertyRef Name="CustomerID" />
        </Key>
        <Property Name="CustomerID" Type="Edm.String" Nullable="false" MaxLength="5" Unicode="true" FixedLength="false"
          sap:label="Customer" sap:text="CompanyName" />
        <Property Name="CompanyName" Type="Edm.String" Nullable="false" MaxLength="60" Unicode="true" FixedLength="false"
          sap:label="Company"
          m:FC_TargetPath="SyndicationTitle" m:FC_ContentKind="text" m:FC_KeepInContent="true" />
        <Property Name="ContactName" Type="Edm.String" Nullable="true" MaxLength="40" Unicode="true" FixedLength="false"
          sap:label="Contact" />
        <Property Name="ContactTitle" Type="Edm.String" Nullable="true" MaxLength="40" Unicode="true" FixedLength="false"
          sap:label="Position" />
        <Property Name="Address" Type="NorthwindModel.Address" Nullable="false" />
        <Property Name="Phone" Type="Edm.String" Nullable="true" MaxLength="24" Unicode="false" FixedLength="false"
          sap:label="Phone" sap:semantics="tel" />
        <NavigationProperty Name="Orders" Relationship="NorthwindModel.Order_Customer" FromRole="Customer" ToRole="Orders" />
      </EntityType>

      <EntityType Name="Order" sap:label="Order">
        <Documentation>
          <Summary>What a customer wants, until when, and where to.</Summary>
        </Documentation>
        <Key>
          <PropertyRef Name="OrderID" />
        </Key>
        <Property Name="OrderID" Type="Edm.Int32" Nullable="false" annotation:StoreGeneratedPattern="Identity"
          sap:label="Order" />
        <Property Name="CustomerID" Type="Edm.String" Nullable="true" MaxLength="5" Unicode="true" FixedLength="false"
          sap:label="Customer">
          <Documentation>
            <Summary>Nothing for a sale over the counter.</Summary>
          </Documentation>
        </Property>
        <Property Name="EmployeeID" Type="Edm.Int32" Nullable="true" sap:label="Employee" />
        <Property Name="OrderDate" Type="Edm.DateTime" Nullable="true" Precision="3" sap:label="Ordered" />
        <Property Name="RequiredDate" Type="Edm.DateTime" Nullable="true" Precision="3" sap:label="Required"
          sap:display-format="Date" />
        <Property Name="ShippedDate" Type="Edm.DateTime" Nullable="true" Precision="3" sap:label="Shipped" />
        <Property Name="Freight" Type="Edm.Decimal" Nullable="true" Precision="19" Scale="4" sap:label="Freight" />
        <Property Name="ShipName" Type="Edm.String" Nullable="true" MaxLength="60" Unicode="true" FixedLength="false"
          sap:label="Ship to" />
        <Property Name="ShipAddress" Type="NorthwindModel.Address" Nullable="false" />
        <NavigationProperty Name="Customer" Relationship="NorthwindModel.Order_Customer" FromRole="Orders"
          ToRole="Customer" />
        <NavigationProperty Name="Employee" Relationship="NorthwindModel.Order_Employee" FromRole="Orders"
          ToRole="Employee" />
        <NavigationProperty Name="Order_Details" Relationship="NorthwindModel.OrderDetail_Order" FromRole="Order"
          ToRole="Order_Details" />
      </EntityType>

      <EntityType Name="Order_Detail" sap:label="Order detail">
        <Documentation>
          <Summary>One line of an order.</Summary>
        </Documentation>
        <Key>
          <PropertyRef Name="OrderID" />
          <PropertyRef Name="ProductID" />
        </Key>
        <Property Name="OrderID" Type="Edm.Int32" Nullable="false" sap:label="Order" />
        <Property Name="ProductID" Type="Edm.Int32" Nullable="false" sap:label="Product" />
        <Property Name="UnitPrice" Type="Edm.Decimal" Nullable="false" Precision="19" Scale="4" sap:label="Price" />
        <Property Name="Quantity" Type="Edm.Int16" Nullable="false" DefaultValue="1" sap:label="Quantity" />
        <Property Name="Discount" Type="Edm.Single" Nullable="false" DefaultValue="0" sap:label="Discount" />
        <NavigationProperty Name="Order" Relationship="NorthwindModel.OrderDetail_Order" FromRole="Order_Details"
          ToRole="Order" />
        <NavigationProperty Name="Product" Relationship="NorthwindModel.OrderDetail_Product" FromRole="Order_Details"
          ToRole="Product" />
      </EntityType>

      <ComplexType Name="Quote">
        <Documentation>
          <Summary>What a number of units of a product would cost; the answer of RequestQuote.</Summary>
        </Documentation>
        <Property Name="ProductID" Type="Edm.Int32" Nullable="false" />
        <Property Name="Quantity" Type="Edm.Int16" Nullable="false" />
        <Property Name="UnitPrice" Type="Edm.Decimal" Nullable="false" Precision="19" Scale="4" />
        <Property Name="Discount" Type="Edm.Single" Nullable="false" />
        <Property Name="Total" Type="Edm.Decimal" Nullable="false" Precision="19" Scale="4" />
      </ComplexType>`
