import { parseUrl } from '../../../http/parse-url.ts'
import { type Decode, filledText } from '../../../input/decode.ts'
import { refuseShown } from '../../../input/refusal.ts'

/** Options of {@link readEndpointUrl}. */
export interface EndpointUrlOptions {
  /** Whether `http` is allowed as well as `https`. */
  readonly allowHttp: boolean
  /** The base of a relative URL. */
  readonly base?: string
}

/** Normalizes the URL of an endpoint; `undefined` if it does not use HTTPS, or contains a user name and password. */
export function readEndpointUrl(
  text: string,
  { allowHttp, base }: EndpointUrlOptions,
): URL | undefined {
  const url = parseUrl(text, base)
  if (url === undefined) return undefined
  const isKnown = url.protocol === 'https:' || (allowHttp && url.protocol === 'http:')
  return isKnown && url.username === '' && url.password === '' ? url : undefined
}

/** Accepts the URL of an endpoint. */
export const endpointUrl =
  ({ allowHttp }: Pick<EndpointUrlOptions, 'allowHttp'>): Decode<string> =>
  (value) =>
    readEndpointUrl(filledText(value), { allowHttp }) === undefined
      ? refuseShown(allowHttp ? 'an http or https URL' : 'an https URL', value)
      : filledText(value)
