import { parseUrl } from '../../../http/parse-url.ts'

/** Options of {@link readEndpointUrl}. */
export interface EndpointUrlOptions {
  /** Whether `http` will do as well as `https`. */
  readonly allowHttp: boolean
  /** What a relative URL is relative to. */
  readonly base?: string
}

/** The URL of something that is asked; `undefined` if it is none of HTTPS, or has a name and a password in it. */
export function readEndpointUrl(
  text: string,
  { allowHttp, base }: EndpointUrlOptions,
): URL | undefined {
  const url = parseUrl(text, base)
  if (url === undefined) return undefined
  const isKnown = url.protocol === 'https:' || (allowHttp && url.protocol === 'http:')
  return isKnown && url.username === '' && url.password === '' ? url : undefined
}
