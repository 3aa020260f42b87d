/** The model of the write contract, as far as CAP has it: associations without foreign keys and derived types are missing. */
@path: '/odata/v4/works'
service Works {
  type Point { X : Double; Y : Double; }
  type Site { Street : String; At : Point; }

  entity Sample {
    key ID      : Integer;
        Flag    : Boolean;
        Tiny    : UInt8;
        @odata.Type: 'Edm.SByte'
        Signed  : Int16;
        Small   : Int16;
        Whole   : Integer;
        Large   : Int64;
        Exact   : Decimal(29, 10);
        Money   : Decimal(6, 2);
        Real    : Double;
        @odata.Type: 'Edm.Single'
        Rough   : Double;
        Moment  : Timestamp;
        Instant : Timestamp;
        Clock   : Time;
        Code    : UUID;
        Bytes   : Binary(5000);
        Text    : LargeString;
        Short   : String(8);
        Ascii   : String(8);
        Place   : Site;
  }
  entity Form {
    key ID     : Integer;
        Title  : String not null;
        Note   : String;
        Color  : String default 'red';
        Count  : Integer not null default 7;
        Price  : Decimal(10, 2) default 1.50;
        Active : Boolean not null default true;
        Size   : { W : Double; Unit : String default 'cm'; };
  }
  entity Counter {
    key ID      : Integer;
        Name    : String;
        Value   : Integer not null;
        @odata.etag
        Version : Integer not null default 0;
  }
  entity Reading {
    key At      : Timestamp;
    key Sensor  : UUID;
    key Channel : Int64;
        Value   : Decimal(29, 10);
  }
  entity Coupon { key ID : Int64; Text : String; }

  entity Category {
    key ID       : Integer;
        Name     : String(40);
        ParentID : Integer;
        Parent   : Association to Category on Parent.ID = ParentID;
        Children : Association to many Category on Children.ParentID = ID;
        Products : Association to many Product on Products.CategoryID = ID;
  }
  entity Product {
    key ID         : Integer;
        Name       : String(40);
        CategoryID : Integer;
        Category   : Association to Category on Category.ID = CategoryID;
  }
  entity Tag { key ID : UUID; Label : String; }
  entity Cover { key Name : String(40); Sheets : Int16; }

  entity Order {
    key ID       : Integer;
        Customer : String;
        Lines    : Composition of many Line on Lines.OrderID = ID;
  }
  entity Line {
    key OrderID : Integer;
    key No      : Int16;
        Text    : String;
        Order   : Association to Order on Order.ID = OrderID;
        Remarks : Composition of many Remark on Remarks.OrderID = OrderID and Remarks.LineNo = No;
  }
  entity Remark {
    key ID      : Integer;
        Text    : String;
        OrderID : Integer not null;
        LineNo  : Int16 not null;
        Line    : Association to Line on Line.OrderID = OrderID and Line.No = LineNo;
  }
  entity Warehouse {
    key ID   : Integer;
        City : String;
        Bins : Association to many Bin on Bins.WarehouseID = ID;
  }
  entity Bin {
    key ID          : Integer;
        Label       : String;
        WarehouseID : Integer not null;
        Warehouse   : Association to Warehouse on Warehouse.ID = WarehouseID;
  }
  entity Worker {
    key ID    : Integer;
        Name  : String;
        Badge : Association to one Badge on Badge.WorkerID = ID;
  }
  entity Badge {
    key ID       : Integer;
        Color    : String;
        WorkerID : Integer not null;
        Worker   : Association to Worker on Worker.ID = WorkerID;
  }
  entity Party { key ID : Integer; Name : String; }
  entity Photo {
    key ID        : Integer;
        Title     : String;
        @Core.MediaType: mediaType
        content   : LargeBinary;
        @Core.IsMediaType
        mediaType : String;
  }
}
