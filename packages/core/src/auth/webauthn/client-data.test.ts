import { describe, expect, it } from 'vitest'
import { isFromOrigins, readClientData } from './client-data.ts'

const origins = ['https://auth.example.com', 'https://app.example.com']
const [origin = '', other = ''] = origins
const evil = 'https://evil.example'
const encode = (text: string): string => Buffer.from(text).toString('base64url')

describe('client data', () => {
  it('are read from the JSON of a browser', () => {
    const text = '{"type":"webauthn.get","challenge":"YQ","origin":"https://a","crossOrigin":false}'
    expect(readClientData(encode(text))).toEqual({
      challenge: 'YQ',
      origin: 'https://a',
      crossOrigin: false,
    })
  })

  it.each([
    undefined,
    null,
    7,
    [],
    {},
    '',
    '!!',
    encode('{'),
    encode('null'),
    encode('"text"'),
    encode('[]'),
    encode('{"challenge":7,"origin":"https://a"}'),
    encode('{"challenge":"YQ"}'),
    encode('{"challenge":"YQ","origin":"https://a","crossOrigin":"no"}'),
    encode('['.repeat(40_000)),
    encode(`{"challenge":"YQ","origin":"https://a","x":"${'x'.repeat(49_200)}"}`),
  ])('are not read from %.40j', (encoded) => {
    expect(readClientData(encoded)).toBeUndefined()
  })
})

describe('a page is allowed', () => {
  it.each([
    ['of an origin', { origin }],
    ['of an origin, outside a frame', { origin, crossOrigin: false }],
    [
      'in a frame of a page of another allowed origin',
      { origin, crossOrigin: true, topOrigin: other },
    ],
  ])('%s', (_, clientData) => {
    expect(isFromOrigins({ challenge: 'YQ', ...clientData }, origins)).toBe(true)
  })
})

describe('a page is refused', () => {
  it.each([
    ['of any other origin', { origin: evil }],
    ['of an origin that only begins with an allowed one', { origin: `${origin}.evil.example` }],
    ['of an origin in other case', { origin: origin.toUpperCase() }],
    ['in a frame of a foreign page', { origin, crossOrigin: true, topOrigin: evil }],
    ['in a frame of an unnamed page', { origin, crossOrigin: true }],
    ['under a foreign page without a frame', { origin, topOrigin: evil }],
    ['with itself as the top page', { origin, topOrigin: origin }],
  ])('%s', (_, clientData) => {
    expect(isFromOrigins({ challenge: 'YQ', ...clientData }, origins)).toBe(false)
  })
})
