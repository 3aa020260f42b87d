import { allTypes } from './data/all-types.js'
import { categories } from './data/categories.js'
import { contacts } from './data/contacts.js'
import { customers } from './data/customers.js'
import { employees } from './data/employees.js'
import { orderDetails, orders } from './data/orders.js'
import { products } from './data/products.js'
import { suppliers } from './data/suppliers.js'
import { territories } from './data/territories.js'

/** The rows of every entity set. */
export const northwindData = {
  Categories: categories,
  Products: products,
  Suppliers: suppliers,
  Customers: customers,
  Orders: orders,
  Order_Details: orderDetails,
  Employees: employees,
  Territories: territories,
  Contacts: contacts,
  AllTypes: allTypes,
}
