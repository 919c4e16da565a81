import { describe, expect, it } from 'vitest'
import { codesIn, configWith, messagesIn } from './config.fixture.ts'
import type { LoadedAuthConfig } from './config.ts'

const codes = (...regexes: readonly string[]): object => ({
  oob_otp: { enabled: true, rules: regexes.map((regex) => ({ regex, fixed_code: '111111' })) },
})

function targetsOf(regex: string, ...targets: readonly string[]): readonly string[] {
  const [rule] = configWith({ test_mode: codes(regex) }).test_mode.oob_otp
  return targets.filter((target) => rule?.regex.test(target))
}

describe('the test mode', () => {
  it('has rules only where it is enabled', () => {
    const off: LoadedAuthConfig['test_mode'] = { oob_otp: [], email: [], sms: [], whatsapp: [] }
    expect(configWith({ test_mode: {} }).test_mode).toEqual(off)
    const rules = [{ regex: '.*', fixed_code: '111111' }]
    expect(configWith({ test_mode: { oob_otp: { rules } } }).test_mode).toEqual(off)
    expect(configWith({ test_mode: { oob_otp: { enabled: false, rules } } }).test_mode).toEqual(off)
    const { test_mode } = configWith({
      test_mode: {
        oob_otp: { enabled: true, rules },
        sms: { enabled: true, rules: [{ regex: '^\\+852', suppressed: true }, { regex: '.' }] },
      },
    })
    expect(test_mode).toMatchObject({
      oob_otp: [{ fixed_code: '111111', suppressed: false }],
      email: [],
      sms: [
        { fixed_code: undefined, suppressed: true },
        { fixed_code: undefined, suppressed: false },
      ],
    })
  })

  it('finds its expressions anywhere in an address', () => {
    const both = ['a@example.com', 'a@example.com.evil.test']
    expect(targetsOf('.*@example\\.com', ...both)).toEqual(both)
    expect(targetsOf('@example\\.com$', ...both)).toEqual(['a@example.com'])
    expect(targetsOf('^\\+852', '+85251000000', '0+852')).toEqual(['+85251000000'])
    expect(targetsOf('(?i)EXAMPLE', 'a@example.com')).toEqual(['a@example.com'])
    expect(targetsOf('a|b', 'xbx', 'xcx')).toEqual(['xbx'])
  })

  it('takes time that is linear in the address, whoever chose it', () => {
    const hostile = `${'a'.repeat(50_000)}!`
    expect(targetsOf('(a+)+$', hostile)).toEqual([])
    expect(targetsOf('(a|a?)+b', hostile)).toEqual([])
  })

  it('refuses what is no expression, even if brackets around it would make it one', () => {
    expect(messagesIn({ test_mode: codes('(', 'a)(b', '(?=a)', '\\1', 'a{1001}') })).toEqual([
      'test_mode.oob_otp.rules[0].regex: must be a regular expression: missing closing )',
      'test_mode.oob_otp.rules[1].regex: must be a regular expression: unexpected )',
      'test_mode.oob_otp.rules[2].regex: must be a regular expression: lookahead and lookbehind are not supported, as in RE2',
      'test_mode.oob_otp.rules[3].regex: must be a regular expression: backreferences are not supported, as in RE2',
      'test_mode.oob_otp.rules[4].regex: must be a regular expression: invalid repeat count',
    ])
  })

  it('has codes of any text, or none', () => {
    const rules = [
      { regex: 'a', fixed_code: ' any text ' },
      { regex: 'b' },
      { regex: 'c', fixed_code: ' ' },
    ]
    expect(
      configWith({ test_mode: { oob_otp: { enabled: true, rules } } }).test_mode,
    ).toMatchObject({
      oob_otp: [{ fixed_code: 'any text' }, { fixed_code: undefined }, { fixed_code: undefined }],
    })
    const broken = [{ fixed_code: '123456' }]
    expect(codesIn({ test_mode: { oob_otp: { enabled: true, rules: broken } } })).toEqual([
      'test_mode.oob_otp.rules[0].regex required',
    ])
  })

  it('is warned of where people may be real', () => {
    const http = { public_origin: 'https://auth.example.com', allow_insecure: true }
    expect(configWith({ test_mode: codes('.*') }).warnings).toEqual([
      'test_mode.oob_otp: is on, which is not for real users',
    ])
    expect(configWith({ test_mode: codes('.*'), http }).warnings).toEqual([])
  })
})
