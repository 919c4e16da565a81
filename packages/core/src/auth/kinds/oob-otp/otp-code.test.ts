import { describe, expect, it } from 'vitest'
import { type CodeRecord, maxWebsocketChannels, tryCode, withChannel } from './otp-code.ts'

const code: CodeRecord = {
  code_id: 'c1',
  code_mac: 'mac of 402918',
  form: 'code',
  channel: 'email',
  failures: 0,
  state: 'out',
  websocket_channels: [],
  delivery: 'sent',
}
const same = (): boolean => true
const other = (): boolean => false
const consume = { consume: true, limit: 10 }
const compare = { consume: false, limit: 10 }

describe('a code', () => {
  it('is consumed if it is right', () => {
    expect(tryCode(code, same, consume)).toEqual({
      record: { ...code, state: 'used' },
      outcome: 'matches',
    })
  })

  it('is kept if it is right but only compared', () => {
    expect(tryCode(code, same, compare)).toEqual({ record: code, outcome: 'matches' })
  })

  it('is accepted once', () => {
    const { record } = tryCode(code, same, consume)
    expect(tryCode(record, same, consume).outcome).toBe('used')
    expect(tryCode(record, other, consume).outcome).toBe('differs')
  })

  it('is revoked after as many wrong attempts as the limit, even for the right code', () => {
    let record: CodeRecord | undefined = code
    const outcomes = Array.from({ length: 4 }, () => {
      const tried = tryCode(record, other, { consume: true, limit: 3 })
      record = tried.record
      return tried.outcome
    })
    expect(outcomes).toEqual(['differs', 'differs', 'revoked', 'revoked'])
    expect(tryCode(record, same, { consume: true, limit: 3 }).outcome).toBe('revoked')
  })

  it('is never revoked if the limit is 0', () => {
    const worn = { ...code, failures: 100_000 }
    expect(tryCode(worn, other, { consume: true, limit: 0 }).outcome).toBe('differs')
    expect(tryCode(worn, same, { consume: true, limit: 0 }).outcome).toBe('matches')
  })

  it('that was never sent is compared like a wrong one', () => {
    const compared: string[] = []
    const isSame = (mac: string): boolean => {
      compared.push(mac)
      return false
    }
    expect(tryCode(undefined, isSame, consume)).toEqual({ record: undefined, outcome: 'differs' })
    expect(compared).toEqual([''])
  })
})

describe('a channel that waits for the approval of a link', () => {
  it('is notified once, however often it registers', () => {
    const record = withChannel(withChannel(code, 'ws_1'), 'ws_1')
    expect(record.websocket_channels).toEqual(['ws_1'])
  })

  it('is notified if it is among the latest', () => {
    const names = Array.from({ length: maxWebsocketChannels + 2 }, (_, index) => `ws_${index}`)
    const record = names.reduce(withChannel, code)
    expect(record.websocket_channels).toEqual(names.slice(2))
  })
})
