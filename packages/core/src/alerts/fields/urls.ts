import {
  formatGoUrl,
  type GoUrl,
  goQuote,
  parseGoUrl,
  withoutPassword,
} from '@gatehouse/go-template/text'
import {
  type ConfigKind,
  type DecodePlace,
  decodeWith,
  type Expanded,
  hideSource,
  isNull,
  reportCheck,
  reportReferences,
  reportType,
} from '@gatehouse/go-template/yaml'
import { Secret, secretMask } from '../../crypto/secret.ts'
import { GatehouseError, isGatehouseError } from '../../errors.ts'
import { checkTemplateDelimiters } from './template-delimiters.ts'

function invalidUrl(message: string): GatehouseError {
  return new GatehouseError('BadRequest', 'InvalidUrl', message)
}

function parseHttpUrl(written: string): GoUrl {
  const parsedUrl = parseGoUrl(written)
  if (parsedUrl.scheme !== 'http' && parsedUrl.scheme !== 'https') {
    throw invalidUrl(`unsupported scheme ${goQuote(parsedUrl.scheme)} for URL`)
  }
  if (parsedUrl.host === '') throw invalidUrl('missing host for URL')
  return parsedUrl
}

/** Decodes a scalar as a URL; its password, or all of it, is hidden. */
function urlKind(read: (written: string) => Secret): ConfigKind<Secret | undefined> {
  return {
    typeName: 'string',
    zero: undefined,
    isOptional: true,
    decode(place) {
      if (isNull(place.node)) return undefined
      if (place.node.kind !== 'scalar') {
        reportType(place, 'string')
        return undefined
      }
      const written = place.node.text
      const expanded = place.decoding.expand?.(written)
      if (expanded !== undefined) return urlFromOutside(place, expanded, read)
      const url = decodeWith(place, () => read(written), undefined)
      if (url !== undefined && String(url) !== url.reveal()) hideSource(place, String(url))
      return url
    },
    encode: (url) => url?.toString(),
  }
}

/** Stands for a URL whose references are not looked up. */
const unknownUrl = 'http://unknown.invalid/'

/**
 * Decodes a URL whose references were resolved. Only its scheme and host are ever shown, and no part of it in messages: any part
 * may be the secret.
 */
function urlFromOutside(
  place: DecodePlace,
  expanded: Expanded,
  read: (written: string) => Secret,
): Secret | undefined {
  hideSource(place, secretMask)
  if (reportReferences(place, expanded)) return undefined
  const value = 'value' in expanded ? expanded.value : unknownUrl
  try {
    const url = read(value)
    return String(url).endsWith(secretMask) ? url : hostUrlOrMask(url.reveal())
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    reportCheck(place, 'is not a valid URL after its references are resolved')
    return undefined
  }
}

function hostUrlOrMask(url: string): Secret {
  try {
    return hostUrl(parseHttpUrl(url))
  } catch {
    return new Secret(url)
  }
}

const quotedUrl = /^parse "(?:[^"\\]|\\.)*"/

/** Parses a URL whose text is a secret. Replaces the text with `shown` in error messages. */
function readSecretUrl(written: string, shown: string): GoUrl {
  try {
    return parseHttpUrl(written)
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    throw invalidUrl(error.message.replace(quotedUrl, () => `parse ${goQuote(shown)}`))
  }
}

function shownUrl(url: GoUrl): Secret {
  return new Secret(formatGoUrl(url), formatGoUrl(url, { hidePassword: true }))
}

/** An `http` or `https` URL, shown without its password. */
export const url: ConfigKind<Secret | undefined> = urlKind((written) =>
  shownUrl(parseHttpUrl(written)),
)

/** Like {@link url}, with a slash added to its path if it is missing. */
export const folderUrl: ConfigKind<Secret | undefined> = urlKind((written) => {
  const parsedUrl = parseHttpUrl(written)
  const isFolder = parsedUrl.path.endsWith('/')
  return shownUrl(isFolder ? parsedUrl : { ...parsedUrl, path: `${parsedUrl.path}/` })
})

/** A URL of any scheme, shown without its password. */
export const anyUrl: ConfigKind<Secret | undefined> = urlKind((written) =>
  shownUrl(parseGoUrl(written)),
)

const anyText = urlKind((written) => new Secret(written, withoutPassword(written)))

/** The text of a URL, which is not checked; shown without its password. Empty means unset. */
export const urlText: ConfigKind<Secret | undefined> = {
  ...anyText,
  decode(place) {
    const url = anyText.decode(place)
    return url?.reveal() === '' ? undefined : url
  },
}

/** An `http` or `https` URL that is entirely secret. The mask itself is accepted, so that a shown text can be loaded. */
export const secretUrl: ConfigKind<Secret | undefined> = urlKind((written) => {
  if (written === secretMask) return new Secret(written)
  return new Secret(formatGoUrl(readSecretUrl(written, secretMask)))
})

/**
 * An `http` or `https` URL of which only the scheme and host are shown; old releases of amtool need them to parse a shown text. A
 * URL with template actions is entirely hidden, because its parts are unknown before rendering; only the delimiters of its
 * actions are checked.
 */
export const templateUrl: ConfigKind<Secret | undefined> = urlKind((written) => {
  if (written === secretMask) return new Secret(written)
  if (written.includes('{{')) {
    checkTemplateDelimiters(written)
    return new Secret(written)
  }
  try {
    return hostUrl(readSecretUrl(written, hostOf(written)))
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    throw invalidUrl(`invalid URL: ${error.message}`)
  }
})

/** The shown part of a text that is not a URL: everything before the path, or nothing. */
function hostOf(written: string): string {
  const start = /^[a-z]+:\/\/[^/?#@]*(?=[/?#]|$)/i.exec(written)?.[0]
  if (start === undefined) return secretMask
  return start === written ? start : `${start}/${secretMask}`
}

function hostUrl(url: GoUrl): Secret {
  const { scheme, host } = url
  const shown = formatGoUrl({ scheme, host, opaque: '', path: '/', fragment: '' })
  return new Secret(formatGoUrl(url), shown + secretMask)
}
