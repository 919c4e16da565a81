import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../../../test-support/cpu-time.ts'
import { parseMailAddresses } from './mail-address.ts'

describe('parseMailAddresses', () => {
  it.each<[text: string, ...addresses: readonly (readonly [name: string, address: string])[]]>([
    ['a@b', ['', 'a@b']],
    ['a@example.org, b@example.org', ['', 'a@example.org'], ['', 'b@example.org']],
    ['AM <am@example.org>', ['AM', 'am@example.org']],
    ['"Last, First" <a@b>,,c@d,', ['Last, First', 'a@b'], ['', 'c@d']],
    ['J. Q. Smith (the (third)) <a@b> ', ['J. Q. Smith', 'a@b']],
    ['"say \\"hi\\"" <a@b>', ['say "hi"', 'a@b']],
    ['<a@b>', ['', 'a@b']],
    ['Ops: a@b, C <c@d>;, e@f', ['', 'a@b'], ['C', 'c@d'], ['', 'e@f']],
    ['"a b"@c', ['', '"a b"@c']],
    ['a@[192.0.2.1]', ['', 'a@[192.0.2.1]']],
    ['Jörg <jörg@exämple.org>', ['Jörg', 'jörg@exämple.org']],
    ['first.last+tag@a-b.example', ['', 'first.last+tag@a-b.example']],
    ['a@b,\n  c@d\n', ['', 'a@b'], ['', 'c@d']],
  ])('parses %s', (text, ...addresses) => {
    expect(parseMailAddresses(text)).toEqual(
      addresses.map(([name, address]) => ({ name, address })),
    )
  })

  it.each([
    ['', 'mail: no address'],
    [' , ', 'mail: no address'],
    ['nobody:;', 'mail: no address'],
    ['somebody', "mail: missing '@' or angle-addr"],
    ['a b@c', 'mail: invalid local part'],
    ['a..b@c', 'mail: invalid local part'],
    ['@c', 'mail: invalid local part'],
    ['a@', 'mail: invalid domain'],
    ['a@b c', 'mail: invalid domain'],
    ['a@b@c', 'mail: invalid domain'],
    ['<a@b', 'mail: unclosed angle-addr'],
    ['a <b@c> d', 'mail: unclosed angle-addr'],
    ['@ <b@c>', 'mail: invalid name before an address'],
    ['"a@b', 'mail: unclosed quoted-string'],
    ['a@b (', 'mail: unclosed comment'],
    ['a@b\u0000', 'mail: invalid character'],
    ['a@b\r\nBcc: c@d', 'mail: misplaced ":"'],
    ['a@b;', 'mail: misplaced ";"'],
    ['g: a@b', 'mail: missing ";" after a group'],
    ['g: h: a@b;;', 'mail: misplaced ":"'],
  ])('refuses %j', (text, message) => {
    expect(() => parseMailAddresses(text)).toThrow(
      expect.objectContaining({ reason: 'InvalidAddress', message }),
    )
  })

  it.each(['(', '"', '<', 'a@', 'a,', ' ', '\\', 'a:b;'])(
    'takes linear time for many %j',
    (unit) => {
      const started = cpuMs()
      try {
        parseMailAddresses(unit.repeat(200_000))
      } catch (error) {
        expect(error).toMatchObject({ reason: 'InvalidAddress' })
      }
      expect(cpuMs() - started).toBeLessThan(6_000)
    },
  )
})
