import { describe, expect, it } from 'vitest'
import { configWith } from '../config.fixture.ts'
import { type ProvidedPorts, portWarnings } from './port-warnings.ts'

const sender = async (): Promise<void> => {}
const nothing: ProvidedPorts = { senders: {}, knowsPhones: false }
const phones = { identity: { login_id: { keys: [{ type: 'phone' }] } } }

describe('portWarnings()', () => {
  it('names the option of each missing sender', () => {
    expect(portWarnings(configWith({}), nothing)).toEqual([
      expect.stringMatching(/^no sender for email .* senders\.sendEmail, or auth\.smtp/),
    ])
    expect(portWarnings(configWith(phones), nothing)).toEqual([
      expect.stringContaining('senders.sendSms'),
      expect.stringContaining('senders.sendWhatsapp'),
      expect.stringContaining('libphonenumber-js'),
    ])
  })

  it('is silent about what is there, and what is not offered', () => {
    expect(portWarnings(configWith({}), { ...nothing, senders: { sendEmail: sender } })).toEqual([])
    const names = { identity: { login_id: { keys: [{ type: 'username' }] } } }
    expect(portWarnings(configWith(names), nothing)).toEqual([])
  })

  it.each([
    ['sms', 'sendSms'],
    ['whatsapp', 'sendWhatsapp'],
  ])('knows that the mode %s needs %s alone', (phone_otp_mode, option) => {
    const config = configWith({
      authentication: { secondary_authenticators: ['oob_otp_sms'] },
      authenticator: { oob_otp: { sms: { phone_otp_mode } } },
    })
    const ports = { senders: { sendEmail: sender }, knowsPhones: true }
    expect(portWarnings(config, ports)).toEqual([expect.stringContaining(option)])
  })
})
