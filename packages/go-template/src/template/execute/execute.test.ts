import { describe, expect, it } from 'vitest'
import {
  anyParameter,
  intParameter,
  stringParameter,
  templateFunction,
  variadicFunction,
} from '../make-function.ts'
import { float, int64, strings, struct, typedText, valueFromJson } from '../make-value.ts'
import {
  parseTemplates,
  type RenderOptions,
  renderText,
  type TemplateSetOptions,
} from '../template-set.ts'
import type { GoFunction, ListType, Value } from '../value.ts'

/** Renders a text with some data. */
function render(
  text: string,
  data: Value = null,
  options: TemplateSetOptions & Pick<RenderOptions, 'functions'> = {},
): string {
  const { functions, ...others } = options
  return renderText(parseTemplates([], others), text, {
    data,
    ...(functions === undefined ? {} : { functions }),
  })
}

describe('range', () => {
  it('visits the numbers from 0 to before a whole number', () => {
    expect(render('{{ range 3 }}{{ . }},{{ end }}')).toBe('0,1,2,')
    expect(render('{{ range $i := 2 }}{{ $i }}{{ end }}')).toBe('01')
    expect(render('{{ range 0 }}x{{ else }}none{{ end }}')).toBe('none')
    expect(render('{{ range . }}x{{ else }}none{{ end }}', -2)).toBe('none')
    expect(render('{{ range . }}{{ . }}{{ end }}', int64(2n))).toBe('01')
  })

  it('has no index for numbers', () => {
    expect(() => render('{{ range $i, $x := 2 }}{{ end }}')).toThrow(
      `template: :1:19: executing "" at <2>: can't use 2 to iterate over more than one variable`,
    )
  })

  it('visits the keys of a map in the order of their bytes', () => {
    const map = new Map([
      ['\u{1f600}', 1],
      ['\uff21', 2],
      ['a', 3],
      ['B', 4],
    ])
    expect(render('{{ range $k, $v := . }}{{ $k }}{{ $v }}{{ end }}', map)).toBe(
      'B4a3\uff212\u{1f600}1',
    )
  })

  it('refuses a text', () => {
    expect(() => render('{{ range . }}{{ end }}', 'abc')).toThrow(
      "<.>: range can't iterate over abc",
    )
  })

  it('jumps from an else out of the enclosing range', () => {
    const text =
      '{{ range .items }}{{ . }}{{ range $.none }}{{ else }}{{ break }}{{ end }}never{{ end }}done'
    expect(render(text, valueFromJson({ items: [1, 2], none: [] }))).toBe('1done')
  })

  it('forgets the variables of each round', () => {
    const text =
      '{{ $x := 0 }}{{ range . }}{{ $y := . }}{{ if eq . 2 }}{{ continue }}{{ end }}{{ $x = $y }}{{ end }}{{ $x }}'
    expect(render(text, [1, 2])).toBe('1')
  })
})

describe('else with', () => {
  it('tests the next value when one is empty', () => {
    const text = '{{ with .a }}a{{ . }}{{ else with .b }}b{{ . }}{{ else }}none{{ end }}'
    const of = (json: unknown) => render(text, valueFromJson(json))
    expect([of({ a: 1 }), of({ b: 2 }), of({})]).toEqual(['a1', 'b2', 'none'])
  })
})

describe('a missing key', () => {
  const map = new Map<string, Value>([['a', new Map()]])

  it('has no value', () => {
    expect(render('{{ .x }}|{{ .a.x.y }}', map)).toBe('<no value>|<no value>')
  })

  it('has the zero value with missingKey zero', () => {
    const labels = {
      kind: 'map',
      type: { name: 'KV', element: 'string', zero: '' },
      entries: new Map(),
    } as const
    expect(render('[{{ .x }}]', labels, { missingKey: 'zero' })).toBe('[]')
    expect(render('[{{ .x }}]', map, { missingKey: 'zero' })).toBe('[<no value>]')
    expect(() => render('{{ .a.x.y }}', map, { missingKey: 'zero' })).toThrow(
      'nil pointer evaluating interface {}.y',
    )
  })

  it('is an error with missingKey error', () => {
    const missingKey = 'error'
    expect(() => render('{{ .x }}', map, { missingKey })).toThrow(
      '<.x>: map has no entry for key "x"',
    )
    expect(() => render('{{ .x }}', null, { missingKey })).toThrow('nil data; no entry for key "x"')
  })
})

describe('nil', () => {
  it('is no value by itself and <nil> inside other values', () => {
    expect(render('{{ . }}|{{ print . }}')).toBe('<no value>|<nil>')
    expect(render('{{ . }}|{{ index . 0 }}|{{ range . }}{{ . }}{{ end }}', [null])).toBe(
      '[<nil>]|<no value>|<no value>',
    )
  })
})

