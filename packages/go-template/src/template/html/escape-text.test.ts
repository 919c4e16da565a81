import { describe, expect, it } from 'vitest'
import { type Context, textContext } from './context.ts'
import { escapeText } from './escape-text.ts'
import { EscapeProblem } from './problem.ts'

const script: Context = { ...textContext, state: 'stateJS', element: 'elementScript' }
const escaped = (text: string, context = textContext): string => escapeText(context, text).text

describe('the text of a template', () => {
  it.each([
    ['a < b', 'a &lt; b'],
    ['<', '&lt;'],
    ['<3 </ <b>', '&lt;3 &lt;/ <b>'],
    ['<!doctype html><html>', '<!doctype html><html>'],
    ['<title>a<b</title>', '<title>a&lt;b</title>'],
    ['a<!-- b <c> -->d', 'ad'],
    ['a<<!-- b', 'a&lt;'],
    ['<p title="<!-- x -->">', '<p title="<!-- x -->">'],
    ['<style>a/* b */c// d\ne</style>', '<style>a c\ne</style>'],
    ['<script>a/* b */c// d\ne</script>', '<script>a c\ne</script>'],
    ['<script>a/* b\n */c</script>', '<script>a\nc</script>'],
    ['<script>a<!-- b\n--> c\nd</script>', '<script>a\n\nd</script>'],
    [
      '<script>"</script><script><!--"</script>',
      '<script>"\\x3C/script>\\x3Cscript>\\x3C!--"</script>',
    ],
    ['<script>/<\\/script>/</script>', '<script>/<\\/script>/</script>'],
  ])('%j becomes %j', (text, expected) => {
    expect(escaped(text)).toBe(expected)
  })

  it('continues in the context of the previous text', () => {
    const comment: Context = { ...textContext, state: 'stateHTMLCmt' }
    expect(escapeText(comment, ' x')).toEqual({ text: '', context: comment })
    expect(escapeText(comment, ' x -->y')).toEqual({ text: 'y', context: textContext })
    expect(escaped('</script>x', script)).toBe('</script>x')
    const string: Context = { ...script, state: 'stateJSSqStr' }
    expect(escaped("<SCRIPT>'", string)).toBe("\\x3CSCRIPT>'")
  })

  it('is refused if programs disagree on its meaning', () => {
    expect(() => escapeText(textContext, '<a b=`c>')).toThrow(EscapeProblem)
  })
})
