/** The model of the provider contract, as far as CAP has it: associations without foreign keys and derived types are missing. */
@path: '/odata/v4/depot'
service Depot {
  entity Category {
    key ID       : Integer;
        Name     : String(40);
        ParentID : Integer;
        Parent   : Association to Category on Parent.ID = ParentID;
        Children : Association to many Category on Children.ParentID = ID;
        Products : Association to many Product on Products.CategoryID = ID;
  }
  entity Product {
    key ID       : Int64;
        Name     : String(80);
        Price    : Decimal(28, 10);
        Stock    : Int64;
        Rating   : Int16;
        @odata.Type: 'Edm.SByte'
        Grade    : Int16;
        Shelf    : UInt8;
        Weight   : Double;
        @odata.Type: 'Edm.Single'
        Discount : Double;
        Active   : Boolean;
        Released : Timestamp;
        Changed  : DateTime;
        Opens    : Time;
        Code     : UUID;
        Pic      : Binary(100);
        Dims     : { W : Double; Unit : String; };
        CategoryID   : Integer;
        SupplierName : String(40);
        Category : Association to Category on Category.ID = CategoryID;
        Supplier : Association to Supplier on Supplier.Name = SupplierName;
        Lines    : Association to many Line on Lines.ProductID = ID;
  }
  entity Supplier {
    key Name     : String(40);
        City     : String;
        Products : Association to many Product on Products.SupplierName = Name;
  }
  entity Line {
    key Order     : Integer;
    key No        : Int16;
        Amount    : Decimal(10, 2);
        ProductID : Int64;
        Product   : Association to Product on Product.ID = ProductID;
  }
  entity Tag { key Id : UUID; Label : String; }
  entity Note { key At : Timestamp; Text : String; }
  entity Party { key ID : Integer; Name : String; }
  entity Photo {
    key ID        : Integer;
        Title     : String;
        @Core.MediaType: mediaType
        content   : LargeBinary;
        @Core.IsMediaType
        mediaType : String;
  }
  function Rated(min : Int16) returns many Product;
  function Best() returns Product;
  function Total() returns Integer;
}
