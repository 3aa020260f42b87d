using System;
using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.Data.Services.Client;
using System.Data.Services.Common;
using System.Linq;

// Reads and changes the sample catalogue with System.Data.Services.Client, and prints one line for each result.

[DataServiceKey("CategoryID")]
[EntityPropertyMapping("CategoryName", SyndicationItemProperty.Title, SyndicationTextContentKind.Plaintext, true)]
[EntityPropertyMapping("Description", SyndicationItemProperty.Summary, SyndicationTextContentKind.Plaintext, true)]
public class Category
{
    public int CategoryID { get; set; }
    public string CategoryName { get; set; }
    public string Description { get; set; }
    public byte[] Picture { get; set; }
    public Collection<Product> Products { get; set; }
    public Category() { Products = new Collection<Product>(); }
}

[DataServiceKey("ProductID")]
[EntityPropertyMapping("ProductName", SyndicationItemProperty.Title, SyndicationTextContentKind.Plaintext, true)]
public class Product
{
    public int ProductID { get; set; }
    public string ProductName { get; set; }
    public int? SupplierID { get; set; }
    public int? CategoryID { get; set; }
    public string QuantityPerUnit { get; set; }
    public decimal? UnitPrice { get; set; }
    public short? UnitsInStock { get; set; }
    public short? UnitsOnOrder { get; set; }
    public short? ReorderLevel { get; set; }
    public bool Discontinued { get; set; }
    public Category Category { get; set; }
}

public static class Program
{
    static Uri root;

    static DataServiceContext NewContext()
    {
        return new DataServiceContext(root) 
        {
            MergeOption = MergeOption.OverwriteChanges,
            // The service assigns Product.Version and refuses it in an insert.
            IgnoreMissingProperties = true
        };
    }

    public static void Main(string[] args)
    {
        root = new Uri(args[0] + "/");
        Read();
        Change();
        ChangeInBatch();
        FailInBatch();
        ReadInBatch();
    }

    static void Read()
    {
        var context = NewContext();
        var dear = context.CreateQuery<Product>("Products").Where(p => p.UnitPrice > 50m && !p.Discontinued)
            .OrderByDescending(p => p.UnitPrice).Take(2);
        Print("read", string.Join(", ", dear.ToList().Select(p => p.ProductName)));
        var first = context.CreateQuery<Category>("Categories").Expand("Products").Where(c => c.CategoryID == 1).Single();
        Print("expand", first.CategoryName + " " + first.Products.Count);
        Print("count", context.CreateQuery<Category>("Categories").Count());
        var page = (QueryOperationResponse<Product>)context.CreateQuery<Product>("Products").Execute();
        var all = page.Count();
        for (var next = page.GetContinuation(); next != null; next = page.GetContinuation())
        {
            page = context.Execute(next);
            all += page.Count();
        }
        Print("pages", all);
    }

    static void Change()
    {
        var context = NewContext();
        var category = new Category { CategoryName = "Spices", Description = "hot & dry" };
        context.AddObject("Categories", category);
        context.SaveChanges();
        category.Description = "changed";
        context.UpdateObject(category);
        context.SaveChanges();
        Print("merged", CategoryNamed("Spices").Description);
        context.DeleteObject(category);
        context.SaveChanges();
        Print("deleted", NewContext().CreateQuery<Category>("Categories").Where(c => c.CategoryName == "Spices").Count());
    }

    // Each request of a change set has a Content-ID, which the client looks for in the response.
    static void ChangeInBatch()
    {
        var context = NewContext();
        var category = new Category { CategoryName = "Teas" };
        var product = new Product { ProductName = "Assam", UnitPrice = 3.5m };
        context.AddObject("Categories", category);
        context.AddRelatedObject(category, "Products", product);
        var chai = context.CreateQuery<Product>("Products").Where(p => p.ProductID == 1).Single();
        chai.UnitPrice = 20m;
        context.UpdateObject(chai);
        context.AddObject("Products", new Product { ProductName = "Linked" });
        var linked = (Product)context.Entities.Last().Entity;
        context.SetLink(linked, "Category", category);
        var response = context.SaveChanges(SaveChangesOptions.Batch);
        Print("batch", response.BatchStatusCode + ": " + string.Join(" ", response.Select(one => one.StatusCode)));
        var teas = CategoryNamed("Teas");
        Print("made", string.Join(", ", teas.Products.Select(p => p.ProductName).OrderBy(name => name)));
        Print("keys", category.CategoryID == teas.CategoryID && product.ProductID > 0);
        // Read again: the link has given its product a new ETag.
        context = NewContext();
        teas = context.CreateQuery<Category>("Categories").Expand("Products").Where(c => c.CategoryName == "Teas").Single();
        foreach (var one in teas.Products) context.DeleteObject(one);
        context.DeleteObject(teas);
        Print("undone", string.Join(" ", context.SaveChanges(SaveChangesOptions.Batch).Select(one => one.StatusCode)));
    }

    static void FailInBatch()
    {
        var context = NewContext();
        context.AddObject("Categories", new Category { CategoryName = "Lost" });
        context.AddObject("Categories", new Category { CategoryID = 1, CategoryName = null });
        try
        {
            context.SaveChanges(SaveChangesOptions.Batch);
            Print("failed", "no error");
        }
        catch (DataServiceRequestException error)
        {
            Print("failed", ((DataServiceClientException)error.InnerException).StatusCode);
        }
        Print("rolled back", NewContext().CreateQuery<Category>("Categories").Where(c => c.CategoryName == "Lost").Count());
    }

    static void ReadInBatch()
    {
        var context = NewContext();
        var response = context.ExecuteBatch(
            context.CreateQuery<Category>("Categories").Take(3) as DataServiceRequest,
            (DataServiceRequest)context.CreateQuery<Product>("Products").Where(p => p.ProductID == 1));
        var counts = new List<int>();
        foreach (QueryOperationResponse one in response) counts.Add(one.Cast<object>().Count());
        Print("reads", string.Join(" ", counts));
    }

    static Category CategoryNamed(string name)
    {
        return NewContext().CreateQuery<Category>("Categories").Expand("Products").Where(c => c.CategoryName == name).Single();
    }

    static void Print(string name, object value)
    {
        Console.WriteLine(name + ": " + value);
    }
}
