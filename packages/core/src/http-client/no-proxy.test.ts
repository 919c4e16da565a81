import { describe, expect, it } from 'vitest'
import { parseNoProxy } from './no-proxy.ts'

const isDirect = (list: string, url: string): boolean => parseNoProxy(list)(new URL(url))

describe('parseNoProxy', () => {
  it.each([
    ['', 'http://localhost/'],
    ['', 'http://localhost:8080/'],
    ['', 'http://127.0.0.1/'],
    ['', 'http://127.3.2.1/'],
    ['', 'http://[::1]/'],
    ['*', 'http://a.example/'],
    ['b, *', 'http://a.example/'],
    ['a.example', 'http://a.example/'],
    ['A.Example', 'http://a.example/'],
    ['x, a.example ,y', 'http://a.example/'],
    ['example', 'http://a.example/'],
    ['.example', 'http://a.example/'],
    ['*.example', 'http://a.b.example/'],
    ['a.example:80', 'http://a.example/'],
    ['a.example:443', 'https://a.example/'],
    ['a.example:8080', 'http://a.example:8080/'],
    ['.example:8080', 'http://a.example:8080/'],
    ['münchen.example', 'http://xn--mnchen-3ya.example/'],
    ['.münchen.example', 'http://a.xn--mnchen-3ya.example/'],
    ['10.0.0.1', 'http://10.0.0.1/'],
    ['10.0.0.1:80', 'http://10.0.0.1/'],
    ['10.0.0.0/8', 'http://10.1.2.3/'],
    ['10.0.0.1', 'http://[::ffff:10.0.0.1]/'],
    ['2001:db8::1', 'http://[2001:db8:0::1]/'],
    ['[2001:db8::1]:80', 'http://[2001:db8::1]/'],
    ['2001:db8::/32', 'http://[2001:db8:1::1]/'],
  ])('"%s" reaches %s directly', (list, url) => {
    expect(isDirect(list, url)).toBe(true)
  })

  it.each([
    ['', 'http://a.example/'],
    [',, ,', 'http://a.example/'],
    ['a.example', 'http://b.a-example/'],
    ['a.example', 'http://ba.example/'],
    ['.a.example', 'http://a.example/'],
    ['*.a.example', 'http://a.example/'],
    ['a.example:81', 'http://a.example/'],
    ['a.example:80', 'https://a.example/'],
    [':80', 'http://a.example/'],
    ['10.0.0.1', 'http://10.0.0.2/'],
    ['10.0.0.1:81', 'http://10.0.0.1/'],
    ['10.0.0.0/8', 'http://11.0.0.1/'],
    ['10.0.0.0/33', 'http://10.0.0.1/'],
    ['10.0.0.0/8', 'http://a.example/'],
    ['2001:db8::/129', 'http://[2001:db8::1]/'],
    ['.', 'http://a.example/'],
  ])('"%s" does not reach %s directly', (list, url) => {
    expect(isDirect(list, url)).toBe(false)
  })
})
