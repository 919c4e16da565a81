import type { ConfigNode, MappingNode } from '@gatehouse/core/config'
import { firstAddress, type ListenPlace, placeUrl } from '../server/listen-address.ts'

/** For checking whether a document is good. */
export const anyOrigin = 'http://localhost'

/**
 * The URL of a server for a developer's browser: on this machine by name, because browsers create no passkeys for an IP address.
 */
export function developmentOrigin(places: readonly ListenPlace[], isSecure: boolean): string {
  const place = firstAddress(places)
  if (place === undefined) return 'http://localhost'
  const { host = '', port } = place
  const isHere = ['', '0.0.0.0', '::', '127.0.0.1', '::1'].includes(host)
  return placeUrl({ host: isHere ? 'localhost' : host, port }, isSecure)
}

/** Whether a document sets its own public origin. */
export function namesOrigin(document: ConfigNode): boolean {
  const http = document.kind === 'mapping' ? memberOf(document, 'http') : undefined
  return http?.kind === 'mapping' && memberOf(http, 'public_origin') !== undefined
}

/** Adds development defaults to a document: the public origin `origin`, and TLS not required. Settings of the document win. */
export function forDevelopment(document: ConfigNode, origin: string): ConfigNode {
  const reached = withSetting(document, ['http', 'public_origin'], origin)
  return withSetting(reached, ['http', 'allow_insecure'], 'true')
}

/** A document with a setting of a section, unless it has one of its own. */
export function withSetting(
  document: ConfigNode,
  [section, key]: readonly [section: string, key: string],
  value: string,
): ConfigNode {
  if (document.kind !== 'mapping') return document
  const { line, column, start, end } = document
  const place = { line, column, start, end }
  const found = memberOf(document, section) ?? { ...place, kind: 'mapping', entries: [] }
  if (found.kind !== 'mapping') return document
  const others = document.entries.filter((entry) => !isText(entry.key, section))
  const written = { key: scalar(document, section), value: withMember(found, key, value) }
  return { ...document, entries: [...others, written] }
}

function withMember(mapping: MappingNode, key: string, value: string): MappingNode {
  if (memberOf(mapping, key) !== undefined) return mapping
  const entry = { key: scalar(mapping, key), value: scalar(mapping, value) }
  return { ...mapping, entries: [...mapping.entries, entry] }
}

function scalar({ line, column, start, end }: MappingNode, text: string): ConfigNode {
  return { kind: 'scalar', text, isPlain: true, line, column, start, end }
}

const memberOf = (mapping: MappingNode, key: string): ConfigNode | undefined =>
  mapping.entries.find((entry) => isText(entry.key, key))?.value

const isText = (node: ConfigNode, text: string): boolean =>
  node.kind === 'scalar' && node.text === text
