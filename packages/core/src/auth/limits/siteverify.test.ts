import { describe, expect, it } from 'vitest'
import {
  type CaptureServer,
  captureServer,
  type GivenAnswer,
} from '../../http/capture-server.fixture.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import type { PostFetch } from '../events/outgoing-post.ts'
import {
  createRecaptchaVerifier,
  createTurnstileVerifier,
  type SiteverifyOptions,
} from './siteverify.ts'

const given = { response: 'a person', ip: '192.0.2.1' }

const providers = [
  [
    'cloudflare',
    createTurnstileVerifier,
    'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  ],
  ['recaptchav2', createRecaptchaVerifier, 'https://www.google.com/recaptcha/api/siteverify'],
] as const

/** A provider that gives one answer, or none, with the options to reach it and the URLs of its calls. */
async function startProvider(answer?: GivenAnswer): Promise<{
  readonly options: SiteverifyOptions
  readonly requests: CaptureServer['requests']
  readonly urls: readonly string[]
}> {
  const { url, requests } = await captureServer(() => answer ?? new Promise(() => {}))
  const urls: string[] = []
  const toServer: PostFetch = (target, init) => {
    urls.push(target)
    return fetch(url, init)
  }
  return { options: { secretKey: 'secret key', fetch: toServer }, requests, urls }
}

describe.each(providers)('a verifier for %s', (type, create, url) => {
  it('sends the secret, the response and the address to the provider', async () => {
    const { options, requests, urls } = await startProvider({ body: '{"success":true}' })
    const verifier = create(options)
    expect(verifier.type).toBe(type)
    expect(await verifier.verify(given)).toBe('passed')
    await verifier.verify({ ...given, ip: '0.0.0.0' })
    expect(urls).toEqual([url, url])
    const forms = requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
    expect(forms).toEqual([
      { secret: 'secret key', response: 'a person', remoteip: '192.0.2.1' },
      { secret: 'secret key', response: 'a person' },
    ])
    expect(requests[0]).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  })

  it.each([
    '{"success":false}',
    '{"success":false,"error-codes":[]}',
    '{"success":false,"error-codes":["invalid-input-response"]}',
    '{"success":false,"error-codes":["timeout-or-duplicate"]}',
    '{"success":false,"error-codes":["something-new"]}',
  ])('fails for the answer %s', async (body) => {
    const { options } = await startProvider({ body })
    expect(await create(options).verify(given)).toBe('failed')
  })

  it.each([
    { body: '{"success":false,"error-codes":["invalid-input-secret"]}' },
    { body: '{"success":false,"error-codes":["internal-error","invalid-input-response"]}' },
    { body: '{"success":"true"}' },
    { body: '{}' },
    { body: '' },
    { body: '[]' },
    { body: 'null' },
    { body: '{"success":true}', status: 500 },
    { status: 302, headers: { location: '/' } },
    { body: ' '.repeat(100_000) },
  ])('throws if the provider gives no verdict: case %#', async (answer) => {
    const { options } = await startProvider(answer)
    const failure: unknown = await create(options)
      .verify(given)
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(String(failure)).not.toMatch(/secret key|a person/)
  })

  it('times out', async () => {
    const clock = createManualClock()
    const { options } = await startProvider()
    const asking = create({ ...options, clock, timeoutMs: 1_000 }).verify(given)
    const refused = expect(asking).rejects.toThrow('there was no answer in 1000 ms')
    clock.advance(1_000)
    await refused
  })

  it('does not send what cannot be a response', async () => {
    const { options, requests } = await startProvider({ body: '{"success":true}' })
    const verifier = create(options)
    for (const response of ['', 'x'.repeat(8_193)]) {
      expect(await verifier.verify({ ...given, response })).toBe('failed')
    }
    expect(requests).toEqual([])
  })

  it('is not created without a secret', () => {
    expect(() => create({ secretKey: '' })).toThrow(
      expect.objectContaining({ reason: 'InvalidInput' }),
    )
  })
})
