/** Requests that save a form, or delete an entity: changes with the ETag of an entity, in UI5 followed by a read of it. */
import { deletableCount, restoreProducts } from '../shop/deleted.mjs'
import { product, productCount } from '../shop/rows.mjs'
import { goal, ours } from './variants.mjs'

/** The stock of a product counts its changes: it is the version. */
const target = (n) => {
  const id = (n % productCount) + 1
  return { id, etag: `W/"${Number(product(id).Stock) + Math.floor(n / productCount)}L"` }
}

const bodyOf = (n) =>
  JSON.stringify({
    Name: `Gehäuse "Größe ${n % 7}"`,
    Description: `Für Regale, 'links' & rechts.\nZeile ${n}: naïve Käufer\u2028“zahlen” <viel>\t${n * 3} €.`,
    Price: `${n % 900}.5`,
  })

const merge = {
  name: 'merge',
  title: 'MERGE with If-Match',
  response: 'empty',
  request(n) {
    const { id, etag } = target(n)
    const headers = { accept: 'application/json', 'content-type': 'application/json', 'if-match': etag }
    return { method: 'MERGE', path: `/shop/Products(${id})`, headers, body: bodyOf(n) }
  },
}

/** The products are restored between measurements. */
const remove = {
  name: 'delete',
  title: 'DELETE with If-Match',
  response: 'empty',
  restore: restoreProducts,
  request(n) {
    const id = (n % deletableCount) + 1
    const { Stock } = product(((id - 1) % productCount) + 1)
    return { method: 'DELETE', path: `/shop/Products(${id})`, headers: { 'if-match': `W/"${Stock}L"` } }
  },
}

const save = {
  name: 'save',
  title: '$batch of UI5: MERGE in a change set, and GET',
  response: 'batch',
  request(n) {
    const { id, etag } = target(n)
    const body = bodyOf(n)
    const part = 'Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n'
    return {
      method: 'POST',
      path: '/shop/$batch',
      headers: { accept: 'multipart/mixed', 'content-type': `multipart/mixed; boundary=batch_${n}-4ba2` },
      body:
        `--batch_${n}-4ba2\r\nContent-Type: multipart/mixed; boundary=changeset_${n}-ad09\r\n\r\n` +
        `--changeset_${n}-ad09\r\n${part}MERGE Products(${id}) HTTP/1.1\r\nsap-contextid-accept: header\r\n` +
        `Accept: application/json\r\nAccept-Language: de\r\nDataServiceVersion: 2.0\r\nMaxDataServiceVersion: 2.0\r\n` +
        `Content-Type: application/json\r\nIf-Match: ${etag}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n` +
        `${body}\r\n--changeset_${n}-ad09--\r\n\r\n--batch_${n}-4ba2\r\n${part}GET Products(${id}) HTTP/1.1\r\n` +
        'sap-cancel-on-close: true\r\nAccept: application/json\r\nAccept-Language: de\r\nDataServiceVersion: 2.0\r\n' +
        `MaxDataServiceVersion: 2.0\r\n\r\n\r\n--batch_${n}-4ba2--\r\n`,
    }
  },
}

const on = (store, label, driver) => (workload) => {
  const handCoded = { name: `hand-coded with ${driver}, Express`, server: 'hand-coded-saves' }
  const variant = (host) => {
    const one = ours(store === 'sqlite' ? 'sql' : store, host)
    return { ...one, settings: { ...one.settings, isVersioned: true } }
  }
  const [express, fast] = ['express', 'fast'].map(variant)
  return {
    ...workload,
    name: `${store}-${workload.name}`,
    title: `${workload.title}, ${label}`,
    resources: [store],
    isChange: true,
    variants: [handCoded, express, fast, variant('node')],
    goals: [goal(express, 0.75), goal(fast, 0.9)],
  }
}

export const saveWorkloads = [merge, remove, save].flatMap((one) => [
  on('sqlite', 'SQLite', 'better-sqlite3')(one),
  on('postgres', 'PostgreSQL', 'pg')(one),
])
