import { describe, expect, it } from 'vitest'
import { validateJson } from '../../schema/json-schema.ts'
import { callbackSchema, readCallback } from './oauth-callback.ts'

const protocolError = expect.objectContaining({ reason: 'OAuthProtocolError' })

describe('a callback', () => {
  it('has a code in a query, with or without its question mark', () => {
    for (const query of ['code=4%2Fa&state=s', '?code=4%2Fa&state=s']) {
      expect(readCallback({ query })).toEqual({ code: '4/a', query: 'code=4%2Fa&state=s' })
    }
  })

  it('may have a code alone, without a query', () => {
    expect(readCallback({ code: '4/a' })).toEqual({ code: '4/a' })
  })

  it('uses the code of the query if there are two', () => {
    const both = { code: 'other', query: 'code=this' }
    expect(readCallback(both)).toEqual({ code: 'this', query: 'code=this' })
    expect(readCallback({ code: 'other', query: 'state=s' })).toEqual({
      code: 'other',
      query: 'state=s',
    })
  })

  it('may have a refusal, in the query or beside it', () => {
    const refusal = {
      error: 'access_denied',
      error_description: 'not today',
      error_uri: 'https://provider.example/why',
    }
    expect(readCallback(refusal)).toEqual({ refusal })
    expect(readCallback({ query: new URLSearchParams(refusal).toString() })).toEqual({ refusal })
    expect(readCallback({ error: 'access_denied', code: 'a' })).toEqual({
      refusal: { error: 'access_denied' },
    })
  })

  it('has a refusal on one short line, with links only to web pages', () => {
    const read = readCallback({
      error: 'e'.repeat(5_000),
      error_description: `one\n\n\u0000two${'\ud83d\ude00'.repeat(5_000)}`,
      error_uri: 'javascript:alert(1)',
    })
    const {
      error,
      error_description = '',
      error_uri,
    } = 'refusal' in read ? read.refusal : { error: '' }
    expect(error).toHaveLength(100)
    expect(error_description).toMatch(/^one two/)
    expect(error_description.length).toBeLessThanOrEqual(500)
    expect(error_description.isWellFormed()).toBe(true)
    expect(error_uri).toBeUndefined()
  })

  it.each([
    { query: '' },
    { query: '?' },
    { query: 'state=s' },
    { query: 'code=' },
    { query: 'https://app.example.com/cb?code=4' },
    { code: '' },
    { error: '' },
  ])('is refused without a code: %j', (input) => {
    expect(() => readCallback(input)).toThrow(protocolError)
  })

  it.each(['code=a&code=b', 'error=a&error=b', 'code=a&iss=x&iss=y'])(
    'is refused if it is ambiguous: %s',
    (query) => {
      expect(() => readCallback({ query })).toThrow(protocolError)
    },
  )

  it('is required, as a text of limited length', () => {
    expect(validateJson(callbackSchema, {}).map(({ kind }) => kind)).toEqual([
      'required',
      'required',
      'required',
    ])
    expect(validateJson(callbackSchema, { query: 5 })).toMatchObject([
      { location: '/query', kind: 'type' },
    ])
    expect(validateJson(callbackSchema, { code: 'x'.repeat(8_193) })).toMatchObject([
      { location: '/code', kind: 'maxLength' },
    ])
    expect(validateJson(callbackSchema, { query: 'code=a', unknown: true })).toEqual([])
  })
})
