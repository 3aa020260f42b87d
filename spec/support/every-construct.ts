/**
 * A metadata document with every construct of CSDL that the library knows, each written in full and with the names
 * qualified, as the library writes them itself.
 */
export const everyConstruct = `<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"
    xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
    xmlns:sap="http://www.sap.com/Protocols/SAPData" xmlns:x="urn:example:x">
  <edmx:DataServices m:DataServiceVersion="2.0" m:MaxDataServiceVersion="3.0" x:host="one">
    <Schema Namespace="NW" Alias="Self" xmlns="http://schemas.microsoft.com/ado/2008/09/edm"
        xmlns:a="http://schemas.microsoft.com/ado/2009/02/edm/annotation" sap:schema-version="1">
      <Documentation><Summary>Types</Summary><LongDescription>&lt;b&gt; &amp; more</LongDescription></Documentation>
      <EntityType Name="Party" Abstract="true" OpenType="true" sap:label="Party">
        <Documentation x:by="me"><Summary xml:lang="en">Who</Summary><x:see>there</x:see></Documentation>
        <Key x:kept="yes"><PropertyRef Name="ID" x:first="true"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false" a:StoreGeneratedPattern="Identity"/>
        <Property Name="Name" Type="Edm.String" Nullable="false" DefaultValue="none" MaxLength="80"
            FixedLength="false" Unicode="true" Collation="Latin1_General_CI_AS" sap:filterable="true"
            sap:required-in-filter="false" m:FC_TargetPath="SyndicationTitle" m:FC_ContentKind="html"
            m:FC_KeepInContent="false"/>
        <Property Name="Home" Type="NW.Address" Nullable="false" m:FC_TargetPath="SyndicationAuthorName"
            m:FC_SourcePath="Street" m:FC_ContentKind="text" m:FC_KeepInContent="true"
            m:FC_TargetPath_1="geo/@lat" m:FC_SourcePath_1="Position/Lat" m:FC_ContentKind_1="text"
            m:FC_KeepInContent_1="true" m:FC_NsPrefix_1="g" m:FC_NsUri_1="urn:example:geo"/>
        <Property Name="Version" Type="Edm.Int64" Nullable="false" ConcurrencyMode="Fixed"/>
        <Property Name="Parent_ID" Type="Edm.Int32"/>
        <NavigationProperty Name="Parent" Relationship="NW.Tree" FromRole="Child" ToRole="Parent" sap:label="Up"/>
        <NavigationProperty Name="Children" Relationship="NW.Tree" FromRole="Parent" ToRole="Child"/>
      </EntityType>
      <EntityType Name="Person" BaseType="NW.Party" m:FC_TargetPath="SyndicationSummary" m:FC_SourcePath="Born"
          m:FC_ContentKind="text" m:FC_KeepInContent="true" m:FC_TargetPath_1="size/w" m:FC_SourcePath_1="Home/City"
          m:FC_ContentKind_1="text" m:FC_KeepInContent_1="false" m:FC_NsPrefix_1="s" m:FC_NsUri_1="urn:example:size">
        <Property Name="Born" Type="Edm.DateTime" Precision="3"/>
        <NavigationProperty Name="Lines" Relationship="NW.PersonLines" FromRole="Person" ToRole="Lines"/>
      </EntityType>
      <EntityType Name="Photo" m:HasStream="true">
        <Key><PropertyRef Name="Code"/></Key>
        <Property Name="Code" Type="Edm.Guid" Nullable="false"/>
        <Property Name="Pic" Type="Edm.Binary" MaxLength="Max" FixedLength="true" m:MimeType="image/png"/>
      </EntityType>
      <EntityType Name="Line">
        <Key><PropertyRef Name="Order"/><PropertyRef Name="No"/></Key>
        <Property Name="No" Type="Edm.Int16" Nullable="false"/>
        <Property Name="Order" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Person" Type="Edm.Int32" ConcurrencyMode="None"/>
        <Property Name="Price" Type="Edm.Decimal" Precision="10" Scale="2" sap:unit="Currency" sap:semantics="price"/>
        <Property Name="Stamp" Type="Edm.Binary" FixedLength="true" a:StoreGeneratedPattern="Computed"/>
        <NavigationProperty Name="Owner" Relationship="NW.PersonLines" FromRole="Lines" ToRole="Person"/>
      </EntityType>
      <ComplexType Name="Address" x:note="a &amp; b &lt; c &gt; &quot;d&quot;&#10;e&#9;f&#13;g">
        <Documentation><Summary/></Documentation>
        <Property Name="Street" Type="Edm.String"/>
        <Property Name="City" Type="Edm.String" sap:label="Ville"/>
        <Property Name="Position" Type="NW.Position" Nullable="false"/>
      </ComplexType>
      <ComplexType Name="Position">
        <Property Name="Lat" Type="Edm.Double"/>
        <Property Name="Lon" Type="Edm.Single"/>
      </ComplexType>
      <ComplexType Name="Summit" BaseType="NW.Position">
        <Property Name="Height" Type="Edm.Int32" DefaultValue="0"/>
      </ComplexType>
      <Association Name="Tree" sap:content-version="1">
        <End Role="Parent" Type="NW.Party" Multiplicity="0..1" x:end="1"><OnDelete Action="Cascade" x:really="no"/></End>
        <End Role="Child" Type="NW.Party" Multiplicity="*"><Documentation><LongDescription>All</LongDescription></Documentation></End>
        <ReferentialConstraint x:checked="false">
          <Principal Role="Parent" x:p="1"><PropertyRef Name="ID" x:q="2"/></Principal>
          <Dependent Role="Child"><x:d/><PropertyRef Name="Parent_ID"/></Dependent>
        </ReferentialConstraint>
      </Association>
      <Association Name="PersonLines">
        <End Role="Lines" Type="NW.Line" Multiplicity="*"><OnDelete Action="None"/></End>
        <End Role="Person" Type="NW.Person" Multiplicity="1"/>
        <ReferentialConstraint>
          <Principal Role="Person"><PropertyRef Name="ID"/></Principal>
          <Dependent Role="Lines"><PropertyRef Name="Person"/></Dependent>
        </ReferentialConstraint>
      </Association>
      <x:rules level="2"><x:rule of="NW.Party"><y:deep xmlns:y="urn:example:y" y:z="1">text <x:b>bold</x:b> text</y:deep></x:rule><plain xmlns="">no namespace</plain></x:rules>
    </Schema>
    <Schema Namespace="NW.Service" xmlns="http://schemas.microsoft.com/ado/2007/05/edm">
      <Using Namespace="NW" Alias="N" x:used="true"/>
      <EntityContainer Name="Main" m:IsDefaultEntityContainer="true" sap:supported-formats="atom json">
        <Documentation><Summary>What is served</Summary></Documentation>
        <EntitySet Name="Parties" EntityType="NW.Party" sap:creatable="false" sap:pageable="false" sap:addressable="true"/>
        <EntitySet Name="Lines" EntityType="NW.Line"><sap:hint kind="x"/></EntitySet>
        <EntitySet Name="Photos" EntityType="NW.Photo"/>
        <AssociationSet Name="Trees" Association="NW.Tree" sap:updatable="false">
          <End Role="Parent" EntitySet="Parties" x:end="1"/><End Role="Child" EntitySet="Parties"/>
        </AssociationSet>
        <AssociationSet Name="PersonLines" Association="NW.PersonLines">
          <End Role="Lines" EntitySet="Lines"/><End Role="Person" EntitySet="Parties"/>
        </AssociationSet>
        <FunctionImport Name="Oldest" EntitySet="Parties" ReturnType="NW.Person" m:HttpMethod="GET"/>
        <FunctionImport Name="Search" EntitySet="Parties" ReturnType="Collection(NW.Party)" m:HttpMethod="GET" sap:action-for="NW.Party">
          <Parameter Name="text" Type="Edm.String" Mode="In" Nullable="false" MaxLength="40" sap:label="Text"/>
          <Parameter Name="limit" Type="Edm.Decimal" Precision="5" Scale="1"/>
        </FunctionImport>
        <FunctionImport Name="Total" ReturnType="Edm.Int32"/>
        <FunctionImport Name="Names" ReturnType="Collection(Edm.String)" m:HttpMethod="GET"/>
        <FunctionImport Name="Where" ReturnType="NW.Position" m:HttpMethod="GET"/>
        <FunctionImport Name="Places" ReturnType="Collection(NW.Address)" m:HttpMethod="GET"/>
        <FunctionImport Name="Raise" m:HttpMethod="POST">
          <Documentation><Summary>Prices go up</Summary></Documentation>
          <Parameter Name="pct" Type="Edm.Double" Mode="InOut" Nullable="false"/>
        </FunctionImport>
      </EntityContainer>
      <EntityContainer Name="Archive" Extends="Main">
        <EntitySet Name="Lines" EntityType="NW.Line"/>
        <FunctionImport Name="Total" ReturnType="Edm.Int64" m:HttpMethod="GET"/>
      </EntityContainer>
    </Schema>
    <x:footer/>
  </edmx:DataServices>
  <edmx:Reference xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Uri="vocabulary.xml"><edmx:Include Namespace="V"/></edmx:Reference>
</edmx:Edmx>`
