import { compilePattern } from '@gatehouse/go-template/regex'
import { describe, expect, it } from 'vitest'
import type { Rule } from '../webhook.ts'
import { isSatisfied } from './rule.ts'
import { parseSource } from './source.ts'

const values: ReadonlyMap<string, string> = new Map([
  ['ref', 'refs/heads/main'],
  ['empty', ''],
  ['long', 'x'.repeat(5000)],
])

type Test = Extract<Rule, { kind: 'match' }>['test']

const match = (name: string, test: Test): Rule => ({ kind: 'match', from: parseSource(name), test })
const equals = (name: string, value: string): Rule => match(name, { kind: 'equals', value })
const pattern = (name: string, expression: string): Rule =>
  match(name, { kind: 'pattern', pattern: compilePattern(expression) })
const exists = (name: string, there: boolean): Rule =>
  match(name, { kind: 'exists', exists: there })
const all = (...rules: Rule[]): Rule => ({ kind: 'all', rules })
const any = (...rules: Rule[]): Rule => ({ kind: 'any', rules })
const not = (rule: Rule): Rule => ({ kind: 'not', rule })

const satisfies = (rule: Rule): boolean =>
  isSatisfied(rule, {
    read: (from) => (from.kind === 'body' ? values.get(from.segments.join('.')) : undefined),
    isSigned: () => false,
    clientAddress: '192.0.2.7',
  })

const yes = equals('ref', 'refs/heads/main')
const no = equals('ref', 'refs/heads/mai')
const undecided = pattern('long', 'x.*')

describe('isSatisfied', () => {
  it('compares texts', () => {
    expect(satisfies(yes)).toBe(true)
    expect(satisfies(no)).toBe(false)
    expect(satisfies(equals('empty', ''))).toBe(true)
    expect(satisfies(match('ref', { kind: 'one_of', values: ['x', 'refs/heads/main'] }))).toBe(true)
    expect(satisfies(match('ref', { kind: 'one_of', values: [] }))).toBe(false)
  })

  it('matches a pattern anywhere', () => {
    expect(satisfies(pattern('ref', '.*heads.*'))).toBe(true)
    expect(satisfies(pattern('ref', 'heads.*'))).toBe(false)
  })

  it('is false for a missing value, unless the rule requires that it is missing', () => {
    expect(satisfies(equals('gone', ''))).toBe(false)
    expect(satisfies(pattern('gone', ''))).toBe(false)
    expect(satisfies(match('gone', { kind: 'one_of', values: [''] }))).toBe(false)
    expect(satisfies(exists('gone', false))).toBe(true)
    expect(satisfies(exists('gone', true))).toBe(false)
    expect(satisfies(exists('empty', true))).toBe(true)
    expect(satisfies(exists('empty', false))).toBe(false)
    expect(satisfies(not(equals('gone', '')))).toBe(true)
  })

  it('combines rules', () => {
    expect(satisfies(all(yes, yes))).toBe(true)
    expect(satisfies(all(yes, no))).toBe(false)
    expect(satisfies(any(no, yes))).toBe(true)
    expect(satisfies(any(no, no))).toBe(false)
    expect(satisfies(not(no))).toBe(true)
    expect(satisfies(all())).toBe(true)
    expect(satisfies(any())).toBe(false)
    expect(satisfies(not(all(yes, any(no, not(no)))))).toBe(false)
  })

  it('is false if a rule cannot be decided, even inside of not', () => {
    expect(satisfies(undecided)).toBe(false)
    expect(satisfies(not(undecided))).toBe(false)
    expect(satisfies(all(yes, undecided))).toBe(false)
    expect(satisfies(not(any(no, undecided)))).toBe(false)
    expect(satisfies(not(all(yes, undecided)))).toBe(false)
  })

  it('is decided if one rule decides alone', () => {
    expect(satisfies(any(undecided, yes))).toBe(true)
    expect(satisfies(not(all(undecided, no)))).toBe(true)
  })
})
