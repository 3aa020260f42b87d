import { writeEdmx } from '../../../lib/csdl/write-edmx.js'
import type { AnnotationSet, ODataV2Options } from '../../../lib/index.js'
import { annotate, dataField, path, readEdmx, valueList } from '../../../lib/index.js'
import { northwindModel } from '../../../sample-app/northwind/northwind-service.js'

const orderTotal = `<EntityType Name="OrderTotal" sap:semantics="aggregate">
  <Key><PropertyRef Name="ID"/></Key>
  <Property Name="ID" Type="Edm.String" Nullable="false"/>
  <Property Name="ShipCountry" Type="Edm.String" sap:aggregation-role="dimension"/>
  <Property Name="ShipCity" Type="Edm.String" sap:aggregation-role="dimension"/>
  <Property Name="Freight" Type="Edm.Decimal" Precision="19" Scale="4" sap:aggregation-role="measure"/>
</EntityType>`

/** Northwind with an analytical set that groups the orders. */
export const northwindTotalsModel = readEdmx(
  writeEdmx(northwindModel)
    .replace('<Association ', `${orderTotal}<Association `)
    .replace(
      '<AssociationSet ',
      '<EntitySet Name="OrderTotals" EntityType="NorthwindModel.OrderTotal"/><AssociationSet ',
    ),
)

const annotations: AnnotationSet = annotate(northwindTotalsModel, {
  'NorthwindModel.Product': {
    'UI.LineItem': [dataField('ProductName'), dataField('Category/CategoryName')],
    'UI.SelectionFields': ['ProductName', 'CategoryID'],
  },
  'NorthwindModel.Product/CategoryID': {
    'Common.Text': path('Category/CategoryName'),
    'Common.ValueList': valueList('Categories', {
      inOut: { CategoryID: 'CategoryID' },
      display: ['CategoryName'],
    }),
  },
})

/** Options that give an audit something to check in all sections. */
export const northwindTotalsOptions: ODataV2Options = {
  exports: true,
  search: { Products: ['ProductName'] },
  pageSize: { Orders: 100, Order_Details: 200 },
  analytics: {
    OrderTotals: {
      source: 'Orders',
      properties: { ShipCountry: 'ShipAddress/Country', ShipCity: 'ShipAddress/City' },
    },
  },
  annotations,
}
