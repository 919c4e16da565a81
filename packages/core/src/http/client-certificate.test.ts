import { expect, it } from 'vitest'
import { clientCertificateOf, subjectAltNames } from './client-certificate.ts'

it.each([
  [undefined, []],
  ['', []],
  ['DNS:a.example', ['a.example']],
  ['DNS:a.example, IP Address:10.0.0.1, email:x@y', ['a.example', '10.0.0.1', 'x@y']],
  ['DirName:/CN=x, URI:spiffe://a/b', ['spiffe://a/b']],
  ['DNS:"a.example, DNS:admin, DNS:b"', []],
  ['DNS:"a\\", DNS:admin, DNS:\\"b", DNS:c', ['c']],
  ['othername:<unsupported>, DNS:c', ['c']],
])('reads the names in %j, and none that a quoted name pretends', (text, names) => {
  expect(subjectAltNames(text)).toEqual(names)
})

it('reads a verified certificate once for a connection', () => {
  let reads = 0
  const socket = {
    authorized: true,
    getPeerCertificate() {
      reads++
      return { subject: { CN: 'client' }, subjectaltname: 'DNS:client.example' }
    },
  }
  const certificate = { commonName: 'client', names: ['client.example'] }
  expect(clientCertificateOf(socket)).toEqual(certificate)
  expect(clientCertificateOf(socket)).toEqual(certificate)
  expect(reads).toBe(1)
  expect(clientCertificateOf({ ...socket, authorized: false })).toBeUndefined()
})

it.each([
  [undefined],
  [{}],
  [{ authorized: true }],
  [{ authorized: false, getPeerCertificate: () => ({ subject: { CN: 'x' } }) }],
])('finds no certificate at %j', (socket) => {
  expect(clientCertificateOf(socket)).toBeUndefined()
})

it('reads nothing from a certificate with several common names', () => {
  const socket = { authorized: true, getPeerCertificate: () => ({ subject: { CN: ['a', 'b'] } }) }
  expect(clientCertificateOf(socket)).toEqual({ commonName: undefined, names: [] })
})
