import { describe, expect, it } from 'vitest'
import { readWebhook, settingProblems } from './config.fixture.ts'

const problemsOf = (rules: unknown): readonly string[] => settingProblems({ rules })

describe('rules', () => {
  it('are one match, or nested ones', () => {
    const from = { kind: 'body', segments: ['data', 'ref'] }
    expect(readWebhook({ rules: { source: 'data.ref', equals: 'main' } }).rules).toEqual({
      rule: { kind: 'match', from, test: { kind: 'equals', value: 'main' } },
      mismatch_status: 200,
    })
    const nested = {
      mismatch_status: 202,
      all: [
        { any: [{ source: 'data.ref', one_of: ['a', 'b'] }] },
        { not: { source: 'data.ref', exists: false } },
        { source: 'data.ref', pattern: '^v\\d' },
      ],
    }
    expect(readWebhook({ rules: nested }).rules).toEqual({
      rule: {
        kind: 'all',
        rules: [
          {
            kind: 'any',
            rules: [{ kind: 'match', from, test: { kind: 'one_of', values: ['a', 'b'] } }],
          },
          {
            kind: 'not',
            rule: { kind: 'match', from, test: { kind: 'exists', exists: false } },
          },
          {
            kind: 'match',
            from,
            test: {
              kind: 'pattern',
              pattern: expect.objectContaining({ source: '(?s:.*)(?:^v\\d)(?s:.*)' }),
            },
          },
        ],
      },
      mismatch_status: 202,
    })
  })

  it.each([
    [{}, ['rules required']],
    [[], ['rules wrong_type']],
    [{ all: [] }, ['rules.all empty']],
    [{ all: [{}] }, ['rules.all[0] required']],
    [{ source: 'a' }, ['rules required']],
    [{ equals: 'x' }, ['rules required']],
    [{ source: '', equals: 'x' }, ['rules.source empty']],
    [{ source: 'a..b', equals: 'x' }, ['rules.source bad_path']],
    [{ not: { source: 'data.a[0].b', equals: 'x' } }, ['rules.not.source bad_path']],
    [{ any: [{ source: '$.ref', exists: true }] }, ['rules.any[0].source bad_path']],
    [{ source: 'token', equals: 'x' }, ['rules.source secret_source']],
    [{ source: 'a', equals: 5 }, ['rules.equals wrong_type']],
    [{ source: 'a', equals: 'x', exists: true }, ['rules.exists conflict']],
    [{ source: 'a', one_of: [] }, ['rules.one_of empty']],
    [{ source: 'a', pattern: '(' }, ['rules.pattern bad_pattern']],
    [{ source: 'a', pattern: 'a)|(b' }, ['rules.pattern bad_pattern']],
    [
      { any: [{ source: 'a', exists: true }], not: {} },
      ['rules.not conflict', 'rules.not required'],
    ],
    [{ not: { source: 'a', exists: true }, equals: 'x' }, ['rules.equals conflict']],
    [
      { not: { source: 'a', exists: 'yes', mismatch_status: 200 } },
      ['rules.not.exists wrong_type', 'rules.not.mismatch_status unknown_key'],
    ],
    [{ source: 'a', exists: true, mismatch_status: 100 }, ['rules.mismatch_status out_of_range']],
  ])('are refused as %j', (rules, codes) => {
    expect(problemsOf(rules)).toEqual(codes)
  })

  it('may be nested as deep as a document', () => {
    let rules: object = { source: 'a', exists: true }
    for (let level = 0; level < 200; level++) rules = { not: rules }
    expect(problemsOf(rules)).toEqual([])
  })
})
