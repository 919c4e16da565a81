import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../../test-support/lane.ts'
import { isExpectedError } from '../go-error.ts'
import { formatNode } from './format-node.ts'
import { libraryFunctions } from './functions/library-functions.ts'
import { defaultLimits } from './limits.ts'
import { strings, valueFromJson } from './make-value.ts'
import { parseSource } from './parse/parse-source.ts'
import { parseTemplates, renderText } from './template-set.ts'
import type { Value } from './value.ts'

const limits = { maxSteps: 20_000, maxOutput: 5_000 }
const functions = libraryFunctions({ now: () => 0 })
const set = parseTemplates([], { functions, limits, missingKey: 'zero' })

const data: Value = new Map<string, Value>([
  ['text', 'héllo'],
  ['texts', strings(['a', 'b'])],
  ['json', valueFromJson({ list: [1, 2.5, null], map: { a: 'x' } })],
  ['nothing', null],
])

const names = Array.from(set.functions.keys())
const pieces = [
  ...names,
  '.',
  '.text',
  '.texts',
  '.json.list',
  '.json.map.a',
  '.nothing',
  '.none',
  '.constructor',
  '$',
  '$x',
  '$x.a',
  '1',
  '-2',
  '1.5',
  '0x1p4',
  "'é'",
  '"s%d"',
  '`r`',
  'true',
  'false',
  'nil',
  '(',
  ')',
  '|',
  ':=',
  '=',
  ',',
  '{{',
  '}}',
  '{{-',
  '-}}',
  '{{ end }}',
  '{{ else }}',
  '{{ if',
  '{{ range',
  '{{ with',
  '{{ template "x"',
  '{{ define "x" }}',
  '{{ block "x"',
  '{{ break }}',
  '{{/*',
  '*/}}',
  '\n',
  'text',
  '"',
  '`',
  '\\',
  '😀',
  '\ud800',
]

/** Pieces of templates in any order. Most are invalid, in many ways. */
const soup = fc
  .array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom('', ' ')), { maxLength: 25 })
  .map((found) => found.map((piece) => piece.join('')).join(''))

/** Operands that often form valid commands. */
const operand = fc.constantFrom(
  '.text',
  '.texts',
  '.json',
  '.json.list',
  '.nothing',
  '1',
  '2.5',
  '"%v%5d"',
  '"a*"',
  'nil',
  'true',
  '$',
)
const expression = fc.letrec<{ any: string; call: string }>((tie) => ({
  any: fc.oneof({ maxDepth: 4 }, operand, tie('call')),
  call: fc
    .tuple(fc.constantFrom(...names), fc.array(tie('any'), { maxLength: 3 }))
    .map(([name, args]) => `(${[name, ...args].join(' ')})`),
})).any
const wellFormed = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        '{{ E }}',
        '{{ if E }}a{{ end }}',
        '{{ range $i, $x := E }}{{ $x }}{{ end }}',
        '{{ with E }}{{ . }}{{ end }}',
      ),
      expression,
    ),
    { maxLength: 4 },
  )
  .map((actions) => actions.map(([action, inner]) => action.replace('E', () => inner)).join(' '))

/** The output of a template; nothing if it fails with an expected error. */
function render(text: string): string {
  try {
    return renderText(set, text, { data })
  } catch (error) {
    if (!isExpectedError(error)) throw error
    expect(error.reason).toMatch(/^Template(Syntax|Execution|Limit)$/)
    expect(error.message).toMatch(/^template: /)
    return ''
  }
}

describe('any text', () => {
  it('renders or fails with a clear error', () => {
    fc.assert(
      fc.property(soup, (text) => render(`{{ ${text} }}`).length <= limits.maxOutput),
      { numRuns: runsOf(200) },
    )
  })

  it('runs or fails with a clear error if it can be parsed', () => {
    fc.assert(
      fc.property(wellFormed, (text) => render(text).length <= limits.maxOutput),
      { numRuns: runsOf(200) },
    )
  })

  it('is printed unchanged if it has no action', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!text.includes('{{'))
        return render(text) === text && render(`${text}{{ "" }}`) === text
      }),
    )
  })

  it('formatted from its tree parses to the same tree', () => {
    const options = { ...defaultLimits, hasFunction: (name: string) => set.functions.has(name) }
    const rewrite = (text: string): string => {
      const root = parseSource({ name: '', text }, options).get('')?.root
      return root === undefined ? '' : formatNode(root)
    }
    fc.assert(
      fc.property(wellFormed, (text) => {
        const written = rewrite(text)
        expect(rewrite(written)).toBe(written)
      }),
    )
  })
})

describe('any format', () => {
  it('formats any values', () => {
    const verb = fc.tuple(
      fc.string({
        unit: fc.constantFrom('#', '0', '+', '-', ' ', '*', '.', '[1]', '[9]', '3', '12'),
        maxLength: 4,
      }),
      fc.constantFrom(...'vTtbcdoOqxXUeEfFgGsp%z世'),
    )
    const format = fc
      .array(verb, { maxLength: 4 })
      .map((verbs) => verbs.map(([flags, v]) => `%${flags}${v}`).join(' '))
    fc.assert(
      fc.property(format, fc.array(operand, { maxLength: 4 }), (text, operands) => {
        const action = `{{ printf ${JSON.stringify(text)} ${operands.join(' ')} }}`
        return render(action).length <= limits.maxOutput
      }),
      { numRuns: runsOf(200) },
    )
  })
})
