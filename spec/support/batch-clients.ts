import type { PlainPart } from './batch-bodies.js'
import { lines } from './batch-bodies.js'

/** The exact bytes of a batch from a real client, and the requests it contains. */
export interface ClientBatch {
  readonly client: string
  readonly contentType: string
  readonly body: string
  readonly parts: readonly PlainPart[]
}

const ui5: ClientBatch = {
  client: 'OpenUI5: Content-ID among the headers of the request, a reference behind the change set',
  contentType: 'multipart/mixed;boundary=batch_0a1b-2c3d-4e5f',
  body:
    '\r\n' +
    lines(
      '--batch_0a1b-2c3d-4e5f',
      'Content-Type: multipart/mixed; boundary=changeset_6a7b-8c9d-0e1f',
      '',
      '--changeset_6a7b-8c9d-0e1f',
      'Content-Type: application/http',
      'Content-Transfer-Encoding: binary',
      '',
      'POST Categories HTTP/1.1',
      'sap-contextid-accept: header',
      'Accept: application/json',
      'Accept-Language: en',
      'DataServiceVersion: 2.0',
      'MaxDataServiceVersion: 2.0',
      'Content-Type: application/json',
      'Content-ID: id-1700000000000-4',
      '',
      '{"Name":"K\xc3\xa4se"}',
      '--changeset_6a7b-8c9d-0e1f',
      'Content-Type: application/http',
      'Content-Transfer-Encoding: binary',
      '',
      'MERGE Products(1) HTTP/1.1',
      'Content-Type: application/json',
      'If-Match: W/"3"',
      'Content-ID: id-1700000000000-5',
      '',
      '{"Price":"2.50"}',
      '--changeset_6a7b-8c9d-0e1f--',
      '',
      '--batch_0a1b-2c3d-4e5f',
      'Content-Type: application/http',
      'Content-Transfer-Encoding: binary',
      '',
      'GET $id-1700000000000-4?$expand=Products HTTP/1.1',
      'Accept: application/json',
      '',
      '',
      '--batch_0a1b-2c3d-4e5f--',
    ),
  parts: [
    {
      isLone: false,
      changeSet: [
        {
          method: 'POST',
          uri: 'Categories',
          headers: {
            'sap-contextid-accept': 'header',
            accept: 'application/json',
            'accept-language': 'en',
            dataserviceversion: '2.0',
            maxdataserviceversion: '2.0',
            'content-type': 'application/json',
            'content-id': 'id-1700000000000-4',
          },
          body: '{"Name":"K\xc3\xa4se"}',
          contentId: 'id-1700000000000-4',
        },
        {
          method: 'MERGE',
          uri: 'Products(1)',
          headers: {
            'content-type': 'application/json',
            'if-match': 'W/"3"',
            'content-id': 'id-1700000000000-5',
          },
          body: '{"Price":"2.50"}',
          contentId: 'id-1700000000000-5',
        },
      ],
    },
    {
      method: 'GET',
      uri: '$id-1700000000000-4?$expand=Products',
      headers: { accept: 'application/json' },
      body: '',
      contentId: undefined,
    },
  ],
}

const datajs: ClientBatch = {
  client: 'datajs: an empty line before every delimiter, no Content-ID',
  contentType: 'multipart/mixed; boundary=batch_1d2c-3b4a-5f6e',
  body:
    '\r\n--batch_1d2c-3b4a-5f6e\r\n' +
    'Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n' +
    'GET Products?$top=1 HTTP/1.1\r\nAccept: application/json\r\nMaxDataServiceVersion: 2.0\r\n\r\n' +
    '\r\n--batch_1d2c-3b4a-5f6e\r\n' +
    'Content-Type: multipart/mixed; boundary=changeset_aaaa-bbbb-cccc\r\n' +
    '\r\n--changeset_aaaa-bbbb-cccc\r\n' +
    'Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n' +
    'PUT Products(1) HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{"ID":1}' +
    '\r\n--changeset_aaaa-bbbb-cccc\r\n' +
    'Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n' +
    'DELETE Products(2) HTTP/1.1\r\nAccept: */*\r\n\r\n' +
    '\r\n--changeset_aaaa-bbbb-cccc--\r\n' +
    '\r\n--batch_1d2c-3b4a-5f6e--\r\n',
  parts: [
    {
      method: 'GET',
      uri: 'Products?$top=1',
      headers: { accept: 'application/json', maxdataserviceversion: '2.0' },
      body: '',
      contentId: undefined,
    },
    {
      isLone: false,
      changeSet: [
        {
          method: 'PUT',
          uri: 'Products(1)',
          headers: { 'content-type': 'application/json' },
          body: '{"ID":1}',
          contentId: undefined,
        },
        { method: 'DELETE', uri: 'Products(2)', headers: { accept: '*/*' }, body: '', contentId: undefined },
      ],
    },
  ],
}