describe('fields', () => {
  const data = struct(
    { name: 'app.Page' },
    { Title: 'T', Tags: strings(['a']), Any: valueFromJson({ a: 'x' }) },
  )

  it.each([
    ['{{ .Nope }}', "can't evaluate field Nope in type app.Page"],
    ['{{ .Tags.Nope }}', "can't evaluate field Nope in type []string"],
    ['{{ .Any.a.b }}', "can't evaluate field b in type interface {}"],
    ['{{ .Title 1 }}', 'Title has arguments but cannot be invoked as function'],
    ['{{ .Any.a 1 }}', 'a is not a method but has arguments'],
  ])('of %s cause a clear error', (text, message) => {
    expect(() => render(text, data)).toThrow(message)
  })

  it.each([
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'length',
    'entries',
    'kind',
    'type',
    'fields',
    'items',
  ])('that only JavaScript has do not exist: %s', (name) => {
    expect(() => render(`{{ .${name} }}`, data)).toThrow(
      `can't evaluate field ${name} in type app.Page`,
    )
    expect(() => render(`{{ .Title.${name} }}`, data)).toThrow(
      `can't evaluate field ${name} in type string`,
    )
    expect(() => render(`{{ .Tags.${name} }}`, data)).toThrow(
      `can't evaluate field ${name} in type []string`,
    )
    expect(render(`{{ .Any.${name} }}|{{ index .Any "${name}" }}`, data)).toBe(
      '<no value>|<no value>',
    )
    expect(() => render(`{{ ${name} }}`, data)).toThrow(`function "${name}" not defined`)
  })
})

describe('methods', () => {
  const type: ListType = {
    name: 'app.List',
    element: 'int',
    methods: new Map([
      [
        'Sum',
        ({ items }) =>
          templateFunction([], () => items.reduce<number>((sum, item) => sum + Number(item), 0)),
      ],
      [
        'At',
        ({ items }) => templateFunction([intParameter], ([index]) => items[Number(index)] ?? null),
      ],
      [
        'All',
        (list) =>
          variadicFunction([stringParameter], anyParameter, ([a], rest) => [
            a,
            list.items.length,
            ...rest,
          ]),
      ],
    ]),
  }
  const list: Value = { kind: 'list', type, items: [3, 4] }

  it('are called with their arguments', () => {
    expect(render('{{ .Sum }} {{ .At 1 }} {{ 0 | .At }} {{ .All "a" 1 nil true }}', list)).toBe(
      '7 4 3 [a 2 1 <nil> true]',
    )
  })

  it.each([
    ['{{ .Sum 1 }}', 'wrong number of args for Sum: want 0 got 1'],
    ['{{ .All }}', 'wrong number of args for All: want at least 1 got 0'],
    ['{{ .At "a" }}', 'expected integer; found "a"'],
    ['{{ .At 1.5 }}', 'expected integer; found 1.5'],
    ['{{ .At . }}', 'wrong type for value; expected int; got app.List'],
    ['{{ .At nil }}', 'cannot assign nil to int'],
  ])('of %s cause a clear error', (text, message) => {
    expect(() => render(text, list)).toThrow(message)
  })
})

describe('functions', () => {
  it('of one run override those of the set', () => {
    const functions = new Map([['who', templateFunction([], () => 'run')]])
    const set = parseTemplates([], {
      functions: new Map([['who', templateFunction([], () => 'set')]]),
    })
    expect(renderText(set, '{{ who }}', { data: null })).toBe('set')
    expect(renderText(set, '{{ who }}', { data: null, functions })).toBe('run')
  })

  it('let programming errors through', () => {
    const broken = templateFunction([], () => {
      throw new TypeError('a bug')
    })
    expect(() =>
      render('{{ broken }}', null, { functions: new Map([['broken', broken]]) }),
    ).toThrow(TypeError)
  })

  it('can be values, which are called by name', () => {
    const twice: GoFunction = {
      kind: 'function',
      typeName: 'func(int) int',
      function: templateFunction([intParameter], ([number]) => Number(number) * 2),
    }
    const data = new Map([['twice', twice]])
    expect(render('{{ call .twice 4 }}', data)).toBe('8')
    expect(() => render('{{ .twice }}', data)).toThrow(
      "can't print {{.twice}} of type func(int) int",
    )
    expect(() => render('{{ call .twice }}', data)).toThrow('wrong number of args: got 0 want 1')
    expect(() => render('{{ call .twice "a" }}', data)).toThrow(
      'arg 0: value has type string; should be int',
    )
  })

  it('are not called for arguments that no longer matter', () => {
    expect(render('{{ and false (index . 9) }}{{ or true (index . 9) }}', [])).toBe('falsetrue')
    expect(() => render('{{ and true (index . 9) }}', [])).toThrow('index out of range: 9')
  })
})

describe('typed values', () => {
  it('keep their types', () => {
    const data = [float(1), int64(2), typedText('template.HTML', '<b>'), 3n, 1.5]
    expect(render('{{ range . }}{{ printf "%v %T," . . }}{{ end }}', data)).toBe(
      '1 float64,2 int64,<b> template.HTML,3 int,1.5 float64,',
    )
    expect(render('{{ printf "%d" . }}', float(1))).toBe('%!d(float64=1)')
  })
})
