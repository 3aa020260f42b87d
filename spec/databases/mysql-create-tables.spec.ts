import { describeCreatedTables } from '../support/sql/created-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'

const tableOptions = 'default character set utf8mb4 collate utf8mb4_nopad_bin'

describe('createTables and alterTables on MariaDB', () => {
  describeCreatedTables('mariadb', () => openMysql(), {
    changes: [
      `create table \`Tags\` (\n  \`Name\` varchar(20) not null,\n  primary key (\`Name\`)\n) ${tableOptions}`,
      'create table `CustomerTags` (\n  `Customer_ID` int not null,\n  `Tag_Name` varchar(20) not null,\n' +
        `  primary key (\`Customer_ID\`, \`Tag_Name\`)\n) ${tableOptions}`,
      'alter table `Customers` add column `Code` uuid default (uuid())',
      "alter table `Customers` add column `Since` datetime(0) default '2024-01-31T12:00:00'",
      "alter table `Customers` add column `Opens` time(0) default '09:30:00'",
      'alter table `Customers` modify column `Name` varchar(40) not null',
      'alter table `Orders` modify column `CustomerID` int',
      'alter table `Orders` modify column `Total` decimal(10, 2)',
      'alter table `CustomerTags` add foreign key (`Customer_ID`) references `Customers` (`ID`)',
      'alter table `CustomerTags` add foreign key (`Tag_Name`) references `Tags` (`Name`)',
      'alter table `Orders` add foreign key (`CustomerID`) references `Customers` (`ID`)',
    ],
    notices: [],
  })
})
