import { describe, expect, it } from 'vitest'
import { libraryFunctions } from './functions/library-functions.ts'
import { valueFromJson } from './make-value.ts'
import { parseTemplates, renderText } from './template-set.ts'
import type { Value } from './value.ts'

const limits = { maxSteps: 100_000, maxOutput: 100_000, maxDepth: 300 }
const set = parseTemplates([], { functions: libraryFunctions({ now: () => 0 }), limits })

const render = (text: string, data: Value = null): string => renderText(set, text, { data })

const limitError = (message: string) =>
  expect.objectContaining({
    kind: 'TooLarge',
    reason: 'TemplateLimit',
    message: expect.stringContaining(message),
  })

/** A template that doubles a text repeatedly. */
const doubled = (times: number): string =>
  `{{ $x := "12345678" }}{{ range ${times} }}{{ $x = print $x $x }}{{ end }}`

describe('a run', () => {
  it('does not work endlessly', () => {
    expect(() => render('{{ range 1000000000 }}{{ end }}')).toThrow(
      limitError(
        'template: :1:9: executing "" at <1000000000>: exceeded maximum number of steps (100000)',
      ),
    )
  })

  it.each([
    ['texts', `${doubled(9)}{{ range 1000000 }}{{ $y := toUpper $x }}{{ end }}`],
    [
      'regular expressions',
      `${doubled(9)}{{ range 1000000 }}{{ $y := match "(a|b)*c" $x }}{{ end }}`,
    ],
    ['compiling', '{{ range $i := 1000000 }}{{ $y := match (printf "a%d{900}" $i) "x" }}{{ end }}'],
    [
      'replacing',
      `${doubled(9)}{{ range 1000000 }}{{ $y := reReplaceAll "1.*z|2" "" $x }}{{ end }}`,
    ],
    ['lists', '{{ $x := list }}{{ range 1000000 }}{{ $x = append $x 1 }}{{ end }}'],
    ['padding', '{{ range 1000000 }}{{ $y := printf "%99999d" 1 }}{{ end }}'],
    ['variables', `${'{{ $x := 1 }}'.repeat(5_000)}{{ range 1000000 }}{{ $ }}{{ end }}`],
    ['maps', '{{ range 1000000 }}{{ range $.map }}{{ break }}{{ end }}{{ end }}'],
  ])('counts the cost of %s', (_, text) => {
    const map = valueFromJson({
      map: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [i, i])),
    })
    expect(() => render(text, map)).toThrow(limitError('exceeded maximum'))
  })

  it.each([
    ['its output', '{{ range 20000 }}0123456789{{ end }}'],
    ['a text', `${doubled(20)}{{ len $x }}`],
    [
      'a joined list',
      '{{ $x := stringSlice "a" "b" }}{{ join (printf "%99999s" "") $x | len }}{{ join (printf "%99999s" "") (stringSlice "a" "b" "c") }}',
    ],
    [
      'a replaced text',
      `${doubled(8)}{{ reReplaceAll "." "$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0" $x }}`,
    ],
    [
      'a printed list that contains another one many times',
      '{{ $x := list "a" }}{{ range 60 }}{{ $x = list $x $x }}{{ end }}{{ $x }}',
    ],
    [
      'such a list as JSON',
      '{{ $x := list "a" }}{{ range 60 }}{{ $x = list $x $x }}{{ end }}{{ toJson $x }}',
    ],
  ])('limits %s', (_, text) => {
    expect(() => render(text)).toThrow(limitError('exceeded maximum'))
  })

  it('limits the nesting of template calls', () => {
    expect(() => render('{{ define "x" }}{{ template "x" }}{{ end }}{{ template "x" }}')).toThrow(
      limitError('executing "x" at <{{template "x"}}>: exceeded maximum template depth (300)'),
    )
  })

  it('limits the nesting of values', () => {
    const deep = '{{ $x := list }}{{ range 200 }}{{ $x = list $x }}{{ end }}'
    for (const print of ['{{ $x }}', '{{ toJson $x }}', '{{ printf "%v" $x }}', '{{ html $x }}']) {
      expect(() => render(deep + print)).toThrow(limitError('exceeded maximum value depth (100)'))
    }
  })

  it('has enough stack for everything allowed', () => {
    const defaults = parseTemplates([])
    const nested = `${'{{ if true }}'.repeat(99)}{{ template "x" (print ${'(print '.repeat(90)}1${')'.repeat(90)}) }}${'{{ end }}'.repeat(99)}`
    expect(() =>
      renderText(defaults, `{{ define "x" }}${nested}{{ end }}{{ template "x" }}`, { data: null }),
    ).toThrow(limitError('exceeded maximum template depth (400)'))
  })

  it('quotes only a short part of a template', () => {
    const text = `{{ range 100000000 }}${'x'.repeat(5_000)}{{ end }}`
    expect(() => render(text)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^.{1,1200}$/) }),
    )
  })
})
