import { decodeAuthConfig } from '@gatehouse/core/auth'
import { parseWebhooksDocument } from '@gatehouse/core/webhook'
import { describe, expect, it } from 'vitest'
import type { ListenPlace } from '../server/listen-address.ts'
import { developmentOrigin, forDevelopment, namesOrigin } from './development.ts'

describe('developmentOrigin()', () => {
  it.each<[readonly ListenPlace[], boolean, string]>([
    [[{ port: 8081 }], false, 'http://localhost:8081'],
    [[{ host: '0.0.0.0', port: 1 }], true, 'https://localhost:1'],
    [[{ host: '::', port: 2 }], false, 'http://localhost:2'],
    [[{ host: '127.0.0.1', port: 3 }], false, 'http://localhost:3'],
    [[{ host: '::1', port: 4 }], false, 'http://localhost:4'],
    [[{ path: '/run/a' }, { host: 'dev.example', port: 5 }], false, 'http://dev.example:5'],
    [[{ path: '/run/a' }], false, 'http://localhost'],
  ])('returns the URL for a browser for %j', (places, isSecure, expected) => {
    expect(developmentOrigin(places, isSecure)).toBe(expected)
  })
})

const httpOf = (text: string) =>
  decodeAuthConfig(forDevelopment(parseWebhooksDocument({ text }), 'http://localhost:1')).http

describe('forDevelopment()', () => {
  it('adds the origin of the service and keeps existing settings', () => {
    const reached = { public_origin: 'http://localhost:1', allow_insecure: true }
    expect(httpOf('id: a')).toMatchObject({ ...reached, cookie_prefix: '' })
    expect(httpOf('http: { cookie_prefix: b }\nid: a')).toMatchObject({
      ...reached,
      cookie_prefix: 'b',
    })
    const given = 'id: a\nhttp: { public_origin: "https://a.example", allow_insecure: false }\n'
    expect(httpOf(given)).toMatchObject({
      public_origin: 'https://a.example',
      allow_insecure: false,
    })
  })

  it.each(['[]', 'text', 'id: a\nhttp: []'])(
    'leaves %j for the check of the document to report',
    (text) => {
      const document = parseWebhooksDocument({ text })
      expect(forDevelopment(document, 'http://localhost:1')).toBe(document)
      expect(namesOrigin(document)).toBe(false)
    },
  )

  it('detects whether the document sets an origin', () => {
    const names = (text: string) => namesOrigin(parseWebhooksDocument({ text }))
    expect(names('http: { public_origin: "https://a.example" }')).toBe(true)
    expect(names('http: { cookie_prefix: b }')).toBe(false)
    expect(names('id: a')).toBe(false)
  })
})
