import {
  type BlockTable,
  block,
  type ConfigKind,
  type ConfigNode,
  childPlace,
  type DecodePlace,
  isNull,
  reportStructure,
} from '@gatehouse/core/config'
import { nearestKey } from './nearest-key.ts'

/**
 * A section of the file of `gatehouse api`: a block that says of a key it does not know which one was probably meant,
 * and goes on.
 */
export function section<T extends object>(table: BlockTable<T>): ConfigKind<T> {
  const kind = block<T>(table)
  const keys = Object.keys(table.fields)
  return { ...kind, decode: (place) => kind.decode(withoutUnknown(place, keys)) }
}

/**
 * A kind of mapping that holds secrets. What stands in place of the mapping is refused without a word of it: it may be one.
 *
 * @param shape what the mapping looks like.
 */
export function secretMapping<T>(kind: ConfigKind<T>, shape: string): ConfigKind<T> {
  return {
    ...kind,
    decode(place) {
      if (place.node.kind === 'mapping' || isNull(place.node)) return kind.decode(place)
      reportStructure(place, `must be a mapping: ${shape}`)
      return kind.zero
    },
  }
}

function withoutUnknown(place: DecodePlace, keys: readonly string[]): DecodePlace {
  const { node } = place
  if (node.kind !== 'mapping') return place
  const isKnown = (key: ConfigNode): boolean => key.kind !== 'scalar' || keys.includes(key.text)
  for (const { key } of node.entries) {
    if (key.kind === 'scalar' && !isKnown(key)) reportUnknown(place, key, key.text, keys)
  }
  return { ...place, node: { ...node, entries: node.entries.filter(({ key }) => isKnown(key)) } }
}

function reportUnknown(
  place: DecodePlace,
  node: ConfigNode,
  key: string,
  keys: readonly string[],
): void {
  const nearest = nearestKey(key, keys)
  const suggestion = nearest === undefined ? '' : `; did you mean "${nearest}"?`
  reportStructure(childPlace(place, node, key), `unknown key ${JSON.stringify(key)}${suggestion}`)
}
