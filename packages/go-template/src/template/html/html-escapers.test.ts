import { describe, expect, it } from 'vitest'
import type { Content } from './escapers/content.ts'
import {
  escapeAttribute,
  escapeHtml,
  escapeRcdata,
  escapeUnquoted,
  filterAttributeName,
} from './html-escapers.ts'

const plain = (text: string): Content => ({ text, type: 'plain' })
const html = (text: string): Content => ({ text, type: 'html' })

const all = `\0"&'+<> =\`\té`
const allEscaped = '\ufffd&#34;&amp;&#39;&#43;&lt;&gt; =`\té'

describe('plain text', () => {
  it('is escaped between elements, in text areas, and in quotes', () => {
    expect([escapeHtml, escapeRcdata, escapeAttribute].map((f) => f(plain(all)))).toEqual([
      allEscaped,
      allEscaped,
      allEscaped,
    ])
  })

  it('is escaped with its blanks without quotes', () => {
    expect(escapeUnquoted(plain(all))).toBe(
      '&#xfffd;&#34;&amp;&#39;&#43;&lt;&gt;&#32;&#61;&#96;&#9;é',
    )
    expect(escapeUnquoted(plain('\v\f\r\n\ufdd0\uffff\ud800😀'))).toBe(
      '&#11;&#12;&#13;&#10;&#xfdd0;&#xffff;&#xfffd;😀',
    )
  })

  it('is replaced if it is empty and without quotes', () => {
    expect(escapeUnquoted(plain(''))).toBe('ZgotmplZ')
  })
})

describe('HTML', () => {
  const fragment = html('<b title="x > y">a &amp; b</b>')

  it('stays unchanged between elements', () => {
    expect(escapeHtml(fragment)).toBe(fragment.text)
  })

  it('loses its tags in attributes', () => {
    expect(escapeAttribute(fragment)).toBe('a &amp; b')
    expect(escapeUnquoted(fragment)).toBe('a&#32;&amp;&#32;b')
  })

  it('shows its tags in text areas', () => {
    expect(escapeRcdata(html('<b>&amp;'))).toBe('&lt;b&gt;&amp;')
  })
})

describe('an attribute name', () => {
  it.each([
    ['title', 'title'],
    ['Title2', 'title2'],
    ['', 'ZgotmplZ'],
    ['href', 'ZgotmplZ'],
    ['onclick', 'ZgotmplZ'],
    ['STYLE', 'ZgotmplZ'],
    ['type', 'ZgotmplZ'],
    ['a-b', 'ZgotmplZ'],
    ['a b', 'ZgotmplZ'],
    ['é', 'ZgotmplZ'],
  ])('%j is written as %s', (name, written) => {
    expect(filterAttributeName(plain(name))).toBe(written)
  })

  it('is any value declared as safe', () => {
    expect(filterAttributeName({ text: 'a-b="c"', type: 'htmlAttribute' })).toBe('a-b="c"')
  })
})
