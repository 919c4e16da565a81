import { describe, expect, it } from 'vitest'
import { parseUrl } from './parse-url.ts'

describe('parseUrl', () => {
  it.each(['', 'x', '/x', 'http://', 'http://a b/', 'http://[x]/'])('refuses %j', (text) => {
    expect(parseUrl(text)).toBeUndefined()
  })

  it('resolves a relative URL', () => {
    expect(parseUrl('../c?d', 'https://h/a/b')?.href).toBe('https://h/c?d')
    expect(parseUrl('c', new URL('https://h/a/b'))?.href).toBe('https://h/a/c')
    expect(parseUrl('c', 'no base')).toBeUndefined()
  })

  it('gives the same result however often it is called', () => {
    const hosts = new Set<string | undefined>()
    for (let i = 0; i < 20_000; i++) hosts.add(parseUrl('http://bücher.example')?.hostname)
    expect([...hosts]).toEqual(['xn--bcher-kva.example'])
  })
})
