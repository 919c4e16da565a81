import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type BodyEncoding, bodyEncoding, inflateBody } from './inflate-body.ts'

const plain = Buffer.from('{"ref":"refs/heads/main"}')
const take = (): void => {}

describe('a compressed body', () => {
  it.each([
    ['gzip', gzipSync(plain)],
    ['gzip', Buffer.concat([gzipSync(plain.subarray(0, 5)), gzipSync(plain.subarray(5))])],
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
  ] as const)('of %s is read', async (encoding, bytes) => {
    expect(Buffer.from(await inflateBody(bytes, encoding, take))).toEqual(plain)
  })

  it.each([
    ['gzip', plain],
    ['gzip', gzipSync(plain).subarray(0, -9)],
    ['deflate', Buffer.from([0x78, 0x9c, 1, 2])],
    ['deflate', Buffer.from('zzz')],
  ] as const)('that is not %s, or breaks off, is refused', async (encoding, bytes) => {
    await expect(inflateBody(bytes, encoding, take)).rejects.toMatchObject({
      reason: 'invalid_request',
      message: expect.stringContaining(`not ${encoding}`),
    })
  })

  it('ends as soon as it is too long, long before its end', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 2 ** 20))
    let most = 0
    const limit = (length: number): void => {
      most = Math.max(most, length)
      if (length > 100_000) throw new RangeError('too long')
    }
    await expect(inflateBody(bomb, 'gzip', limit)).rejects.toThrow('too long')
    expect(most).toBeLessThan(200_000)
  })
})

describe('the compression of a body', () => {
  it.each([
    [null, undefined],
    ['', undefined],
    ['Identity', undefined],
    [' GZIP ', 'gzip'],
    ['x-gzip', 'gzip'],
    ['deflate', 'deflate'],
  ] satisfies [string | null, BodyEncoding | undefined][])('%j is %s', (header, encoding) => {
    expect(bodyEncoding(header)).toBe(encoding)
  })

  it.each(['br', 'zstd', 'gzip, gzip', 'gzip,deflate', 'compress'])('%s is refused', (header) => {
    expect(() => bodyEncoding(header)).toThrow('gzip or deflate')
  })
})
