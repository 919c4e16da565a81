import { describe, expect, it } from 'vitest'
import { readListenVariables } from './listen-variables.ts'

const LISTEN_PID = '4711'

describe('readListenVariables()', () => {
  it.each([
    [{}, []],
    [{ LISTEN_PID }, []],
    [{ LISTEN_PID, LISTEN_FDS: '0' }, []],
    [{ LISTEN_FDS: '0' }, []],
    [{ LISTEN_PID, LISTEN_FDS: '1' }, [3]],
    [{ LISTEN_PID, LISTEN_FDS: '3' }, [3, 4, 5]],
  ])('reads %j', (environment, descriptors) => {
    expect(readListenVariables(environment, 4_711)).toEqual({ descriptors, warnings: [] })
  })

  it.each([
    [{ LISTEN_FDS: '1' }, /^LISTEN_FDS is ignored: .*LISTEN_PID is not set/],
    [{ LISTEN_FDS: '1', LISTEN_PID: '4712' }, /LISTEN_PID is 4712, this one is 4711/],
    [{ LISTEN_FDS: 'x', LISTEN_PID: '' }, /LISTEN_PID is , this one is 4711/],
  ])('ignores %j with a warning, because it is for another process', (environment, warning) => {
    expect(readListenVariables(environment, 4_711)).toEqual({
      descriptors: [],
      warnings: [expect.stringMatching(warning)],
    })
  })

  it.each(['', '-1', '1.5', '0x1', '65', '99999999999', 'two'])('refuses %j', (LISTEN_FDS) => {
    expect(() => readListenVariables({ LISTEN_PID, LISTEN_FDS }, 4_711)).toThrow(
      'LISTEN_FDS must be a number from 0 to 64',
    )
  })
})
