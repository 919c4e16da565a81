import { Secret, secretMask } from '../../crypto/secret.ts'
import type { NotificationRenderer } from '../notification/notification.ts'

/**
 * Keeps secrets out of previews. Masking them afterwards could miss an unexpected encoding, so a notifier gets stand-ins
 * that are easy to find again.
 */
export interface Disguise {
  /** The same value with each secret replaced by a placeholder. */
  hideIn<T>(value: T): T
  /** The stand-in for a secret text. */
  hide(secret: string): string
  /** A renderer that renders secret templates, to find errors in them, but returns stand-ins. */
  renderer(real: NotificationRenderer): NotificationRenderer
}

/** A stand-in of letters and dashes, which no encoding changes. */
export const standIn = 'gatehouse-secret'
/** For URLs, with a host that does not exist. @see RFC 2606, section 2 */
const standInUrl = `https://${standIn}.invalid/`
/** For numbers. */
const standInNumber = '7073310409141592653'

const standIns = new RegExp(
  `${standInUrl.replaceAll('.', '\\.')}?|\\{\\{${standIn} \\d+\\}\\}|${standIn}|${standInNumber}`,
  'g',
)

/** Replaces stand-ins in a text by the mask of secrets. */
export const withMasks = (text: string): string => text.replace(standIns, secretMask)

/** Creates a disguise for one preview. */
export function createDisguise(): Disguise {
  /** Secrets that are templates, by their stand-ins. */
  const templates = new Map<string, string>()

  const hide = (secret: string): string => {
    if (!secret.includes('{{')) return standInFor(secret)
    const name = `{{${standIn} ${templates.size}}}`
    templates.set(name, secret)
    return name
  }

  const hideAny = (value: unknown): unknown => {
    if (value instanceof Secret) return disguised(value, hide)
    if (Array.isArray(value)) return value.map(hideAny)
    if (value instanceof Map) {
      return new Map(Array.from(value, ([key, member]) => [key, hideAny(member)]))
    }
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, hideAny(member)]))
  }

  const render = (real: (template: string) => string) => (template: string) => {
    const secret = templates.get(template)
    return secret === undefined ? real(template) : standInFor(real(secret))
  }

  return {
    hide,
    // The copy has the type of the original.
    hideIn: <T>(value: T) => hideAny(value) as T,
    renderer: ({ text, html }) => ({ text: render(text), html: render(html) }),
  }
}

/** Keeps the parts of a URL that are shown: they say where it points to. */
function disguised(secret: Secret, hide: (secret: string) => string): Secret {
  const mask = secret.toString()
  const shown = mask === secretMask ? hide(secret.reveal()) : standInParts(secret.reveal(), mask)
  return new Secret(shown, mask)
}

/** A placeholder for each hidden part of a URL: for its path, and for its credentials because they become a header. */
function standInParts(url: string, mask: string): string {
  const masked = mask.replace(secretMask, standIn)
  const hidesCredentials = /^[^/]*\/\/[^/?#]*@/.test(url) && !mask.includes('@')
  return hidesCredentials ? masked.replace('//', `//${standIn}@`) : masked
}

/** Empty, a number or a URL, as the secret is. */
function standInFor(secret: string): string {
  const trimmed = secret.trim()
  if (trimmed === '') return ''
  if (/^[+-]?\d+$/.test(trimmed)) return standInNumber
  return /^https?:\/\//i.test(trimmed) ? standInUrl : standIn
}
