import { describe, expect, it } from 'vitest'
import { readRefusal, showRefusal } from './refusal.ts'

describe('a refusal', () => {
  it('is an answer with an error', () => {
    const error_uri = 'https://provider.example/errors#invalid_grant'
    const answer = { error: 'invalid_grant', error_description: 'expired', error_uri, extra: 1 }
    expect(readRefusal(answer)).toEqual({
      error: 'invalid_grant',
      error_description: 'expired',
      error_uri,
    })
    expect(readRefusal({ error: 'invalid_grant' })).toEqual({ error: 'invalid_grant' })
  })

  it.each([[{}], [{ error: '' }], [{ error: null }], [{ error: { type: 'x' } }], [{ error: 5 }]])(
    'is not an answer like %j',
    (answer) => {
      expect(readRefusal(answer)).toBeUndefined()
    },
  )

  it('is shown without the secrets in it, even if they are escaped', () => {
    const secrets = ['4/0Ab code', 'verifier-1', '']
    const shown = showRefusal(
      {
        error: 'bad verifier-1',
        error_description: 'the code 4/0Ab code (4%2F0Ab%20code) does not go with verifier-1',
        error_uri: 'https://provider.example/?code=4%2F0Ab%20code',
      },
      secrets,
    )
    expect(shown).toEqual({
      error: 'bad <secret>',
      error_description: 'the code <secret> (<secret>) does not go with <secret>',
      error_uri: 'https://provider.example/?code=<secret>',
    })
  })

  it('is shown on one line, with limited length', () => {
    const shown = showRefusal(
      { error: 'e'.repeat(5_000), error_description: `a\r\n\u0000b${'😀'.repeat(5_000)}` },
      [],
    )
    expect(shown.error).toBe('e'.repeat(100))
    expect(shown.error_description).toBe(`a b${'😀'.repeat(248)}\ufffd`)
    expect(shown.error_description).toHaveLength(500)
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'no URL',
    `https://provider.example/${'x'.repeat(500)}`,
  ])('is shown without the link %s', (error_uri) => {
    expect(showRefusal({ error: 'x', error_uri }, [])).toEqual({ error: 'x' })
  })
})
