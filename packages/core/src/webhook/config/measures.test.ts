import { describe, expect, it } from 'vitest'
import { codesIn, readConfig, readWebhook, settingProblems } from './config.fixture.ts'

describe('a duration', () => {
  it.each([
    [5, 5_000],
    [0.25, 250],
    ['500ms', 500],
    ['30s', 30_000],
    ['10m', 600_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['1.5h', 5_400_000],
    ['1h30m', 5_400_000],
    ['.5s', 500],
    ['1w', 604_800_000],
    [0, 0],
    ['0s', 0],
  ])('of %j is %d ms', (written, ms) => {
    expect(readWebhook({ kill_grace: written }).kill_grace).toBe(ms)
  })

  it.each([
    'ten',
    '',
    '5',
    '5 s',
    '5S',
    '-5s',
    'none',
    '.s',
    '1h-5m',
    `${'9'.repeat(400)}d`,
    '0x5s',
    'Infinitys',
  ])('is refused as %j', (written) => {
    expect(settingProblems({ kill_grace: written })).toEqual(['kill_grace bad_duration'])
  })

  it('is a number or a string', () => {
    for (const written of [true, null, [], {}, () => 5]) {
      expect(settingProblems({ kill_grace: written })).toEqual(['kill_grace wrong_type'])
    }
  })

  it('is limited to the longest timer, unless no timer uses it', () => {
    expect(readWebhook({ timeout: '24d' }).timeout).toBe(2_073_600_000)
    const tooLong = ['25d', '5w', 1e300, Infinity, -Infinity, NaN, -1]
    for (const timeout of tooLong) {
      expect(settingProblems({ timeout })).toEqual(['timeout out_of_range'])
    }
    expect(readConfig({ history: { max_age: '365d' } }).history.max_age).toBe(31_536_000_000)
    expect(codesIn({ history: { max_age: '9999y' } })).toEqual(['history.max_age out_of_range'])
  })

  it('may be none where allowed', () => {
    expect(readWebhook({ timeout: 'none', sync_wait: 'none' })).toMatchObject({
      timeout: undefined,
      sync_wait: undefined,
    })
    expect(readWebhook({ sync_wait: '150ms' }).sync_wait).toBe(150)
    expect(settingProblems({ timeout: 'None' })).toEqual(['timeout bad_duration'])
    expect(settingProblems({ timeout: 0 })).toEqual(['timeout out_of_range'])
    expect(settingProblems({ timeout: 0.0001 })).toEqual(['timeout out_of_range'])
  })
})

describe('a size', () => {
  it.each([
    [0, 0],
    [1000, 1000],
    ['64KiB', 65_536],
    ['1MiB', 1_048_576],
    ['10MB', 10_000_000],
    ['1.5KiB', 1_536],
    ['7B', 7],
    ['3KB', 3_000],
  ])('of %j is %d bytes', (written, bytes) => {
    expect(readWebhook({ output_bytes: written }).output_bytes).toBe(bytes)
  })

  it('is refused if it is invalid', () => {
    for (const written of ['1000', '1 MiB', '1mib', '1M', 'x', '', '-1B']) {
      expect(settingProblems({ output_bytes: written })).toEqual(['output_bytes bad_size'])
    }
    for (const written of [1.5, '0.3B', null, [], false]) {
      expect(settingProblems({ output_bytes: written })).toEqual(['output_bytes wrong_type'])
    }
    for (const written of [-1, 1e300, Infinity, NaN, '1GiB', '999999999999GiB']) {
      expect(settingProblems({ output_bytes: written })).toEqual(['output_bytes out_of_range'])
    }
    expect(settingProblems({ max_body_bytes: 0 })).toEqual(['max_body_bytes out_of_range'])
  })
})
