import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Surroundings } from '../webhook.ts'
import { fillTemplate } from './template.ts'

const filled = (within: Surroundings, value: string | undefined): string =>
  fillTemplate(
    ['<', { source: 'data.v', from: { kind: 'body', segments: ['data', 'v'] }, within }, '>'],
    () => value,
  )

const anyText = fc.string({ unit: 'binary' })

describe('a value in a text', () => {
  it.each([
    ['text', 'a\n"<é', '<a\n"<é>'],
    ['json-string', 'a\n"<é\\', '<a\\n\\"<é\\\\>'],
    ['json-value', 'a"', '<"a\\"">'],
    ['markup', `<b a="'">&`, '<&lt;b a=&quot;&#39;&quot;&gt;&amp;>'],
    ['header', 'a\r\nSet-Cookie: b\té', '<a%0D%0ASet-Cookie: b%09%C3%A9>'],
    ['url', '//evil/?a=b&c', '<%2F%2Fevil%2F%3Fa%3Db%26c>'],
    ['url', '\ud800', '<%EF%BF%BD>'],
  ] as const)('is written for %s', (within, value, text) => {
    expect(filled(within, value)).toBe(text)
  })

  it('is empty if it is missing, and null as a value of JSON', () => {
    expect(filled('markup', undefined)).toBe('<>')
    expect(filled('json-value', undefined)).toBe('<null>')
  })

  it('never ends its place', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        expect(JSON.parse(`"${filled('json-string', value).slice(1, -1)}"`)).toBe(value)
        expect(JSON.parse(filled('json-value', value).slice(1, -1))).toBe(value)
        expect(filled('markup', value).slice(1, -1)).not.toMatch(/[<>"']/)
        expect(filled('header', value)).toMatch(/^[\x20-\x7e]*$/)
        expect(filled('url', value).slice(1, -1)).toMatch(/^[\w.!~*'()%-]*$/)
      }),
    )
  })
})
