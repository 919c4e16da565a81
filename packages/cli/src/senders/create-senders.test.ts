import type { OutgoingMessage } from '@gatehouse/core/auth'
import { describe, expect, it } from 'vitest'
import { createLogger } from '../log/logger.ts'
import { createSenders, type SenderSettings } from './create-senders.ts'

const message: OutgoingMessage = {
  kind: 'verification',
  channel: 'sms',
  target: '+14155550132',
  code: '123456',
  text: 'It is 123456.',
  locale: 'en',
  client_id: null,
  user_id: null,
  expires_at: 0,
}
const nobody: SenderSettings = {
  smtp: undefined,
  sms: undefined,
  whatsapp: undefined,
  printCodes: false,
}
const deadEnd = { url: 'http://127.0.0.1:1/', token: undefined, timeoutMs: 1_000 }

function open(settings: Partial<SenderSettings>) {
  const lines: string[] = []
  const logger = createLogger({ write: (line) => void lines.push(line), now: () => new Date(0) })
  return { ...createSenders({ ...nobody, ...settings }, logger), lines }
}

describe('createSenders()', () => {
  it('has no sender for an unconfigured channel', () => {
    expect(open({}).senders).toEqual({})
    expect(Object.keys(open({ sms: deadEnd }).senders)).toEqual(['sendSms'])
  })

  it('prints the messages of all channels in development', async () => {
    const { senders, lines, close } = open({ printCodes: true })
    await senders.sendSms?.(message)
    await senders.sendEmail?.({ ...message, channel: 'email', target: 'a@example.com' })
    const { code, ...linked } = message
    await senders.sendWhatsapp?.({ ...linked, channel: 'whatsapp', link: 'http://l' })
    expect(code).toBe('123456')
    close()
    expect(lines.map((line) => line.replace(/^\S+ /, ''))).toEqual([
      'level=info msg=message kind=verification channel=sms to=+14155550132 code=123456\n',
      'level=info msg=message kind=verification channel=email to=a@example.com code=123456\n',
      'level=info msg=message kind=verification channel=whatsapp to=+14155550132 link=http://l\n',
    ])
  })

  it('rejects with the cause, which the service logs', async () => {
    const { senders, lines } = open({ sms: deadEnd })
    await expect(senders.sendSms?.(message)).rejects.toThrow('no response')
    expect(lines).toEqual([])
  })

  it('also sends the messages it prints', async () => {
    const { senders, lines } = open({ sms: deadEnd, printCodes: true })
    await expect(senders.sendSms?.(message)).rejects.toThrow()
    expect(lines).toHaveLength(1)
  })
})
