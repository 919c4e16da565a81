import { describe, expect, it } from 'vitest'
import { codesIn, configWith, documentWith, messagesIn, problemsIn } from './config.fixture.ts'

const provider = { type: 'cloudflare', site_key: '0x1' }
const always = { mode: 'always' }

const protectedBy = (bot_protection: object): object => ({ bot_protection })

describe('bot protection', () => {
  it('is off where the document is silent, and needs nothing', () => {
    const never = { mode: 'never' }
    expect(configWith().bot_protection).toEqual({
      enabled: false,
      provider: undefined,
      requirements: {
        signup_or_login: never,
        account_recovery: never,
        password: never,
        oob_otp_email: never,
        oob_otp_sms: never,
      },
    })
    expect(configWith(protectedBy({ enabled: false })).warnings).toEqual([])
  })

  it('is read as it is written', () => {
    const requirements = { signup_or_login: always, password: {}, oob_otp_sms: { mode: 'never' } }
    const config = configWith(protectedBy({ enabled: true, provider, requirements }))
    expect(config.bot_protection).toMatchObject({
      enabled: true,
      provider,
      requirements: {
        signup_or_login: always,
        account_recovery: { mode: 'never' },
        password: { mode: 'never' },
      },
    })
    expect(config.warnings).toEqual([])
    const own = protectedBy({ enabled: true, provider: { type: 'puzzle' }, requirements })
    expect(configWith(own).bot_protection.provider).toEqual({
      type: 'puzzle',
      site_key: undefined,
    })
  })

  it('has no effect without a provider', () => {
    expect(messagesIn(protectedBy({ enabled: true }))).toEqual([])
    for (const more of [{}, { provider: null }]) {
      const config = configWith(protectedBy({ enabled: true, ...more }))
      expect(config.bot_protection).toMatchObject({ enabled: false, provider: undefined })
      expect(config.warnings).toEqual([
        'bot_protection.enabled: has no effect: there is no provider',
      ])
    }
    expect(codesIn(protectedBy({ enabled: true, provider: {} }))).toEqual([
      'bot_protection.provider.type required',
    ])
  })

  it('is refused with all that is wrong with it', () => {
    const wrong = {
      enabled: 'true',
      provider: { type: '', site_key: 5 },
      requirements: { password: { mode: 'sometimes' }, oob_otp_email: 'always', signup: always },
    }
    expect(codesIn(protectedBy(wrong))).toEqual([
      'bot_protection.enabled wrong_type',
      'bot_protection.provider.type empty',
      'bot_protection.provider.site_key wrong_type',
      'bot_protection.requirements.password.mode out_of_range',
      'bot_protection.requirements.oob_otp_email wrong_type',
      'bot_protection.requirements.signup unknown_key',
    ])
  })

  it('has no secret in the document, and quotes none', () => {
    const secret = { ...provider, secret_key: 'sup3rs3cret' }
    const problems = problemsIn(documentWith(protectedBy({ enabled: true, provider: secret })))
    expect(problems).toMatchObject([
      { path: 'bot_protection.provider.secret_key', code: 'unknown_key' },
    ])
    expect(JSON.stringify(problems)).not.toContain('sup3rs3cret')
  })

  it('is warned of where it keeps nobody out', () => {
    expect(configWith(protectedBy({ enabled: true, provider })).warnings).toEqual([
      'bot_protection: keeps nobody out: no requirement and no branch of a flow has mode: always',
    ])
    expect(configWith(protectedBy({ requirements: { password: always } })).warnings).toEqual([
      'bot_protection: is not enabled, so what has mode: always is open to machines',
    ])
  })

  it('may be needed by nothing but a branch of a flow, however deep it is', () => {
    const protect = { authentication: 'primary_password', bot_protection: always }
    const steps = [{ type: 'create_authenticator', one_of: [protect] }]
    const identify = { type: 'identify', one_of: [{ identification: 'email', steps }] }
    const authentication_flow = { signup_flows: [{ name: 'mine', steps: [identify] }] }
    const warnings = (bot_protection: object): readonly string[] =>
      configWith({ authentication_flow, bot_protection }).warnings
    expect(warnings({ enabled: true, provider })).toEqual([])
    expect(warnings({})).toEqual([
      'bot_protection: is not enabled, so what has mode: always is open to machines',
    ])
  })
})
