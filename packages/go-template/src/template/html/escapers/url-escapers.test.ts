import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../../../test-support/cpu-time.ts'
import type { Content } from './content.ts'
import { escapeUrl, filterSrcset, filterUrl, normalizeUrl } from './url-escapers.ts'

const plain = (text: string): Content => ({ text, type: 'plain' })
const url = (text: string): Content => ({ text, type: 'url' })

describe('a URL', () => {
  it.each(['', '/x', 'x/y:z', '//h/x', '?a/b:c', 'http://h', 'HTTPS://h', 'mailto:a@b'])(
    '%j is safe',
    (text) => {
      expect(filterUrl(plain(text))).toBe(text)
    },
  )

  it.each(['javascript:alert(1)', 'JavaScript:x', ' http://h', 'data:x', ':x', 'tel:1', 'a?b:c'])(
    '%j is not',
    (text) => {
      expect(filterUrl(plain(text))).toBe('#ZgotmplZ')
    },
  )

  it('is any value declared as safe', () => {
    expect(filterUrl(url('tel:1'))).toBe('tel:1')
  })

  it('is normalized', () => {
    expect(normalizeUrl(plain('http://h/a b?c=ü&d=%41%zz%#!$*+,;@[]~-._'))).toBe(
      'http://h/a%20b?c=%c3%bc&d=%41%25zz%25#!$*+,;@[]~-._',
    )
    expect(normalizeUrl(plain(`'"()<>\\^\`{|}\n😀`))).toBe(
      '%27%22%28%29%3c%3e%5c%5e%60%7b%7c%7d%0a%f0%9f%98%80',
    )
  })

  it('has encoded parts, except parts that are URLs themselves', () => {
    expect(escapeUrl(plain('a b/?&=%41-._~'))).toBe('a%20b%2f%3f%26%3d%2541-._~')
    expect(escapeUrl(url('a b/?&=%41'))).toBe('a%20b/?&=%41')
  })
})

describe('a list of images', () => {
  it.each([
    ['/a.png', '/a.png'],
    [' /a b 2x , /c 10w', ' /a b 2x , /c 10w'],
    ['/a 1.5x', '#ZgotmplZ'],
    ['javascript:a 1x,/b', '#ZgotmplZ,/b'],
    ["/a'b 2x", '/a%27b 2x'],
    [',', ','],
  ])('%j is written as %j', (text, written) => {
    expect(filterSrcset(plain(text))).toBe(written)
  })

  it('is any value declared as safe, and a single URL declared as safe', () => {
    expect(filterSrcset({ text: 'tel:1 1.5x', type: 'srcset' })).toBe('tel:1 1.5x')
    expect(filterSrcset(url('tel:1, 2'))).toBe('tel:1%2c%202')
  })

  it('takes linear time to check', () => {
    const startedAt = cpuMs()
    filterSrcset(plain(`${'a'.repeat(300_000)} !`))
    filterSrcset(plain(`${' '.repeat(300_000)}!`))
    expect(cpuMs() - startedAt).toBeLessThan(4_000)
  })
})
