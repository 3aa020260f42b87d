/** One property of every simple type, for rows at the limits of each. */
export const allTypes = `
      <EntityType Name="SimpleValues" sap:label="Simple values">
        <Documentation>
          <Summary>Every simple type once, each of them nullable.</Summary>
          <LongDescription>Read it with a client to learn whether that client can read everything.</LongDescription>
        </Documentation>
        <Key>
          <PropertyRef Name="ID" />
        </Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false" sap:label="Number" />
        <Property Name="Remark" Type="Edm.String" Nullable="false" MaxLength="80" Unicode="true" FixedLength="false"
          sap:label="What this row shows" />
        <Property Name="BinaryValue" Type="Edm.Binary" Nullable="true" MaxLength="Max" FixedLength="false" />
        <Property Name="BooleanValue" Type="Edm.Boolean" Nullable="true" />
        <Property Name="ByteValue" Type="Edm.Byte" Nullable="true" />
        <Property Name="DateTimeValue" Type="Edm.DateTime" Nullable="true" Precision="7" />
        <Property Name="DateTimeOffsetValue" Type="Edm.DateTimeOffset" Nullable="true" Precision="7" />
        <Property Name="DecimalValue" Type="Edm.Decimal" Nullable="true" Precision="28" Scale="10" />
        <Property Name="DoubleValue" Type="Edm.Double" Nullable="true" />
        <Property Name="GuidValue" Type="Edm.Guid" Nullable="true" />
        <Property Name="Int16Value" Type="Edm.Int16" Nullable="true" />
        <Property Name="Int32Value" Type="Edm.Int32" Nullable="true" />
        <Property Name="Int64Value" Type="Edm.Int64" Nullable="true" />
        <Property Name="SByteValue" Type="Edm.SByte" Nullable="true" />
        <Property Name="SingleValue" Type="Edm.Single" Nullable="true" />
        <Property Name="StringValue" Type="Edm.String" Nullable="true" MaxLength="Max" Unicode="true" FixedLength="false" />
        <Property Name="TimeValue" Type="Edm.Time" Nullable="true" Precision="7" />
      </EntityType>`