const cloudSdk: ClientBatch = {
  client: 'SAP Cloud SDK: paths below the host, Content-Id, an empty line behind every body',
  contentType: 'multipart/mixed; boundary=batch_e6b0',
  body: lines(
    '--batch_e6b0',
    'Content-Type: multipart/mixed; boundary=changeSet_77',
    '',
    '--changeSet_77',
    'Content-Type: application/http',
    'Content-Transfer-Encoding: binary',
    'Content-Id: 2f9c1d4e-0000-4000-8000-0123456789ab',
    '',
    'PATCH /odata/svc/Lines(Order=7,No=2) HTTP/1.1',
    'Content-Type: application/json',
    'Accept: application/json',
    'If-Match: *',
    '',
    '{"Text":"a"}',
    '',
    '--changeSet_77',
    'Content-Type: application/http',
    'Content-Transfer-Encoding: binary',
    'Content-Id: 2f9c1d4e-0000-4000-8000-0123456789ac',
    '',
    'DELETE /odata/svc/Lines(Order=7,No=3) HTTP/1.1',
    'Content-Type: application/json',
    'Accept: application/json',
    '',
    '',
    '',
    '--changeSet_77--',
    '--batch_e6b0',
    'Content-Type: application/http',
    'Content-Transfer-Encoding: binary',
    '',
    'GET /odata/svc/Lines?$format=json HTTP/1.1',
    'Content-Type: application/json',
    'Accept: application/json',
    '',
    '',
    '--batch_e6b0--',
  ),
  parts: [
    {
      isLone: false,
      changeSet: [
        {
          method: 'PATCH',
          uri: '/odata/svc/Lines(Order=7,No=2)',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            'if-match': '*',
          },
          body: '{"Text":"a"}\r\n',
          contentId: '2f9c1d4e-0000-4000-8000-0123456789ab',
        },
        {
          method: 'DELETE',
          uri: '/odata/svc/Lines(Order=7,No=3)',
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          body: '',
          contentId: '2f9c1d4e-0000-4000-8000-0123456789ac',
        },
      ],
    },
    {
      method: 'GET',
      uri: '/odata/svc/Lines?$format=json',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: '',
      contentId: undefined,
    },
  ],
}

const cap: ClientBatch = {
  client: 'CAP: bare line feeds, a length that is too large',
  contentType: 'multipart/mixed; boundary=boundary',
  body: [
    '--boundary',
    'Content-Type: application/http',
    'Content-Transfer-Encoding:binary',
    '',
    'GET /Header?$top=1 HTTP/1.1',
    '',
    '',
    '--boundary',
    'Content-Type: multipart/mixed; boundary=changeset',
    '',
    '--changeset',
    'Content-Type: application/http',
    'Content-Transfer-Encoding:binary',
    'Content-ID: 1',
    '',
    'POST /Header HTTP/1.1',
    'Content-Type: application/json;charset=UTF-8',
    'Content-Length: 1234',
    '',
    '{"name":"Test"}',
    '--changeset--',
    '--boundary--',
  ].join('\n'),
  parts: [
    { method: 'GET', uri: '/Header?$top=1', headers: {}, body: '', contentId: undefined },
    {
      isLone: false,
      changeSet: [
        {
          method: 'POST',
          uri: '/Header',
          headers: { 'content-type': 'application/json;charset=UTF-8', 'content-length': '1234' },
          body: '{"name":"Test"}',
          contentId: '1',
        },
      ],
    },
  ],
}

