import type { Attr, Element, State } from './context.ts'

/**
 * The content type of an attribute value. `unsafe`: no value may be inserted, because the attribute changes the meaning of
 * others.
 */
export type AttributeKind = 'plain' | 'url' | 'css' | 'js' | 'html' | 'srcset' | 'unsafe'

const urlNames = [
  'action',
  'archive',
  'background',
  'cite',
  'classid',
  'codebase',
  'data',
  'formaction',
  'href',
  'icon',
  'longdesc',
  'manifest',
  'poster',
  'profile',
  'src',
  'usemap',
  'xmlns',
]
const unsafeNames = [
  'accept-charset',
  'async',
  'challenge',
  'charset',
  'content',
  'crossorigin',
  'defer',
  'enctype',
  'form',
  'formenctype',
  'formmethod',
  'formnovalidate',
  'http-equiv',
  'keytype',
  'language',
  'method',
  'novalidate',
  'pattern',
  'rel',
  'sandbox',
  'type',
  'value',
]

const kinds: ReadonlyMap<string, AttributeKind> = new Map<string, AttributeKind>([
  ...urlNames.map((name) => [name, 'url'] as const),
  ...unsafeNames.map((name) => [name, 'unsafe'] as const),
  ['srcdoc', 'html'],
  ['srclang', 'plain'],
  ['srcset', 'srcset'],
  ['style', 'css'],
])

/** The content type of an attribute value by its lower-case name. Unknown names are judged by their form. */
export function attributeKind(name: string): AttributeKind {
  const local = localName(name)
  if (local === undefined) return 'url'
  const known = kinds.get(local)
  if (known !== undefined) return known
  if (local.startsWith('on')) return 'js'
  return /src|uri|url/.test(local) ? 'url' : 'plain'
}

/** `href` for `data-href` and `xlink:href`; `undefined` for a namespace declaration. */
function localName(name: string): string | undefined {
  if (name.startsWith('data-')) return name.slice('data-'.length)
  const colon = name.indexOf(':')
  if (colon < 0) return name
  return name.slice(0, colon) === 'xmlns' ? undefined : name.slice(colon + 1)
}

const attrs: ReadonlyMap<AttributeKind, Attr> = new Map<AttributeKind, Attr>([
  ['url', 'attrURL'],
  ['css', 'attrStyle'],
  ['js', 'attrScript'],
  ['srcset', 'attrSrcset'],
])

/** The kind of an attribute, by its name in lower case and its element. */
export function attrOf(name: string, element: Element): Attr {
  if (element === 'elementScript' && name === 'type') return 'attrScriptType'
  if (element === 'elementMeta' && name === 'content') return 'attrMetaContent'
  return attrs.get(attributeKind(name)) ?? 'attrNone'
}

/** The state at the beginning of the value of an attribute. */
export const valueStates: Readonly<Record<Attr, State>> = {
  attrNone: 'stateAttr',
  attrScript: 'stateJS',
  attrScriptType: 'stateAttr',
  attrStyle: 'stateCSS',
  attrURL: 'stateURL',
  attrSrcset: 'stateSrcset',
  attrMetaContent: 'stateMetaContent',
}
