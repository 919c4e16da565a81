import {
  type Decode,
  type Fields,
  flag,
  listOf,
  objectOf,
  oneOf,
  optional,
  rawText,
  wholeFrom,
} from '../input/decode.ts'
import { Refusal, refusalBelow } from '../input/refusal.ts'
import type { ConfigNode, MappingNode, ScalarNode, SequenceNode } from './config-document.ts'

const maxDepth = 256
const maxNodes = 1_000_000

type Place = Pick<ScalarNode, 'line' | 'column' | 'start' | 'end'>

const position = wholeFrom(0)
const place: Fields<Place> = { line: position, column: position, start: position, end: position }

/** Nested parts are decoded step by step, which limits the depth of a document. */
type Outside<Node, Inside> = Omit<Node, keyof Inside> & Inside

const unread: Decode<unknown> = (value) => value
const kind = objectOf<Pick<ConfigNode, 'kind'>>({ kind: oneOf(['scalar', 'sequence', 'mapping']) })
const scalar = objectOf<ScalarNode>({
  kind: oneOf(['scalar']),
  text: rawText,
  isPlain: flag,
  tag: optional(rawText),
  ...place,
})
const sequence = objectOf<Outside<SequenceNode, { items: unknown[] }>>({
  kind: oneOf(['sequence']),
  items: listOf(unread),
  ...place,
})
const mapping = objectOf<Outside<MappingNode, { entries: { key: unknown; value: unknown }[] }>>({
  kind: oneOf(['mapping']),
  entries: listOf(objectOf<{ key: unknown; value: unknown }>({ key: unread, value: unread })),
  ...place,
})

/** The nodes of a document, as `parseConfigDocument()` returns them. */
export const configNode: Decode<ConfigNode> = (value) => {
  let nodes = 0
  const read = (given: unknown, depth: number): ConfigNode => {
    if (depth > maxDepth) throw new Refusal(`at most ${maxDepth} levels`, 'more')
    if (++nodes > maxNodes) throw new Refusal(`at most ${maxNodes} nodes`, 'more')
    const below = (step: string | number, inside: unknown): ConfigNode => {
      try {
        return read(inside, depth + 1)
      } catch (error) {
        throw refusalBelow(error, step)
      }
    }
    switch (kind(given).kind) {
      case 'scalar':
        return scalar(given)
      case 'sequence': {
        const { items, ...node } = sequence(given)
        return { ...node, items: items.map((item, index) => below(index, item)) }
      }
      case 'mapping': {
        const { entries, ...node } = mapping(given)
        const nodesOf = ({ key, value }: { key: unknown; value: unknown }, index: number) => ({
          key: below(index, key),
          value: below(index, value),
        })
        return { ...node, entries: entries.map(nodesOf) }
      }
    }
  }
  return read(value, 0)
}
