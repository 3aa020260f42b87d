/**
 * Employees are media link entries with photos, and most of their properties have feed mappings. Parties demonstrate
 * inheritance: the entity set `Contacts` contains entities of three types.
 */
export const peopleTypes = `
      <EntityType Name="Employee" m:HasStream="true" sap:label="Employee">
        <Documentation>
          <Summary>Somebody who sells, with a photo as media resource.</Summary>
        </Documentation>
        <Key>
          <PropertyRef Name="EmployeeID" />
        </Key>
        <Property Name="EmployeeID" Type="Edm.Int32" Nullable="false" annotation:StoreGeneratedPattern="Identity"
          sap:label="Employee" sap:text="FullName" />
        <Property Name="FirstName" Type="Edm.String" Nullable="false" MaxLength="20" Unicode="true" FixedLength="false"
          sap:label="First name" sap:semantics="givenname" />
        <Property Name="LastName" Type="Edm.String" Nullable="false" MaxLength="20" Unicode="true" FixedLength="false"
          sap:label="Last name" sap:semantics="familyname" />
        <Property Name="FullName" Type="Edm.String" Nullable="true" MaxLength="41" Unicode="true" FixedLength="false"
          sap:label="Name" sap:semantics="name"
          m:FC_TargetPath="SyndicationTitle" m:FC_ContentKind="text" m:FC_KeepInContent="true" />
        <Property Name="Title" Type="Edm.String" Nullable="true" MaxLength="40" Unicode="true" FixedLength="false"
          sap:label="Position" sap:semantics="title" />
        <Property Name="Email" Type="Edm.String" Nullable="true" MaxLength="80" Unicode="false" FixedLength="false"
          sap:label="E-mail" sap:semantics="email"
          m:FC_TargetPath="SyndicationContributorEmail" m:FC_ContentKind="text" m:FC_KeepInContent="true" />
        <Property Name="BirthDate" Type="Edm.DateTime" Nullable="true" Precision="0" sap:label="Born"
          sap:display-format="Date" sap:semantics="bday" />
        <Property Name="HireDate" Type="Edm.DateTime" Nullable="true" Precision="3" sap:label="Hired"
          sap:display-format="Date"
          m:FC_TargetPath="SyndicationPublished" m:FC_ContentKind="text" m:FC_KeepInContent="true" />
        <Property Name="ShiftStart" Type="Edm.Time" Nullable="true" Precision="0" sap:label="Starts at" />
        <Property Name="Address" Type="NorthwindModel.Address" Nullable="false" />
        <Property Name="Notes" Type="Edm.String" Nullable="true" MaxLength="Max" Unicode="true" FixedLength="false"
          sap:label="Notes" sap:sortable="false"
          m:FC_TargetPath="SyndicationSummary" m:FC_ContentKind="html" m:FC_KeepInContent="false">
          <Documentation>
            <Summary>A few words in HTML.</Summary>
            <LongDescription>In Atom the notes are the summary of the entry and nothing else.</LongDescription>
          </Documentation>
        </Property>
        <Property Name="ReportsTo" Type="Edm.Int32" Nullable="true" sap:label="Manager" />
        <Property Name="Modified" Type="Edm.DateTime" Nullable="false" Precision="3" sap:label="Modified"
          m:FC_TargetPath="SyndicationUpdated" m:FC_ContentKind="text" m:FC_KeepInContent="true" />
        <NavigationProperty Name="Manager" Relationship="NorthwindModel.Employee_Manager" FromRole="DirectReports"
          ToRole="Manager" />
        <NavigationProperty Name="DirectReports" Relationship="NorthwindModel.Employee_Manager" FromRole="Manager"
          ToRole="DirectReports" />
        <NavigationProperty Name="Orders" Relationship="NorthwindModel.Order_Employee" FromRole="Employee"
          ToRole="Orders" />
        <NavigationProperty Name="Territories" Relationship="NorthwindModel.Employee_Territory" FromRole="Employees"
          ToRole="Territories" />
      </EntityType>

      <EntityType Name="Territory" sap:label="Territory">
        <Documentation>
          <Summary>A part of the world that somebody sells to.</Summary>
        </Documentation>
        <Key>
          <PropertyRef Name="TerritoryID" />
        </Key>
        <Property Name="TerritoryID" Type="Edm.String" Nullable="false" MaxLength="10" Unicode="false" FixedLength="false"
          sap:label="Territory" sap:text="TerritoryDescription" />
        <Property Name="TerritoryDescription" Type="Edm.String" Nullable="false" MaxLength="50" Unicode="true"
          FixedLength="false" sap:label="Description"
          m:FC_TargetPath="SyndicationTitle" m:FC_ContentKind="text" m:FC_KeepInContent="true" />
        <NavigationProperty Name="Employees" Relationship="NorthwindModel.Employee_Territory" FromRole="Territories"
          ToRole="Employees" />
      </EntityType>

      <EntityType Name="Party" sap:label="Contact">
        <Documentation>
          <Summary>Anybody who can be called: a person, a company, or just a number.</Summary>
        </Documentation>
        <Key>
          <PropertyRef Name="PartyID" />
        </Key>
        <Property Name="PartyID" Type="Edm.Int32" Nullable="false" annotation:StoreGeneratedPattern="Identity"
          sap:label="Contact" />
        <Property Name="DisplayName" Type="Edm.String" Nullable="false" MaxLength="60" Unicode="true" FixedLength="false"
          sap:label="Name"
          m:FC_TargetPath="SyndicationTitle" m:FC_ContentKind="text" m:FC_KeepInContent="true" />
        <Property Name="Phone" Type="Edm.String" Nullable="true" MaxLength="24" Unicode="false" FixedLength="false"
          sap:label="Phone" sap:semantics="tel" />
        <Property Name="OrganisationID" Type="Edm.Int32" Nullable="true" sap:label="Part of" />
        <NavigationProperty Name="Organisation" Relationship="NorthwindModel.Party_Organisation" FromRole="Members"
          ToRole="Organisation" />
        <NavigationProperty Name="Members" Relationship="NorthwindModel.Party_Organisation" FromRole="Organisation"
          ToRole="Members" />
      </EntityType>

      <EntityType Name="Person" BaseType="NorthwindModel.Party" sap:label="Person">
        <Documentation>
          <Summary>A human being.</Summary>
        </Documentation>
        <Property Name="GivenName" Type="Edm.String" Nullable="false" MaxLength="30" Unicode="true" FixedLength="false"
          sap:label="Given name" sap:semantics="givenname" />
        <Property Name="FamilyName" Type="Edm.String" Nullable="true" MaxLength="30" Unicode="true" FixedLength="false"
          sap:label="Family name" sap:semantics="familyname" />
        <Property Name="BirthDate" Type="Edm.DateTime" Nullable="true" Precision="0" sap:label="Born"
          sap:display-format="Date" sap:semantics="bday" />
      </EntityType>

      <EntityType Name="Company" BaseType="NorthwindModel.Party" sap:label="Company">
        <Documentation>
          <Summary>A legal person.</Summary>
        </Documentation>
        <Property Name="RegistrationCode" Type="Edm.Guid" Nullable="false" sap:label="Registration code" />
        <Property Name="Address" Type="NorthwindModel.Address" Nullable="false" />
        <Property Name="Turnover" Type="Edm.Int64" Nullable="true" sap:label="Turnover" />
      </EntityType>`
