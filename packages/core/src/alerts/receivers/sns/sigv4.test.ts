import { describe, expect, it } from 'vitest'
import { hmacSha256 } from '../../../crypto/crypto.ts'
import type { OutgoingRequest } from '../../../http-client/send-request.ts'
import { signSigv4 } from './sigv4.ts'

/** From AWS's published test suite for this signature. */
const suite = {
  credentials: {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  },
  region: 'us-east-1',
  service: 'service',
  now: Date.UTC(2015, 7, 30, 12, 36),
}

const sign = (request: Partial<OutgoingRequest>): string => {
  const given = { method: 'GET', url: 'https://example.amazonaws.com/', ...request } as const
  return signSigv4(given, suite).headers?.authorization ?? ''
}

const scope = 'Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request'

describe('signSigv4', () => {
  it.each<[name: string, request: Partial<OutgoingRequest>, names: string, signature: string]>([
    [
      'get-vanilla',
      {},
      'host;x-amz-date',
      '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    ],
    [
      'get-vanilla-query-order-key-case',
      { url: 'https://example.amazonaws.com/?Param2=value2&Param1=value1' },
      'host;x-amz-date',
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
    [
      'post-vanilla',
      { method: 'POST' },
      'host;x-amz-date',
      '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
    ],
    [
      'post-x-www-form-urlencoded',
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'Param1=value1',
      },
      'content-type;host;x-amz-date',
      'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    ],
    [
      'get-header-value-trim',
      { headers: { 'My-Header1': ' value1', 'My-Header2': ' "a   b   c"' } },
      'host;my-header1;my-header2;x-amz-date',
      'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
    ],
  ])('signs %s as published by AWS', (_, request, names, signature) => {
    expect(sign(request)).toBe(
      `AWS4-HMAC-SHA256 ${scope}, SignedHeaders=${names}, Signature=${signature}`,
    )
  })

  it('derives the key that AWS documents', () => {
    const { secretAccessKey } = suite.credentials
    const key = ['20150830', 'us-east-1', 'iam', 'aws4_request'].reduce<string | Uint8Array>(
      hmacSha256,
      `AWS4${secretAccessKey}`,
    )
    expect(Buffer.from(key).toString('hex')).toBe(
      'c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9',
    )
  })

  it('adds the time and the session token to the signed headers', () => {
    const credentials = { ...suite.credentials, sessionToken: 'a/session=' }
    const signed = signSigv4(
      { method: 'POST', url: 'https://h/', headers: { 'content-type': 't' }, body: 'b' },
      { ...suite, credentials },
    )
    expect(signed).toMatchObject({
      method: 'POST',
      url: 'https://h/',
      body: 'b',
      headers: {
        'content-type': 't',
        'x-amz-date': '20150830T123600Z',
        'x-amz-security-token': 'a/session=',
      },
    })
    expect(signed.headers?.authorization).toContain(
      'SignedHeaders=content-type;host;x-amz-date;x-amz-security-token,',
    )
  })
})
