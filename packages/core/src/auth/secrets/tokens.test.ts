import { describe, expect, it } from 'vitest'
import { randomBytes } from '../../crypto/crypto.ts'
import type { Random } from './random.ts'
import {
  createChannelName,
  createDeviceToken,
  createFlowId,
  createLinkCode,
  createOtpCode,
  createSessionToken,
  createStateToken,
} from './tokens.ts'

const kinds: readonly [string, (random: Random) => string, RegExp][] = [
  ['flow id', createFlowId, /^authflow_[0-9A-HJKMNP-TV-Z]{32}$/],
  ['state token', createStateToken, /^authflowstate_[0-9A-HJKMNP-TV-Z]{32}$/],
  ['channel name', createChannelName, /^ws_[0-9A-HJKMNP-TV-Z]{32}$/],
  ['link code', createLinkCode, /^[0-9A-HJKMNP-TV-Z]{32}$/],
  ['code', createOtpCode, /^[0-9]{6}$/],
  ['device token', createDeviceToken, /^[A-Za-z0-9]{64}$/],
  ['session token', (random) => createSessionToken('s-1', random), /^s-1\.[A-Za-z0-9]{32}$/],
]

describe.each(kinds)('a %s', (_kind, create, form) => {
  it('has its form, whatever the random bytes', () => {
    for (let i = 0; i < 200; i++) expect(create(randomBytes)).toMatch(form)
    expect(create((size) => new Uint8Array(size))).toMatch(form)
  })

  it('depends only on the random source', () => {
    const one: Random = (size) => Uint8Array.from({ length: size }, (_, i) => i)
    const other: Random = (size) => Uint8Array.from({ length: size }, (_, i) => i + 1)
    expect(create(one)).toBe(create(one))
    expect(create(other)).not.toBe(create(one))
  })
})

it('codes of digits keep their leading zeros', () => {
  expect(createOtpCode((size) => new Uint8Array(size))).toBe('000000')
})
