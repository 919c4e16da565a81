import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import type { SecretKey } from '@gatehouse/core/auth'
import { type ConfigKind, listOf } from '@gatehouse/core/config'
import { fileProblem } from '../config/config-file.ts'
import { section } from '../config/config-section.ts'
import {
  type Outside,
  outsideText,
  type PlacedText,
  placedText,
  reportText,
} from '../config/outside-text.ts'

/** One of the keys that states and secrets are sealed under. */
export interface KeySection {
  readonly id: PlacedText | undefined
  readonly key: PlacedText | undefined
  readonly file: PlacedText | undefined
}

const keyParts: ConfigKind<KeySection> = section<KeySection>({
  typeName: 'key',
  fields: {
    id: { kind: placedText },
    key: { kind: placedText },
    file: { kind: placedText },
  },
  check({ key, file }, report) {
    if (key === undefined && file === undefined) report('needs a key, or a file that holds one')
    if (key !== undefined && file !== undefined) report('either key or file', 'file')
  },
})

/** A key itself, or its parts. */
const oneKey: ConfigKind<KeySection> = {
  ...keyParts,
  decode: (place) =>
    place.node.kind === 'scalar'
      ? { ...keyParts.zero, key: placedText.decode(place) }
      : keyParts.decode(place),
}

const keyList = listOf(oneKey, 'keys')

/** One key, or several of which the first seals. */
export const keys: ConfigKind<readonly KeySection[]> = {
  ...keyList,
  decode: (place) =>
    place.node.kind === 'sequence' ? keyList.decode(place) : [oneKey.decode(place)],
}

const leastBytes = 32
const howToMake = 'make one with: openssl rand -base64 32'

/** What to say where there is no key. */
export const keysMissing: string = `keys are missing: what states and secrets are sealed under, as key_file: FILE, or keys: \${env:NAME}; ${howToMake}`

/** Reads keys; what is wrong with them is noted, and never quoted. */
export async function readKeys(
  given: readonly KeySection[],
  outside: Outside,
): Promise<readonly SecretKey[]> {
  const found: SecretKey[] = []
  for (const { id: named, key, file } of given) {
    const place = key ?? file
    if (place === undefined) continue
    const bytes = key === undefined ? await bytesOf(place, outside) : textBytes(place, outside)
    if (bytes === undefined) continue
    if (bytes.length < leastBytes) {
      const has = `the key has ${bytes.length} bytes and needs at least ${leastBytes}`
      reportText(outside, place, `${has}; ${howToMake}`)
      continue
    }
    const id = named?.written ?? idOf(bytes)
    const problem = idProblem(id, found)
    if (problem === undefined) found.push({ id, key: bytes })
    else reportText(outside, named ?? place, problem)
  }
  return found
}

function idProblem(id: string, found: readonly SecretKey[]): string | undefined {
  if (!/^[\w-]{1,64}$/.test(id)) return 'the id of a key is 1 to 64 letters, digits, "_" and "-"'
  return found.some((key) => key.id === id) ? 'another key has this id, or is the same' : undefined
}

/** What a key is known by that was given no name: it says nothing of the key, and stays the same wherever the key stands. */
function idOf(bytes: Uint8Array): string {
  return createHash('sha256').update('gatehouse key id\n').update(bytes).digest('hex').slice(0, 12)
}

function textBytes(place: PlacedText, outside: Outside): Uint8Array | undefined {
  const key = outsideText(outside, place)
  return key === undefined ? undefined : new TextEncoder().encode(key)
}

async function bytesOf(place: PlacedText, outside: Outside): Promise<Uint8Array | undefined> {
  try {
    const content = await outside.files.read(resolve(outside.directory, place.written))
    return isLine(content) ? new TextEncoder().encode(content.toString('ascii').trim()) : content
  } catch (error) {
    reportText(outside, place, `${place.written}: ${fileProblem(error)}; ${howToMake} > FILE`)
    return undefined
  }
}

/** Whether a key was written as a line of text; of one that is bytes the last may look like a line end. */
const isLine = (content: Buffer): boolean => /^[\x20-\x7e]+\r?\n?$/.test(content.toString('latin1'))
