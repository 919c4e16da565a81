import { describe, expect, it } from 'vitest'
import { type Hop, nextHop } from './redirect.ts'

/** Follows 307 redirects from a first URL: whether each target is still trusted. */
function trustAlong(first: string, ...locations: readonly string[]): readonly boolean[] {
  const home = new URL(first)
  let hop: Hop = { method: 'POST', url: home, body: 'b', isTrusted: true }
  return locations.map((location) => {
    const next = nextHop(hop, home, { status: 307, location })
    if (next === undefined) throw new RangeError(`${location} leads nowhere`)
    hop = next
    return hop.isTrusted
  })
}

describe('nextHop', () => {
  it('resolves a location against the URL that redirected', () => {
    const hop: Hop = {
      method: 'GET',
      url: new URL('http://a/b/c?d'),
      body: undefined,
      isTrusted: true,
    }
    const to = (location: string): string | undefined =>
      nextHop(hop, hop.url, { status: 302, location })?.url.href
    expect(['x', '/x', '?x', '//h/x', 'https://h'].map(to)).toEqual([
      'http://a/b/x',
      'http://a/x',
      'http://a/b/c?x',
      'http://h/x',
      'https://h/',
    ])
  })

  it('trusts the first host on any port, and its subdomains', () => {
    expect(trustAlong('http://a.example/', 'http://a.example:81/', 'http://b.a.example/')).toEqual([
      true,
      true,
    ])
  })

  it.each([
    ['another host', 'http://a.example/', 'http://b.example/'],
    ['a parent domain', 'http://a.example/', 'http://example/'],
    ['a host with a similar name', 'http://a.example/', 'http://ba.example/'],
    ['the same host without TLS', 'https://a.example/', 'http://a.example/'],
    ['another address', 'http://[::1]/', 'http://[::2]/'],
  ])('does not trust %s', (_, first, location) => {
    expect(trustAlong(first, location)).toEqual([false])
  })

  it('does not trust again on the way back', () => {
    expect(trustAlong('http://a.example/', 'http://b.example/', 'http://a.example/')).toEqual([
      false,
      false,
    ])
  })

  it.each(['http://[', 'javascript:alert(1)', 'file:///etc/passwd'])('refuses "%s"', (location) => {
    expect(() => trustAlong('http://a.example/', location)).toThrow(
      'redirected to a URL that is not http or https',
    )
  })

  it('keeps HEAD where other methods become GET', () => {
    const url = new URL('http://a/')
    const methodAfter = (method: string): string | undefined =>
      nextHop({ method, url, body: undefined, isTrusted: true }, url, {
        status: 301,
        location: '/',
      })?.method
    expect(['HEAD', 'GET', 'PUT'].map(methodAfter)).toEqual(['HEAD', 'GET', 'GET'])
  })
})
