import { describe, expect, it } from 'vitest'
import { requestContext } from './request-context.ts'

const request = (headers: Record<string, string> = {}) => new Request('http://host/', { headers })

describe('the context of a request', () => {
  it('has the query, address, user agent and cookies that are present', () => {
    expect(requestContext(request(), { query: '' })).toEqual({ query: '' })
    const headers = {
      cookie: 'session=a.b',
      'user-agent': `Browser/1 ${'x'.repeat(1_000)}`,
      'x-forwarded-for': '192.0.2.1',
    }
    const peer = { address: '10.0.0.9', port: 4_711 }
    const context = requestContext(request(headers), { query: 'x_ref=1', peer })
    expect(context).toMatchObject({ query: 'x_ref=1', ip: '10.0.0.9', cookie: 'session=a.b' })
    expect(context.userAgent).toMatch(/^Browser\/1 x{490}$/)
  })
})
