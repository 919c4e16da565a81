import { createTimedCache } from '../../async/timed-cache.ts'
import { withinTime } from '../../async/within-time.ts'
import { type PublicKey, parseCertificate } from '../../crypto/public-key.ts'
import { fetchRequest } from '../../http-client/fetch-request.ts'
import type { OutgoingAnswer } from '../../http-client/send-request.ts'
import type { Fetch } from '../../http-client/wire.ts'
import type { Clock } from '../../time/clock.ts'

/** What is asked of the sites of senders, whose URLs were checked before. */
export interface SenderSites {
  /**
   * The key of the certificate at a URL. Deliveries that need the same one share a request, and the answer is kept for a time.
   *
   * @throws {Error} if there is no valid certificate. The message has no URL.
   */
  certificate(url: string): Promise<PublicKey>
  /**
   * Gets a URL.
   *
   * @throws {Error} unless the answer is a success. The message has no URL.
   */
  visit(url: string): Promise<void>
}

/** What {@link createSenderSites} needs. */
export interface SenderSitesOptions {
  readonly clock: Clock
  /** It must not follow redirections. */
  readonly fetch: Fetch
}

/** Senders have one or two certificates at a time. */
const maxCertificates = 64
/** In ms. They are changed about once a year, under another URL. */
const maxAge = 24 * 3_600_000
/** In ms. Senders give up after some seconds. */
const maxWait = 5_000
/** Any client can name files at an allowed host, so not many are asked for at once. */
const maxOpen = 8

/** Creates a {@link SenderSites} that asks nothing yet. */
export function createSenderSites({ clock, fetch }: SenderSitesOptions): SenderSites {
  const certificates = createTimedCache<ReturnType<typeof certificateOf>>(clock, maxCertificates)
  let open = 0

  const get = async (url: string): Promise<OutgoingAnswer> => {
    if (open >= maxOpen) throw new Error('too many requests to sites of senders are open')
    open++
    try {
      return await withinTime(clock, {
        ms: maxWait,
        tooLate: () => new Error(`there was no answer in ${maxWait} ms`),
        work: (signal) => getOnce(fetch, url, signal),
      })
    } finally {
      open--
    }
  }

  return {
    async certificate(url) {
      const load = async (): Promise<ReturnType<typeof certificateOf>> =>
        certificateOf((await get(url)).body)
      const { key, validFrom, validTo } = await certificates.get(url, maxAge, load)
      const now = clock.now()
      if (now < validFrom || now > validTo) throw new Error('the certificate is not valid now')
      return key
    },
    async visit(url) {
      await get(url)
    },
  }
}

function certificateOf(text: string): NonNullable<ReturnType<typeof parseCertificate>> {
  const certificate = parseCertificate(text)
  if (certificate === undefined) throw new Error('the answer has no certificate')
  return certificate
}

async function getOnce(fetch: Fetch, url: string, signal: AbortSignal): Promise<OutgoingAnswer> {
  const exchange = await reach(() => {
    const request = { method: 'GET', url: new URL(url), headers: [], body: undefined }
    return fetchRequest(fetch, request, signal)
  })
  if (exchange.status >= 200 && exchange.status < 300) return exchange.read()
  await exchange.discard()
  throw new Error(`the answer has the status ${exchange.status}`)
}

async function reach<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new Error('the site could not be reached', { cause })
  }
}
