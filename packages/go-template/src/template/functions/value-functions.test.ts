import { describe, expect, it } from 'vitest'
import { float, strings, struct, typedText, valueFromJson } from '../make-value.ts'
import { parseTemplates, renderText } from '../template-set.ts'
import type { Value } from '../value.ts'
import { libraryFunctions } from './library-functions.ts'

const set = parseTemplates([], { functions: libraryFunctions({ now: () => 0 }) })

const render = (text: string, data: Value = null): string => renderText(set, text, { data })

describe('list, append and dict', () => {
  it('create values that can be read again', () => {
    expect(
      render(
        '{{ $x := list 1 "a" nil }}{{ $y := append $x 2 }}{{ len $x }} {{ $y }} {{ index $y 1 }}',
      ),
    ).toBe('3 [1 a <nil> 2] a')
    expect(
      render('{{ $d := dict "b" 1 "a" (list 2) "b" 3 }}{{ $d }} {{ $d.b }} {{ len $d }}'),
    ).toBe('map[a:[2] b:3] 3 2')
    expect(render('{{ append nil 1 }}{{ append . "b" }}', strings(['a']))).toBe('[1][a b]')
  })

  it.each([
    ['{{ dict "a" }}', 'dict expects an even number of arguments'],
    ['{{ dict 1 2 }}', 'dict keys must be strings, got int'],
    ['{{ append "a" 1 }}', 'cannot append to type string'],
  ])('refuse %s', (text, message) => expect(() => render(text)).toThrow(`: ${message}`))
})

describe('toJson', () => {
  it('writes values as JSON', () => {
    const data = [
      null,
      true,
      1,
      float(1),
      1.5,
      9007199254740993n,
      '<a&"b">',
      typedText('template.HTML', 'x'),
    ]
    expect(render('{{ toJson . }}', data)).toBe(
      '[null,true,1,1,1.5,9007199254740993,"\\u003ca\\u0026\\"b\\"\\u003e","x"]',
    )
  })

  it('sorts the keys of maps and takes the JSON names of fields', () => {
    const type = { name: 'app.P', jsonNames: new Map([['Name', 'name']]) }
    const data = struct(type, { Name: 'n', Map: valueFromJson({ b: 1, a: {} }), Since: null })
    expect(render('{{ toJson . }}', data)).toBe('{"name":"n","Map":{"a":{},"b":1},"Since":null}')
  })

  it('writes times as RFC 3339', () => {
    expect(render('{{ toJson now }}')).toBe('"1970-01-01T00:00:00Z"')
  })

  it('refuses values that JSON cannot represent', () => {
    expect(() => render('{{ toJson . }}', Number.NaN)).toThrow(
      'error calling toJson: json: unsupported value: NaN',
    )
  })
})

describe('base64encode and base64decode', () => {
  it.each(['', 'a', 'ab', 'abc', 'é😀?>', 'x'.repeat(100)])(
    'are inverse to each other for %j',
    (text) => {
      const encoded = render('{{ base64encode . }}', text)
      expect(encoded).toBe(
        Buffer.from(text).toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
      )
      expect(render('{{ base64decode . }}', encoded)).toBe(text)
    },
  )

  it('ignore line ends', () => {
    expect(render('{{ base64decode . }}', 'YW\nJj\r\nZA=\n=')).toBe('abcd')
  })

  it.each([
    ['YQ', 0],
    ['YWJjZ', 4],
    ['Y!==', 1],
    ['YQ=x', 3],
    ['YQ=', 3],
    ['YQ==YQ==', 4],
    ['=', 0],
    ['a+b/', 1],
  ])('refuse %j', (text, at) => {
    expect(() => render('{{ base64decode . }}', text)).toThrow(
      `error calling base64decode: illegal base64 data at input byte ${at}`,
    )
  })
})
