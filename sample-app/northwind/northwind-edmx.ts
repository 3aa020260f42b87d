import { allTypes } from './edmx/all-types.js'
import { associations } from './edmx/associations.js'
import { catalogueTypes } from './edmx/catalogue-types.js'
import { entityContainer } from './edmx/entity-container.js'
import { peopleTypes } from './edmx/people-types.js'
import { salesTypes } from './edmx/sales-types.js'

/**
 * The metadata document of the catalogue. It is a TypeScript string, not a file, so that it does not depend on the
 * working directory.
 *
 * As in services created with Visual Studio, the container has a different schema than types and associations.
 *
 * @spec MC-EDMX, MC-CSDL, MS-ODATA 2.2.3.7.2
 */
export const northwindEdmx = `<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
  <edmx:DataServices m:DataServiceVersion="2.0"
    xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
    xmlns:annotation="http://schemas.microsoft.com/ado/2009/02/edm/annotation"
    xmlns:sap="http://www.sap.com/Protocols/SAPData">
    <Schema Namespace="NorthwindModel" xmlns="http://schemas.microsoft.com/ado/2008/09/edm" sap:schema-version="1">
${catalogueTypes}
${salesTypes}
${peopleTypes}
${allTypes}
${associations}
    </Schema>
    <Schema Namespace="ODataWeb.Northwind" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
${entityContainer}
    </Schema>
  </edmx:DataServices>
</edmx:Edmx>
`
