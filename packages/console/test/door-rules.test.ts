import type { Fetch } from '@gatehouse/client'
import { describe, expect, it } from 'vitest'
import { fetchQuietly } from '../src/data/quiet-fetch.ts'
import { clip } from '../src/widgets/clip.ts'
import { visible } from '../src/widgets/visible.ts'

describe('the characters of a stranger', () => {
  it.each([
    ['\u202eevil', '[U+202E]evil'],
    ['a\u2066b\u2069', 'a[U+2066]b[U+2069]'],
    ['a\u0000b\u001b[31m', 'a[U+0000]b[U+001B][31m'],
    ['zero\u200bwidth\ufeff', 'zero[U+200B]width[U+FEFF]'],
    ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
    ['👩‍👩‍👧 שלום', '👩‍👩‍👧 שלום'],
  ])('%j are all visible', (text, shown) => {
    expect(visible(text)).toBe(shown)
    expect(clip(text)).toBe(shown)
  })
})

describe('a request of the page', () => {
  const init = { method: 'GET', headers: {} }
  /** A server that knows who asks only if it may make the browser ask. */
  const serve = (sent: unknown[]): Fetch => {
    return async (_, { headers }) => {
      sent.push(headers)
      const isKnown = Reflect.get(headers ?? {}, 'x-gatehouse-sign-in') === 'true'
      return new Response(null, { status: isKnown ? 200 : 401 })
    }
  }
  const quiet = { 'x-requested-with': 'XMLHttpRequest' }

  it('never makes the browser ask for a password that it does not have', async () => {
    const sent: unknown[] = []
    let [asked, now] = [0, 0]
    const hasPassword = async (): Promise<boolean> => ++asked < 0
    const fetch = fetchQuietly(hasPassword, serve(sent), () => now)
    expect((await fetch('/a', init)).status).toBe(401)
    expect((await fetch('/b', init)).status).toBe(401)
    expect(sent).toEqual([quiet, quiet])
    expect(asked).toBe(1)
    now = 6_000
    await fetch('/c', init)
    expect(asked).toBe(2)
  })

  it('is sent once more, with the permission to ask, if the browser has the password', async () => {
    const sent: unknown[] = []
    const fetch = fetchQuietly(async () => true, serve(sent))
    expect((await fetch('/a', init)).status).toBe(200)
    expect(sent).toEqual([quiet, { ...quiet, 'x-gatehouse-sign-in': 'true' }])
  })

  it('with a token of its own is not about the password', async () => {
    const sent: unknown[] = []
    const headers = { authorization: 'Bearer wrong' }
    const fetch = fetchQuietly(async () => true, serve(sent))
    expect((await fetch('/runs', { ...init, headers })).status).toBe(401)
    expect(sent).toHaveLength(1)
  })
})
