using { managed, cuid } from '@sap/cds/common';

namespace shop;

entity Categories {
  key ID   : Integer;
      name : localized String(40) not null;
      products : Association to many Products on products.category = $self;
}

entity Products {
  key ID         : Integer;
      name       : String(80) @title: 'Product';
      price      : Decimal(10, 2);
      stock      : Int64;
      weight     : Double;
      active     : Boolean default true;
      released   : Date;
      opens      : Time;
      changed    : DateTime;
      measured   : Timestamp;
      code       : UUID;
      category   : Association to Categories;
      picture    : LargeBinary @Core.MediaType: pictureType;
      pictureType : String @Core.IsMediaType;
}


entity Orders : cuid, managed {
  customer : String(60) not null;
  status   : String(20) default 'open';
  items    : Composition of many Items on items.order = $self;
}

entity Items : cuid {
  order    : Association to Orders;
  product  : Association to Products;
  quantity : Integer @assert.range: [1, 100];
}

// Amounts of sales, to be aggregated.
@Aggregation.ApplySupported: { Transformations: ['aggregate', 'groupby', 'filter'] }
entity Sales {
  key ID     : String(10);
      country : String(2)     @Analytics.Dimension;
      year    : Integer       @Analytics.Dimension;
      amount  : Decimal(10, 2) @Analytics.Measure;
      pieces  : Integer       @Analytics.Measure;
      best    : Decimal(10, 2) @Analytics.Measure;
}

annotate Orders with { modifiedAt @odata.etag };

service Catalog @(path: '/odata/v4/catalog') {
  entity Categories as projection on shop.Categories;
  entity Products as projection on shop.Products;
  entity Orders as projection on shop.Orders actions {
    action cancel(reason : String) returns Orders;
    function total() returns Decimal(12, 2);
  };
  entity Items as projection on shop.Items;
  entity Sales as projection on shop.Sales;
  function cheapest(max : Decimal(10, 2)) returns many Products;
  function greeting(name : String) returns String;
  action restock(product : Integer, quantity : Integer) returns Products;
  action reset();
}
