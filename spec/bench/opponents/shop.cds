/** The shop for CAP. */
entity Shop.Categories {
  key ID : Int16;
  Name : String not null;
  Products : Association to many Shop.Products on Products.CategoryID = ID;
}

entity Shop.Products {
  key ID : Integer;
  Name : String(80) not null;
  Description : String;
  Price : Decimal(10, 2) not null;
  Stock : Int64;
  CategoryID : Int16 not null;
  Weight : Double;
  Active : Boolean not null;
  Released : Timestamp;
  Code : UUID;
}

service ShopService @(path: 'shop') {
  entity Categories as projection on Shop.Categories;
  entity Products as projection on Shop.Products;
}
