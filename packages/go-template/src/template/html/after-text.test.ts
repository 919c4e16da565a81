import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../../test-support/cpu-time.ts'
import { HtmlReader } from './after-text.ts'
import { type Context, textContext } from './context.ts'

/** The context after a text, as its differences from plain text. */
function contextBehind(text: string): Partial<Context> {
  const reader = new HtmlReader(text)
  let context = textContext
  for (let at = 0; at < text.length; ) {
    const step = reader.read(context, at)
    context = step.context
    at += step.length
  }
  const plain = new Map(Object.entries(textContext))
  return Object.fromEntries(
    Object.entries(context).filter(([key, value]) => plain.get(key) !== value),
  )
}

const doubleQuoted = { delim: 'delimDoubleQuote' }
const script = { element: 'elementScript' }
const style = { element: 'elementStyle' }

describe('after text', () => {
  it.each([
    ['', {}],
    ['a < b <3 </ </3> <', {}],
    ['<!DOCTYPE html><p>x</p>', {}],
    ['<a', { state: 'stateTag' }],
    ['<a-b:c', { state: 'stateTag' }],
    ['<br/>', {}],
    ['<!-- <a', { state: 'stateHTMLCmt' }],
    ['<!-- <a -->', {}],
    ['<textarea>a<b', { state: 'stateRCDATA', element: 'elementTextarea' }],
    ['<TITLE>x</TiTle>', {}],
    ['<title>x</titles', { state: 'stateRCDATA', element: 'elementTitle' }],
  ])('%j', (text, context) => {
    expect(contextBehind(text)).toEqual(context)
  })
})

describe('in a tag', () => {
  it.each([
    ['<a ', { state: 'stateTag' }],
    ['<a hre', { state: 'stateAttrName' }],
    ['<a href', { state: 'stateAttrName', attr: 'attrURL' }],
    ['<a href ', { state: 'stateAfterName', attr: 'attrURL' }],
    ['<a href=', { state: 'stateBeforeValue', attr: 'attrURL' }],
    ['<a async b', { state: 'stateAttrName' }],
    ['<a x=y', { state: 'stateAttr', delim: 'delimSpaceOrTagEnd' }],
    ["<a x='y", { state: 'stateAttr', delim: 'delimSingleQuote' }],
    ['<a x="y" ', { state: 'stateTag' }],
    ['<a x=y>', {}],
  ])('%j', (text, context) => {
    expect(contextBehind(text)).toMatchObject(context)
  })

  it.each([
    ['<a "b', '"\\"" in attribute name: " \\"b"'],
    ['<a b<c>', '"<" in attribute name: " b<c>"'],
    ['<a =b', 'expected space, attr name, or end of tag, but got "=b"'],
    ['<a b=c"d', '"\\"" in unquoted attr: "c\\"d"'],
    ['<a b=c=d e', '"=" in unquoted attr: "c=d"'],
  ])('%j is refused', (text, problem) => {
    expect(contextBehind(text)).toEqual({ state: 'stateError', problem })
  })
})

describe('in a URL', () => {
  it.each([
    ['<a href="', { urlPart: undefined }],
    ['<a href=" ', { urlPart: undefined }],
    ['<a href="/x', { urlPart: 'urlPartPreQuery' }],
    ['<a href="/x?y', { urlPart: 'urlPartQueryOrFrag' }],
    ['<a href="#', { urlPart: 'urlPartQueryOrFrag' }],
    ['<a href="/x&#63;', { urlPart: 'urlPartQueryOrFrag' }],
    ['<a href="/x&quest;', { urlPart: 'urlPartQueryOrFrag' }],
    ['<a href="/x&num;', { urlPart: 'urlPartQueryOrFrag' }],
  ])('%j', (text, context) => {
    expect(contextBehind(text)).toEqual({
      state: 'stateURL',
      ...doubleQuoted,
      attr: 'attrURL',
      ...context,
    })
  })

  it('of a refresh', () => {
    const meta = { ...doubleQuoted, attr: 'attrMetaContent', element: 'elementMeta' }
    const inUrl = { ...meta, state: 'stateMetaContentURL' }
    expect(contextBehind('<meta content="3; URL=')).toEqual(inUrl)
    expect(contextBehind('<meta content="url=/x;')).toEqual({ ...meta, state: 'stateMetaContent' })
    expect(contextBehind('<meta content="url=/x">')).toEqual({})
  })
})

