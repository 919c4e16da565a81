import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../../test-support/cpu-time.ts'
import { stripTags } from './strip-tags.ts'

describe('the text of HTML', () => {
  it.each([
    ['', ''],
    ['a < b &amp; c', 'a < b &amp; c'],
    ['I <3 U', 'I <3 U'],
    ['a<b>c</b>d', 'acd'],
    ['a<!-- b --><c d="e>f" g=\'h>i\' j=k>l', 'al'],
    ['a<br/>b', 'ab'],
    ['<script>x<y</script>z', 'z'],
    ['<style>x</style>y', 'y'],
    ['<textarea>x &lt;</textarea>y', 'x &lt;y'],
    ['a<b c="d', 'a'],
    ['a<b "c">d', 'a'],
    ['a<script>b', 'a'],
  ])('%j is %j', (html, text) => {
    expect(stripTags(html)).toBe(text)
  })

  it('takes linear time to find', () => {
    const startedAt = cpuMs()
    for (const html of ['<a>', '<a b=c ', '<script></script>', '<!--', '<textarea>']) {
      stripTags(html.repeat(50_000))
    }
    expect(cpuMs() - startedAt).toBeLessThan(6_000)
  })
})
