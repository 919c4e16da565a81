import { describe, expect, it } from 'vitest'
import { strings } from '../make-value.ts'
import { parseTemplates, renderText } from '../template-set.ts'
import type { Value } from '../value.ts'
import { libraryFunctions } from './library-functions.ts'

const set = parseTemplates([], { functions: libraryFunctions({ now: () => 0 }) })

const render = (text: string, data: Value = null): string => renderText(set, text, { data })

describe('letters', () => {
  it('change case one by one', () => {
    expect(render('{{ toUpper "straße ŉ é ı" }}|{{ toLower "İI ΑΣ ẞ É" }}')).toBe(
      'STRAßE ŉ É I|ii ασ ß é',
    )
  })

  it.each([
    ['hello wORLD foo-bar', 'Hello World Foo-Bar'],
    ["don't o'neil 'quoted'", "Don't O'neil 'Quoted'"],
    ['a.b x:y foo_bar a..b', 'A.b X:y Foo_bar A..B'],
    ['1st 3d', '1St 3D'],
    ['été ǆabc ßa ΑΣΑΣ', 'Été ǅabc Ssa Ασας'],
    ['', ''],
  ])('make a title of %j', (text, title) => expect(render('{{ title . }}', text)).toBe(title))
})

describe('trimSpace', () => {
  it('removes white space of all kinds from both ends', () => {
    expect(render('[{{ trimSpace . }}]', '\t\u00a0\u0085 a b \u3000\n')).toBe('[a b]')
    expect(render('[{{ trimSpace . }}]', ' \n ')).toBe('[]')
    expect(render('[{{ trimSpace . }}]', '\ufeff')).toBe('[\ufeff]')
  })
})

describe('join', () => {
  it('accepts lists of texts', () => {
    expect(render('{{ join ", " . }}', strings(['a', 'b']))).toBe('a, b')
    expect(() => render('{{ join ", " . }}', ['a'])).toThrow(
      'wrong type for value; expected []string; got []interface {}',
    )
  })
})

describe('safeHtml and safeUrl', () => {
  it('declare the content type of their text', () => {
    expect(render('{{ $x := safeHtml "<b>" }}{{ $x }} {{ printf "%T" $x }}')).toBe(
      '<b> template.HTML',
    )
    expect(render('{{ $x := safeUrl "x:y" }}{{ $x }} {{ printf "%T" $x }}')).toBe(
      'x:y template.URL',
    )
  })
})

describe('urlUnescape', () => {
  it('decodes percent-escapes and plus signs', () => {
    expect(render('{{ urlUnescape "a+b%2Bc%c3%a9%ff" }}')).toBe('a b+cé\ufffd')
  })

  it.each([
    ['100%', '%'],
    ['%zz1', '%zz'],
    ['a%4', '%4'],
  ])('refuses %j', (text, found) => {
    expect(() => render('{{ urlUnescape . }}', text)).toThrow(
      `error calling urlUnescape: invalid URL escape "${found}"`,
    )
  })
})

describe('match and reReplaceAll', () => {
  it('match anywhere in a text', () => {
    expect(render('{{ match "b+" "abbc" }} {{ match "^b" "abbc" }} {{ match "" "" }}')).toBe(
      'true false true',
    )
  })

  it.each([
    ['(a)(?P<n>b)', `<$2$1|$n|$${'{n}'}|$1x|$${'{1}'}x|$$|$9|$>`, 'xabx', 'x<ba|b|b||ax|$||$>x'],
    ['a*', '-', 'baaac', '-b-c-'],
    ['', '-', 'é😀', '-é-😀-'],
    ['^', '> ', 'a\nb', '> a\nb'],
    ['(?m)^', '> ', 'a\nb', '> a\n> b'],
    ['(a)|b', '[$1]', 'ab', '[a][]'],
  ])('replace %s by %s', (pattern, replacement, text, expected) => {
    expect(
      render(
        '{{ reReplaceAll .a .b .c }}',
        new Map([
          ['a', pattern],
          ['b', replacement],
          ['c', text],
        ]),
      ),
    ).toBe(expected)
  })

  it("refuse an invalid regular expression with Go's message", () => {
    expect(() => render('{{ match "a(" "" }}')).toThrow(
      'error calling match: error parsing regexp: missing closing ): `a(`',
    )
    expect(() => render('{{ reReplaceAll "`(" "" "" }}')).toThrow(
      'error calling reReplaceAll: regexp: Compile("`("): error parsing regexp: missing closing ): ``(`',
    )
    expect(() => render('{{ match "a{1001}" "" }}')).toThrow(
      'error parsing regexp: invalid repeat count: `{1001}`',
    )
  })
})
