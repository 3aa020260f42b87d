/** Associations with foreign keys as referential constraints. Rows contain the links of `Employee_Territory`. */
export const associations = `
      <Association Name="Product_Category">
        <Documentation>
          <Summary>The shelf of a product.</Summary>
        </Documentation>
        <End Role="Category" Type="NorthwindModel.Category" Multiplicity="0..1" />
        <End Role="Products" Type="NorthwindModel.Product" Multiplicity="*" />
        <ReferentialConstraint>
          <Principal Role="Category">
            <PropertyRef Name="CategoryID" />
          </Principal>
          <Dependent Role="Products">
            <PropertyRef Name="CategoryID" />
          </Dependent>
        </ReferentialConstraint>
      </Association>

      <Association Name="Product_Supplier">
        <End Role="Supplier" Type="NorthwindModel.Supplier" Multiplicity="0..1" />
        <End Role="Products" Type="NorthwindModel.Product" Multiplicity="*" />
        <ReferentialConstraint>
          <Principal Role="Supplier">
            <PropertyRef Name="SupplierID" />
          </Principal>
          <Dependent Role="Products">
            <PropertyRef Name="SupplierID" />
          </Dependent>
        </ReferentialConstraint>
      </Association>

      <Association Name="Order_Customer">
        <End Role="Customer" Type="NorthwindModel.Customer" Multiplicity="0..1" />
        <End Role="Orders" Type="NorthwindModel.Order" Multiplicity="*" />
        <ReferentialConstraint>
          <Principal Role="Customer">
            <PropertyRef Name="CustomerID" />
          </Principal>
          <Dependent Role="Orders">
            <PropertyRef Name="CustomerID" />
          </Dependent>
        </ReferentialConstraint>
      </Association>

      <Association Name="Order_Employee">
        <End Role="Employee" Type="NorthwindModel.Employee" Multiplicity="0..1" />
        <End Role="Orders" Type="NorthwindModel.Order" Multiplicity="*" />
        <ReferentialConstraint>
          <Principal Role="Employee">
            <PropertyRef Name="EmployeeID" />
          </Principal>
          <Dependent Role="Orders">
            <PropertyRef Name="EmployeeID" />
          </Dependent>
        </ReferentialConstraint>
      </Association>

      <Association Name="OrderDetail_Order">
        <End Role="Order" Type="NorthwindModel.Order" Multiplicity="1">
          <OnDelete Action="Cascade" />
        </End>
        <End Role="Order_Details" Type="NorthwindModel.Order_Detail" Multiplicity="*" />
        <ReferentialConstraint>
          <Principal Role="Order">
            <PropertyRef Name="OrderID" />
          </Principal>
          <Dependent Role="Order_Details">
            <PropertyRef Name="OrderID" />
          </Dependent>
        </ReferentialConstraint>
      </Association>

      <Association Name="OrderDetail_Product">
        <End Role="Product" Type="NorthwindModel.Product" Multiplicity="1" />
        <End Role="Order_Details" Type="NorthwindModel.Order_Detail" Multiplicity="*" />
        <ReferentialConstraint>
          <Principal Role="Product">
            <PropertyRef Name="ProductID" />
          </Principal>
          <Dependent Role="Order_Details">
            <PropertyRef Name="ProductID" />
          </Dependent>
        </ReferentialConstraint>
      </Association>

      <Association Name="Employee_Manager">
        <End Role="Manager" Type="NorthwindModel.Employee" Multiplicity="0..1" />
        <End Role="DirectReports" Type="NorthwindModel.Employee" Multiplicity="*" />
        <ReferentialConstraint>
          <Principal Role="Manager">
            <PropertyRef Name="EmployeeID" />
          </Principal>
          <Dependent Role="DirectReports">
            <PropertyRef Name="ReportsTo" />
          </Dependent>
        </ReferentialConstraint>
      </Association>

      <Association Name="Employee_Territory">
        <Documentation>
          <Summary>Who sells where; any number on both sides.</Summary>
        </Documentation>
        <End Role="Employees" Type="NorthwindModel.Employee" Multiplicity="*" />
        <End Role="Territories" Type="NorthwindModel.Territory" Multiplicity="*" />
      </Association>

      <Association Name="Party_Organisation">
        <End Role="Organisation" Type="NorthwindModel.Party" Multiplicity="0..1" />
        <End Role="Members" Type="NorthwindModel.Party" Multiplicity="*" />
        <ReferentialConstraint>
          <Principal Role="Organisation">
            <PropertyRef Name="PartyID" />
          </Principal>
          <Dependent Role="Members">
            <PropertyRef Name="OrganisationID" />
          </Dependent>
        </ReferentialConstraint>
      </Association>`
