import type { ConfigNode } from './config-document.ts'
import { type DocumentCode, type DocumentProblem, quoteKey } from './problem.ts'

/** A problem and where in the document it was found. */
export interface FoundProblem<Code extends string> {
  readonly problem: DocumentProblem<Code>
  /** The path of the problem as a JSON pointer. @see RFC 6901 */
  readonly pointer: string
  /** Position in the text, or in the order of the nodes. */
  readonly start: number
}

/** Takes notes while one document is decoded. Made by {@link createReading}. A service adds what its decoders need. */
export interface Reading<in Code extends string = DocumentCode> {
  readonly found: (problem: FoundProblem<Code>) => void
  readonly warnings: string[]
}

/** A reading with what it has found so far. */
export interface OpenReading<Code extends string> extends Reading<Code> {
  /** In the order of the document. */
  readonly problems: () => readonly FoundProblem<Code>[]
}

/** Begins to read a document. */
export function createReading<Code extends string>(): OpenReading<Code> {
  const problems: FoundProblem<Code>[] = []
  return {
    warnings: [],
    found: (problem) => void problems.push(problem),
    problems: () => problems.toSorted((one, other) => one.start - other.start),
  }
}

/** A node on its way through the decoder. */
export interface Place<Notes = Reading> {
  readonly reading: Notes
  readonly node: ConfigNode
  /** As in {@link DocumentProblem}. */
  readonly path: string
  /** As in {@link FoundProblem}. */
  readonly pointer: string
}

/** Reads one sort of value. Never throws for what a user may write: it notes a problem and answers `undefined`. */
export type Decode<T, Notes = Reading> = (place: Place<Notes>) => T | undefined

/** The place of a whole document. */
export function rootPlace<Notes>(reading: Notes, node: ConfigNode): Place<Notes> {
  return { reading, node, path: '', pointer: '' }
}

/** Notes a problem; answers `undefined`, so that a decoder can end with it. */
export function report<Code extends string>(
  place: Place<Reading<Code>>,
  code: Code,
  message: string,
): undefined {
  const { reading, node, path, pointer } = place
  const { line, column, start } = node
  const position = line === 0 ? {} : { line, column }
  reading.found({ problem: { path, code, message, ...position }, pointer, start })
}

/** Notes what is not wrong, but was probably not meant. */
export function warn(
  { reading, path }: { readonly reading: Pick<Reading<never>, 'warnings'>; readonly path: string },
  message: string,
): void {
  reading.warnings.push(path === '' ? message : `${path}: ${message}`)
}

/** The place of an item of a list. */
export function itemPlace<Notes>(
  place: Place<Notes>,
  node: ConfigNode,
  index: number,
): Place<Notes> {
  const { reading, path, pointer } = place
  return { reading, node, path: `${path}[${index}]`, pointer: `${pointer}/${index}` }
}

const plainKey = /^[A-Za-z_][\w-]{0,63}$/

/** The place of a value, or of its key, in a mapping. */
export function memberPlace<Notes>(
  place: Place<Notes>,
  node: ConfigNode,
  key: string,
): Place<Notes> {
  const isPlain = plainKey.test(key)
  const step = isPlain ? key : `[${quoteKey(key)}]`
  const path = place.path === '' || !isPlain ? place.path + step : `${place.path}.${step}`
  return { reading: place.reading, node, path, pointer: place.pointer + pointerStep(key) }
}

const longestStep = 256

/** A key of a pointer; what is longer than any key that means something is cut off. */
function pointerStep(key: string): string {
  const shown = key.length > longestStep ? `${key.slice(0, longestStep)}…` : key
  return `/${shown.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** A key of a mapping and its value. */
export interface Member<Notes = Reading> {
  readonly key: string
  readonly keyPlace: Place<Notes>
  readonly valuePlace: Place<Notes>
}

/** What a mapping holds, in the order of the document; nothing for any other node. */
export function membersOf<Notes>(place: Place<Notes>): readonly Member<Notes>[] {
  const { node } = place
  if (node.kind !== 'mapping') return []
  return node.entries.map(({ key: keyNode, value }) => {
    // Documents with other keys are refused before.
    const key = keyNode.kind === 'scalar' ? keyNode.text : ''
    const keyPlace = memberPlace(place, keyNode, key)
    return { key, keyPlace, valuePlace: { ...keyPlace, node: value } }
  })
}

/** The place of the value under a key; `undefined` if the mapping does not have the key. */
export function findMember<Notes>(place: Place<Notes>, key: string): Place<Notes> | undefined {
  const { node } = place
  if (node.kind !== 'mapping') return undefined
  const entry = node.entries.find((one) => one.key.kind === 'scalar' && one.key.text === key)
  return entry === undefined ? undefined : memberPlace(place, entry.value, key)
}

/** The place to complain about a key: of its value, or of the mapping that should have it. */
export function memberOrSelf<Notes>(place: Place<Notes>, key: string): Place<Notes> {
  return findMember(place, key) ?? memberPlace(place, place.node, key)
}
