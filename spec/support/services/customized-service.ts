import type { ODataV2Options } from '../../../lib/index.js'
import { memoryProvider, readEdmx } from '../../../lib/index.js'
import type { Mount } from '../hosts.js'

/** A blog whose posts fill every part of an Atom entry by a feed customization. */
const edmx = `<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
  <edmx:DataServices xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" m:DataServiceVersion="2.0">
    <Schema Namespace="Blog" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
      <EntityType Name="Post"
        m:FC_SourcePath="Place/Lat" m:FC_TargetPath="point/lat" m:FC_KeepInContent="false"
        m:FC_NsUri="http://example.org/geo" m:FC_NsPrefix="geo"
        m:FC_SourcePath_1="Place/Long" m:FC_TargetPath_1="point/@long"
        m:FC_NsUri_1="http://example.org/geo" m:FC_NsPrefix_1="geo">
        <Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Headline" Type="Edm.String" m:FC_TargetPath="SyndicationTitle"/>
        <Property Name="Changed" Type="Edm.DateTime" Precision="3" m:FC_TargetPath="SyndicationUpdated"/>
        <Property Name="Author" Type="Edm.String" m:FC_TargetPath="SyndicationAuthorName" m:FC_KeepInContent="false"/>
        <Property Name="Mail" Type="Edm.String" m:FC_TargetPath="SyndicationAuthorEmail" m:FC_KeepInContent="false"/>
        <Property Name="Home" Type="Edm.String" m:FC_TargetPath="SyndicationAuthorUri"/>
        <Property Name="Helper" Type="Edm.String" m:FC_TargetPath="SyndicationContributorName"/>
        <Property Name="HelperMail" Type="Edm.String" m:FC_TargetPath="SyndicationContributorEmail"/>
        <Property Name="HelperHome" Type="Edm.String" m:FC_TargetPath="SyndicationContributorUri"/>
        <Property Name="Terms" Type="Edm.String" m:FC_TargetPath="SyndicationRights" m:FC_ContentKind="xhtml"/>
        <Property Name="Abstract" Type="Edm.String" m:FC_TargetPath="SyndicationSummary" m:FC_ContentKind="html"/>
        <Property Name="Since" Type="Edm.DateTimeOffset" m:FC_TargetPath="SyndicationPublished" m:FC_KeepInContent="false"/>
        <Property Name="Tag" Type="Edm.String" m:FC_TargetPath="tag" m:FC_NsUri="http://example.org/tags"
          m:FC_NsPrefix="t" m:FC_KeepInContent="false"/>
        <Property Name="TagLanguage" Type="Edm.String" m:FC_TargetPath="tag/@language" m:FC_NsUri="http://example.org/tags"
          m:FC_NsPrefix="t"/>
        <Property Name="Place" Type="Blog.Place" Nullable="false"/>
      </EntityType>
      <ComplexType Name="Place">
        <Property Name="Lat" Type="Edm.Double"/>
        <Property Name="Long" Type="Edm.Double"/>
      </ComplexType>
      <EntityContainer Name="Blog" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Posts" EntityType="Blog.Post"/>
      </EntityContainer>
    </Schema>
  </edmx:DataServices>
</edmx:Edmx>`

const posts = [
  {
    ID: 1,
    Headline: 'Cheese & wine',
    Changed: new Date('2020-01-02T03:04:05.670Z'),
    Author: 'Ann <a>',
    Mail: 'ann@example.org',
    Home: 'http://example.org/ann?a=1&b=2',
    Helper: 'Bob',
    HelperMail: 'bob@example.org',
    HelperHome: 'http://example.org/bob',
    Terms: 'free <em>always</em>',
    Abstract: '<b>bold</b> &amp; new',
    Since: '2019-12-31T23:00:00-01:00',
    Tag: 'food',
    TagLanguage: 'en "us"',
    Place: { Lat: 52.01, Long: 4.71 },
  },
  { ID: 2 },
  {
    ID: 3,
    Headline: ' blank ',
    Mail: 'eve@example.org',
    Helper: '',
    Terms: '<em>not closed',
    Abstract: '',
    TagLanguage: 'de',
    Place: { Lat: null, Long: 1 },
  },
]

export function customizedServiceIn(mount: Mount, options: ODataV2Options = {}): ReturnType<Mount> {
  const model = readEdmx(edmx)
  return mount(model, memoryProvider(model, { Posts: posts }), { readOnly: true, ...options })
}
