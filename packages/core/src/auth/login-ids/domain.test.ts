import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../../../test-support/lane.ts'
import { readDomain } from './domain.ts'

describe('a domain', () => {
  it.each([
    ['Example.COM', 'example.com', 'example.com'],
    ['localhost', 'localhost', 'localhost'],
    ['MÜNCHEN.example', 'münchen.example', 'xn--mnchen-3ya.example'],
    ['mu\u0308nchen.example', 'münchen.example', 'xn--mnchen-3ya.example'],
    ['XN--mnchen-3YA.example', 'xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
    ['ｅｘａｍｐｌｅ．com', 'example.com', 'example.com'],
    ['例え.テスト', '例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['my_host.example', 'my_host.example', 'my_host.example'],
    ['1.2.3.example', '1.2.3.example', '1.2.3.example'],
    ['Straße.example', 'straße.example', 'xn--strae-oqa.example'],
    ['STRAẞE.example', 'straße.example', 'xn--strae-oqa.example'],
    ['STRASSE.example', 'strasse.example', 'strasse.example'],
    ['ΒΌΛΟΣ.example', 'βόλοσ.example', 'xn--nxasmq6b.example'],
    ['βόλος.example', 'βόλος.example', 'xn--nxasmm1c.example'],
  ])('%s is %s, in ASCII %s', (text, name, ascii) => {
    expect(readDomain(text)).toEqual({ name, ascii })
  })

  it.each([
    '',
    '.',
    'a..b',
    '.a',
    'a.',
    'a b',
    'a/b',
    'a@b',
    'a:80',
    'a?b',
    'a#b',
    'a%2eb',
    '[127.0.0.1]',
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    'a.0x7f',
    '1',
    '１２７．０．０．１',
    '-a.example',
    'a-.example',
    'xn--a.example',
    'a\u200db.example',
    'a\u00adb.example',
    'a\u2100b.example',
    '例え。jp',
    'ab\n',
    '\ud800.example',
  ])('is not %j', (text) => {
    expect(readDomain(text)).toBeUndefined()
  })

  it('has labels of up to 63 ASCII characters, and 253 characters with dots', () => {
    expect(readDomain(`${'a'.repeat(63)}.example`)).toBeDefined()
    expect(readDomain(`${'a'.repeat(64)}.example`)).toBeUndefined()
    expect(readDomain(`${'ü'.repeat(60)}.example`)).toBeUndefined()
    expect(readDomain(`${'a.'.repeat(123)}example`)).toBeDefined()
    expect(readDomain(`${'a.'.repeat(124)}example`)).toBeUndefined()
    expect(readDomain('a'.repeat(100_000))).toBeUndefined()
  })

  it('is unchanged when its name or its ASCII form is read again', () => {
    const letters = fc.constantFrom(...'abzABZ019-_.ßẞςΣσäÄéİıſ日本кК\u0301\u0345ﬁＡ')
    fc.assert(
      fc.property(fc.string({ unit: letters, minLength: 1, maxLength: 12 }), (text) => {
        const domain = readDomain(text)
        if (domain === undefined) return
        expect(readDomain(domain.name)).toEqual(domain)
        expect(readDomain(domain.ascii)).toEqual({ name: domain.ascii, ascii: domain.ascii })
      }),
      { numRuns: runsOf(300) },
    )
  })
})