const pyodata: ClientBatch = {
  client: 'pyodata: blanks behind headers, none behind a colon, blanks in the URI',
  contentType: 'multipart/mixed;boundary=batch_1f',
  body: [
    '',
    '--batch_1f',
    'Content-Type: application/http ',
    'Content-Transfer-Encoding:binary',
    '',
    "GET Products?$filter=Name eq 'a b' HTTP/1.1",
    'Accept: application/json',
    '',
    '',
    '--batch_1f',
    'Content-Type: multipart/mixed;boundary=changeset_2e',
    '',
    '',
    '--changeset_2e',
    'Content-Type: application/http ',
    'Content-Transfer-Encoding:binary',
    '',
    'POST Products HTTP/1.1',
    'Accept: application/json',
    'Content-Type: application/json',
    '',
    '{"Name": "a"}',
    '--changeset_2e--',
    '--batch_1f--',
  ].join('\r\n'),
  parts: [
    {
      method: 'GET',
      uri: "Products?$filter=Name eq 'a b'",
      headers: { accept: 'application/json' },
      body: '',
      contentId: undefined,
    },
    {
      isLone: false,
      changeSet: [
        {
          method: 'POST',
          uri: 'Products',
          headers: { accept: 'application/json', 'content-type': 'application/json' },
          body: '{"Name": "a"}',
          contentId: undefined,
        },
      ],
    },
  ],
}

const wcf: ClientBatch = {
  client:
    '.NET WCF: absolute URIs, one empty line behind a GET without headers, a reference in an absolute URI',
  contentType: 'multipart/mixed; boundary=batch_3d7d6a5c-6a2f-4b4a-9a53-0f0d0c0b0a09',
  body: lines(
    '--batch_3d7d6a5c-6a2f-4b4a-9a53-0f0d0c0b0a09',
    'Content-Type: application/http',
    'Content-Transfer-Encoding: binary',
    '',
    'GET http://host/svc/Products(1) HTTP/1.1',
    '',
    '--batch_3d7d6a5c-6a2f-4b4a-9a53-0f0d0c0b0a09',
    'Content-Type: multipart/mixed; boundary=changeset_11111111-2222-3333-4444-555555555555',
    '',
    '--changeset_11111111-2222-3333-4444-555555555555',
    'Content-Type: application/http',
    'Content-Transfer-Encoding: binary',
    '',
    'POST http://host/svc/Categories HTTP/1.1',
    'Content-ID: 1',
    'Content-Type: application/atom+xml;type=entry',
    'Content-Length: 8',
    '',
    '<entry/>',
    '--changeset_11111111-2222-3333-4444-555555555555',
    'Content-Type: application/http',
    'Content-Transfer-Encoding: binary',
    'Content-ID: 2',
    '',
    'POST http://host/svc/$1/Products HTTP/1.1',
    'Content-ID: 2',
    'Content-Type: application/atom+xml;type=entry',
    'Content-Length: 8',
    '',
    '<entry/>',
    '--changeset_11111111-2222-3333-4444-555555555555--',
    '--batch_3d7d6a5c-6a2f-4b4a-9a53-0f0d0c0b0a09--',
  ),
  parts: [
    {
      method: 'GET',
      uri: 'http://host/svc/Products(1)',
      headers: {},
      body: '',
      contentId: undefined,
    },
    {
      isLone: false,
      changeSet: [
        {
          method: 'POST',
          uri: 'http://host/svc/Categories',
          headers: {
            'content-id': '1',
            'content-type': 'application/atom+xml;type=entry',
            'content-length': '8',
          },
          body: '<entry/>',
          contentId: '1',
        },
        {
          method: 'POST',
          uri: 'http://host/svc/$1/Products',
          headers: {
            'content-id': '2',
            'content-type': 'application/atom+xml;type=entry',
            'content-length': '8',
          },
          body: '<entry/>',
          contentId: '2',
        },
      ],
    },
  ],
}

/** Batches as clients write them. */
export const clientBatches: readonly ClientBatch[] = [ui5, datajs, cloudSdk, cap, pyodata, wcf]
