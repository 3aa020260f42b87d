/** The entity container: entity sets, association sets and function imports. */
export const entityContainer = `
      <EntityContainer Name="NorthwindEntities" m:IsDefaultEntityContainer="true">
        <Documentation>
          <Summary>A wholesaler of food with invented goods, customers and orders.</Summary>
        </Documentation>
        <EntitySet Name="Categories" EntityType="NorthwindModel.Category" sap:label="Categories" />
        <EntitySet Name="Products" EntityType="NorthwindModel.Product" sap:label="Products" sap:content-version="1" />
        <EntitySet Name="Suppliers" EntityType="NorthwindModel.Supplier" sap:label="Suppliers" />
        <EntitySet Name="Customers" EntityType="NorthwindModel.Customer" sap:label="Customers" />
        <EntitySet Name="Orders" EntityType="NorthwindModel.Order" sap:label="Orders" />
        <EntitySet Name="Order_Details" EntityType="NorthwindModel.Order_Detail" sap:label="Order details" />
        <EntitySet Name="Employees" EntityType="NorthwindModel.Employee" sap:label="Employees" />
        <EntitySet Name="Territories" EntityType="NorthwindModel.Territory" sap:label="Territories" />
        <EntitySet Name="Contacts" EntityType="NorthwindModel.Party" sap:label="Contacts">
          <Documentation>
            <Summary>Parties, persons and companies in one set.</Summary>
          </Documentation>
        </EntitySet>
        <EntitySet Name="AllTypes" EntityType="NorthwindModel.SimpleValues" sap:label="All simple types" />
        <AssociationSet Name="Products_Category" Association="NorthwindModel.Product_Category">
          <End Role="Category" EntitySet="Categories" />
          <End Role="Products" EntitySet="Products" />
        </AssociationSet>
        <AssociationSet Name="Products_Supplier" Association="NorthwindModel.Product_Supplier">
          <End Role="Supplier" EntitySet="Suppliers" />
          <End Role="Products" EntitySet="Products" />
        </AssociationSet>
        <AssociationSet Name="Orders_Customer" Association="NorthwindModel.Order_Customer">
          <End Role="Customer" EntitySet="Customers" />
          <End Role="Orders" EntitySet="Orders" />
        </AssociationSet>
        <AssociationSet Name="Orders_Employee" Association="NorthwindModel.Order_Employee">
          <End Role="Employee" EntitySet="Employees" />
          <End Role="Orders" EntitySet="Orders" />
        </AssociationSet>
        <AssociationSet Name="OrderDetails_Order" Association="NorthwindModel.OrderDetail_Order">
          <End Role="Order" EntitySet="Orders" />
          <End Role="Order_Details" EntitySet="Order_Details" />
        </AssociationSet>
        <AssociationSet Name="OrderDetails_Product" Association="NorthwindModel.OrderDetail_Product">
          <End Role="Product" EntitySet="Products" />
          <End Role="Order_Details" EntitySet="Order_Details" />
        </AssociationSet>
        <AssociationSet Name="Employees_Manager" Association="NorthwindModel.Employee_Manager">
          <End Role="Manager" EntitySet="Employees" />
          <End Role="DirectReports" EntitySet="Employees" />
        </AssociationSet>
        <AssociationSet Name="Employees_Territories" Association="NorthwindModel.Employee_Territory">
          <End Role="Employees" EntitySet="Employees" />
          <End Role="Territories" EntitySet="Territories" />
        </AssociationSet>
        <AssociationSet Name="Contacts_Organisation" Association="NorthwindModel.Party_Organisation">
          <End Role="Organisation" EntitySet="Contacts" />
          <End Role="Members" EntitySet="Contacts" />
        </AssociationSet>
        <FunctionImport Name="ProductsBelowStock" EntitySet="Products" ReturnType="Collection(NorthwindModel.Product)"
          m:HttpMethod="GET" sap:label="Products that run out">
          <Documentation>
            <Summary>Products of which fewer than min units are in stock, and which still can be ordered.</Summary>
          </Documentation>
          <Parameter Name="min" Type="Edm.Int16" Mode="In" Nullable="false" />
        </FunctionImport>
        <FunctionImport Name="AveragePrice" ReturnType="Edm.Decimal" m:HttpMethod="GET">
          <Documentation>
            <Summary>Average price of the products of a category, or of all products.</Summary>
          </Documentation>
          <Parameter Name="categoryID" Type="Edm.Int32" Mode="In" />
        </FunctionImport>
        <FunctionImport Name="CustomerCountries" ReturnType="Collection(Edm.String)" m:HttpMethod="GET">
          <Documentation>
            <Summary>The countries that customers live in, each once.</Summary>
          </Documentation>
        </FunctionImport>
        <FunctionImport Name="LatestOrder" EntitySet="Orders" ReturnType="NorthwindModel.Order" m:HttpMethod="GET">
          <Documentation>
            <Summary>The latest order of a customer.</Summary>
          </Documentation>
          <Parameter Name="customerID" Type="Edm.String" Mode="In" MaxLength="5" Nullable="false" />
        </FunctionImport>
        <FunctionImport Name="RequestQuote" ReturnType="NorthwindModel.Quote" m:HttpMethod="POST">
          <Documentation>
            <Summary>What a number of units of a product would cost today.</Summary>
          </Documentation>
          <Parameter Name="productID" Type="Edm.Int32" Mode="In" Nullable="false" />
          <Parameter Name="quantity" Type="Edm.Int16" Mode="In" Nullable="false" />
        </FunctionImport>
      </EntityContainer>`
