import { searchPattern } from '../../document/patterns.ts'
import { membersOf, report } from '../../document/place.ts'
import { filledListOf, flag, integer, text } from '../../document/values.ts'
import type { Pattern } from '../../regex/regex.ts'
import type { Rule } from '../webhook.ts'
import { mappingOf } from './fields.ts'
import type { Decode, Place } from './place.ts'
import { source, type WrittenSource } from './sources.ts'

/** Every key that a rule may have. */
interface RuleParts {
  readonly all: readonly Rule[]
  readonly any: readonly Rule[]
  readonly not: Rule
  readonly source: WrittenSource
  readonly equals: string
  readonly one_of: readonly string[]
  readonly pattern: Pattern
  readonly exists: boolean
}

const rule: Decode<Rule> = (place) => {
  const parts = ruleParts(place)
  return parts === undefined ? undefined : ruleOf(place, parts)
}

const fields = {
  all: filledListOf((place: Place) => rule(place)),
  any: filledListOf((place: Place) => rule(place)),
  not: (place: Place): Rule | undefined => rule(place),
  source,
  equals: text,
  one_of: filledListOf(text),
  pattern: searchPattern,
  exists: flag,
}
const ruleParts = mappingOf<RuleParts>(fields)
const rootParts = mappingOf<RuleParts & { readonly mismatch_status: number }>({
  ...fields,
  mismatch_status: integer(200, 599),
})

/** What must be true of a request, and how it is answered otherwise. */
export const rules: Decode<{ readonly rule: Rule; readonly mismatch_status: number }> = (place) => {
  const parts = rootParts(place)
  const root = parts === undefined ? undefined : ruleOf(place, parts)
  if (root === undefined) return undefined
  return { rule: root, mismatch_status: parts?.mismatch_status ?? 200 }
}

const kinds = ['all', 'any', 'not', 'source'] as const
const tests = ['equals', 'one_of', 'pattern', 'exists'] as const

function ruleOf(place: Place, parts: Partial<RuleParts>): Rule | undefined {
  const kind = onlyOne(place, kinds)
  if (kind !== undefined && kind !== 'source') checkNoTest(place, kind)
  if (kind === 'all') return parts.all === undefined ? undefined : { kind, rules: parts.all }
  if (kind === 'any') return parts.any === undefined ? undefined : { kind, rules: parts.any }
  if (kind === 'not') return parts.not === undefined ? undefined : { kind, rule: parts.not }
  const test = kind === undefined ? undefined : testOf(onlyOne(place, tests), parts)
  if (test === undefined || parts.source === undefined) return undefined
  return { kind: 'match', from: parts.source.from, test }
}

type Test = Extract<Rule, { kind: 'match' }>['test']

function testOf(
  kind: (typeof tests)[number] | undefined,
  { equals, one_of: values, pattern: expression, exists }: Partial<RuleParts>,
): Test | undefined {
  if (kind === 'equals' && equals !== undefined) return { kind, value: equals }
  if (kind === 'one_of' && values !== undefined) return { kind, values }
  if (kind === 'pattern' && expression !== undefined) return { kind, pattern: expression }
  if (kind === 'exists' && exists !== undefined) return { kind, exists }
  return undefined
}

/** The only one of some keys that a mapping has. */
function onlyOne<Key extends string>(place: Place, keys: readonly Key[]): Key | undefined {
  const present = membersOf(place).filter(({ key }) => keys.some((known) => known === key))
  const [first, second] = present
  if (first === undefined) return report(place, 'required', `needs one of ${keys.join(', ')}`)
  if (second !== undefined) {
    return report(second.keyPlace, 'conflict', `only one of ${keys.join(', ')}`)
  }
  return keys.find((key) => key === first.key)
}

function checkNoTest(place: Place, kind: string): void {
  const test = membersOf(place).find(({ key }) => tests.some((known) => known === key))
  if (test !== undefined) report(test.keyPlace, 'conflict', `needs a source, not ${kind}`)
}
