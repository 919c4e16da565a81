import { readBody } from '@gatehouse/core/adapter'
import type { FramedAnswer } from '@gatehouse/core/auth'
import { isJsonObject } from '@gatehouse/core/store'
import { knownMetadata, metadataProblem } from '../clients/client-metadata.ts'
import { dispatch, type Exchange, type LoadedProvider } from '../exchange/dispatch.ts'
import { oauthFailure } from './oauth-failure.ts'

/** Far more than an app has to say of itself. */
const maxBytes = 16_384

/** Registers an app that describes itself. The library checks the token, and what is left. @see RFC 7591, section 3.1 */
export async function answerRegistration(
  loaded: LoadedProvider,
  exchange: Exchange,
): Promise<FramedAnswer> {
  const { request, info } = exchange
  const given = parsed((await readBody(request, maxBytes)) ?? new Uint8Array())
  if (given === undefined) {
    return oauthFailure(400, 'invalid_request', 'the body must be a JSON object')
  }
  const problem = metadataProblem(given)
  if (problem !== undefined) return oauthFailure(400, problem.error, problem.description)
  const body = new Uint8Array(Buffer.from(JSON.stringify(knownMetadata(given))))
  return dispatch(loaded, exchange, { path: info.path, body })
}

function parsed(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString())
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
