import { describe, expect, it } from 'vitest'
import { failureText } from './failure-text.ts'

const failed = (cause: unknown): Error => new TypeError('fetch failed', { cause })
const coded = (code: string, message = 'about http://secret.example/'): Error =>
  Object.assign(new Error(message), { code })

describe('failureText', () => {
  it.each([
    [failed(coded('ECONNREFUSED')), 'connection refused (ECONNREFUSED)'],
    [failed(coded('ENOTFOUND')), 'no such host (ENOTFOUND)'],
    [failed(coded('ERR_SSL_WRONG_VERSION_NUMBER')), 'ERR_SSL_WRONG_VERSION_NUMBER'],
    [failed(failed(coded('EPIPE'))), 'broken pipe (EPIPE)'],
    [coded('not a code: http://secret.example/'), 'Error'],
    [failed(new RangeError('about http://secret.example/')), 'RangeError'],
    [
      failed(coded('X_Y', 'Proxy response (502) !== 200 when HTTP Tunneling')),
      'the proxy answered 502',
    ],
    ['http://secret.example/', 'unknown error'],
    [undefined, 'unknown error'],
  ])('describes %o without potential secrets', (error, text) => {
    expect(failureText(error)).toBe(text)
  })

  it('terminates for circular causes', () => {
    const error = new Error('a')
    error.cause = error
    expect(failureText(error)).toBe('Error')
  })
})