describe('in a script', () => {
  it.each([
    ['', { state: 'stateJS' }],
    ['"a\\"', { state: 'stateJSDqStr' }],
    ["'a", { state: 'stateJSSqStr' }],
    ['"a"', { state: 'stateJS', jsCtx: 'jsCtxDivOp' }],
    ['/a[/', { state: 'stateError', problem: 'unfinished JS regexp charset: "a[/"' }],
    ['/a[/]', { state: 'stateJSRegexp' }],
    ['/a/', { state: 'stateJS', jsCtx: 'jsCtxDivOp' }],
    ['a / b /', { state: 'stateJS' }],
    ['a\u00a0/ b', { state: 'stateJS', jsCtx: 'jsCtxDivOp' }],
    ['return /b', { state: 'stateJSRegexp' }],
    ['areturn /b', { state: 'stateJS', jsCtx: 'jsCtxDivOp' }],
    ['a++ /b', { state: 'stateJS', jsCtx: 'jsCtxDivOp' }],
    ['a+ /b', { state: 'stateJSRegexp' }],
    ['a- /b', { state: 'stateJSRegexp' }],
    ['a< /b', { state: 'stateJSRegexp' }],
    ['{ /b', { state: 'stateJSRegexp' }],
    ['42. /b', { state: 'stateJS', jsCtx: 'jsCtxDivOp' }],
    ['// a', { state: 'stateJSLineCmt' }],
    ['// a\n', { state: 'stateJS' }],
    ['/* a\n', { state: 'stateJSBlockCmt' }],
    ['/* a */', { state: 'stateJS' }],
    ['<!-- a', { state: 'stateJSHTMLOpenCmt' }],
    ['--> a', { state: 'stateJSHTMLCloseCmt' }],
    ['--> a\n', { state: 'stateJS' }],
    ['#! a', { state: 'stateJSLineCmt' }],
    ['"</script>', { state: 'stateJSDqStr' }],
    ['/[a</script>', { state: 'stateError' }],
    ['/a</script>', { state: 'stateJSRegexp' }],
    ['"a\\', { state: 'stateError', problem: 'unfinished escape sequence in JS string: "a\\\\"' }],
  ])('%j', (text, context) => {
    const { state } = context
    const element = state === 'stateError' ? {} : script
    expect(contextBehind(`<script>${text}`)).toMatchObject({ ...element, ...context })
  })

  it('counts the braces of template literals', () => {
    expect(contextBehind('<script>`a\\`\x24{b')).toMatchObject({
      state: 'stateJS',
      jsBraceDepth: [0],
    })
    expect(contextBehind('<script>`\x24{ {a: `\x24{{')).toMatchObject({ jsBraceDepth: [1, 1] })
    expect(contextBehind('<script>`\x24{ {} }')).toMatchObject({ state: 'stateJSTmplLit' })
    expect(contextBehind('<script>`\x24{ {} }` /')).toMatchObject({ state: 'stateJS' })
    expect(contextBehind(`<script>${'`\x24{'.repeat(101)}`)).toMatchObject({ state: 'stateError' })
  })

  it.each([
    ['<script type="text/plain">', {}],
    ['<script type="Module; x">', { state: 'stateJS', ...script }],
    ["<script type='application/ld+json'>", { state: 'stateJS', ...script }],
    ['<script type=text/template>"', {}],
    ['<script>x</SCRIPT >', {}],
  ])('%j', (text, context) => {
    expect(contextBehind(text)).toEqual(context)
  })

  it('decodes character references in attributes', () => {
    expect(contextBehind('<a onclick="f(&quot;&copy;')).toMatchObject({ state: 'stateJSDqStr' })
    expect(contextBehind("<a onclick='&#39 &lt")).toMatchObject({ state: 'stateJSSqStr' })
    expect(contextBehind('<a onclick="a&eacute;')).toMatchObject({ jsCtx: 'jsCtxDivOp' })
  })
})

describe('in a style sheet', () => {
  it.each([
    ['p { a: b', { state: 'stateCSS' }],
    ['"a\\"', { state: 'stateCSSDqStr', urlPart: 'urlPartPreQuery' }],
    ["'", { state: 'stateCSSSqStr' }],
    ['"a"', { state: 'stateCSS' }],
    ['url( ', { state: 'stateCSSURL' }],
    ['URL\t( "', { state: 'stateCSSDqURL' }],
    ["url('?", { state: 'stateCSSSqURL', urlPart: 'urlPartQueryOrFrag' }],
    ["url('\\3f x", { state: 'stateCSSSqURL', urlPart: 'urlPartQueryOrFrag' }],
    ['url(/x?y)', { state: 'stateCSS' }],
    ['-url(', { state: 'stateCSS' }],
    ['éurl(', { state: 'stateCSS' }],
    ['f(', { state: 'stateCSS' }],
    ['/* "', { state: 'stateCSSBlockCmt' }],
    ['/* */', { state: 'stateCSS' }],
    ['// "', { state: 'stateCSSLineCmt' }],
    ['// "\n', { state: 'stateCSS' }],
    ['a / b', { state: 'stateCSS' }],
  ])('%j', (text, context) => {
    expect(contextBehind(`<style>${text}`)).toEqual({ ...style, ...context })
  })

  it('refuses a truncated escape', () => {
    expect(contextBehind('<style>"\\')).toEqual({
      state: 'stateError',
      problem: 'unfinished escape sequence in CSS string: "\\\\"',
    })
  })
})

describe('reading', () => {
  it.each([
    ['end tags that do not come', `<script>${'"a";'.repeat(100_000)}`],
    ['many braces', `<script>${'{'.repeat(400_000)}`],
    ['many parentheses', `<style>${'( '.repeat(200_000)}`],
    ['many escapes', `<style>"${'\\26 '.repeat(100_000)}`],
    ['many tags', '<a b=c>'.repeat(60_000)],
    ['many attributes', `<a${' b="c"'.repeat(60_000)}`],
    ['much that is no tag', '</<'.repeat(150_000)],
    ['many references', `<a onclick="${'&amp'.repeat(100_000)}`],
    ['many pluses', `<script>${'+ '.repeat(200_000)}`],
    ['many comments', `<script>${'/**/'.repeat(100_000)}`],
  ])('takes linear time: %s', (_, text) => {
    const startedAt = cpuMs()
    contextBehind(text)
    expect(cpuMs() - startedAt).toBeLessThan(6_000)
  })
})
