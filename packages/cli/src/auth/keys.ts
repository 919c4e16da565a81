import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import type { SecretKey } from '@gatehouse/core/auth'
import {
  built,
  checked,
  choice,
  filledListOf,
  filledText,
  isMapping,
  mapping,
  optional,
  type Schema,
  secretText,
  textLike,
} from '@gatehouse/core/document'
import { fileProblem } from '../config/config-file.ts'
import type { ReadFiles } from '../config/read-files.ts'

/** One of the keys that states and secrets are sealed under. */
export interface KeySection {
  readonly id: string | undefined
  readonly key: string | undefined
  /** Path of a file that holds it. */
  readonly file: string | undefined
}

const leastBytes = 32
const howToMake = 'make one with: openssl rand -base64 32'

/** What to say where there is no key. */
export const keysMissing: string = `needs key_file: FILE, or keys: \${env:NAME}, which states and secrets are sealed under; ${howToMake}`

const keyText: Schema<string> = textLike(
  (key) => Buffer.byteLength(key) >= leastBytes,
  `a key of at least ${leastBytes} bytes; ${howToMake}`,
  secretText,
)

const keyId: Schema<string> = textLike(
  (id) => /^[\w-]{1,64}$/.test(id),
  '1 to 64 letters, digits, "_" and "-"',
)

const keyParts: Schema<KeySection> = checked(
  mapping<KeySection>(
    {
      id: optional(keyId, 'A name for the key. Default: a digest of the key.'),
      key: optional(keyText, 'The key.'),
      file: optional(filledText, 'A file that holds it.'),
    },
    { title: 'AuthKey' },
  ),
  ({ value: { key, file }, isBroken, report }) => {
    const hasKey = key !== undefined || isBroken('key')
    const hasFile = file !== undefined || isBroken('file')
    if (!hasKey && !hasFile) report([], 'required', 'needs a key, or a file that holds one')
    if (hasKey && hasFile) report(['file'], 'conflict', 'either key or file')
  },
)

const bareKey = built(keyText, (key): KeySection => ({ id: undefined, key, file: undefined }))

const oneKey: Schema<KeySection> = choice([bareKey, keyParts], (given) =>
  isMapping(given) ? keyParts : bareKey,
)
const onlyKey = built(oneKey, (key): readonly KeySection[] => [key])
const keyList = filledListOf(oneKey)

/** One key, or several of which the first seals. A key is a text, or a mapping of its parts. */
export const keys: Schema<readonly KeySection[]> = choice([onlyKey, keyList], (given) =>
  Array.isArray(given) ? keyList : onlyKey,
)

/** A key, as far as it is sound, and where it stands in the section. */
export interface PlacedKey extends Partial<KeySection> {
  readonly path: KeyPath
  readonly filePath: KeyPath
}

type KeyPath = readonly (string | number)[]

/** Options of {@link readKeys}. */
export interface ReadKeysOptions {
  readonly files: ReadFiles
  /** Where relative paths start from. */
  readonly directory: string
  readonly report: (path: KeyPath, message: string) => void
}

/** Reads the files of keys, and finds keys that are there twice. */
export async function readKeys(
  given: readonly PlacedKey[],
  options: ReadKeysOptions,
): Promise<readonly SecretKey[]> {
  const found: SecretKey[] = []
  for (const { id: named, key, file, path, filePath } of given) {
    const bytes =
      key === undefined ? await bytesOf(file, filePath, options) : new TextEncoder().encode(key)
    if (bytes === undefined) continue
    const id = named ?? idOf(bytes)
    if (found.some((other) => other.id === id)) {
      options.report(path, 'has the id of another key, or is the same key')
    } else {
      found.push({ id, key: bytes })
    }
  }
  return found
}

/** What a key is known by that was given no name: it says nothing of the key, and stays the same wherever the key stands. */
function idOf(bytes: Uint8Array): string {
  return createHash('sha256').update('gatehouse key id\n').update(bytes).digest('hex').slice(0, 12)
}

async function bytesOf(
  file: string | undefined,
  path: KeyPath,
  { files, directory, report }: ReadKeysOptions,
): Promise<Uint8Array | undefined> {
  if (file === undefined) return undefined
  let content: Buffer
  try {
    content = await files.read(resolve(directory, file))
  } catch (error) {
    report(path, `cannot be read: ${fileProblem(error)}; ${howToMake} > FILE`)
    return undefined
  }
  const key = isLine(content) ? Buffer.from(content.toString('latin1').trim()) : content
  if (key.length >= leastBytes) return new Uint8Array(key)
  report(path, `must hold a key of at least ${leastBytes} bytes; ${howToMake}`)
  return undefined
}

/** Whether a key was written as a line of text; of one that is bytes the last may look like a line end. */
const isLine = (content: Buffer): boolean => /^[\x20-\x7e]+\r?\n?$/.test(content.toString('latin1'))
