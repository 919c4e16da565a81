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

/** A key that seals states and secrets. */
export interface KeySection {
  readonly id: string | undefined
  readonly key: string | undefined
  /** Path of a file that holds the key. */
  readonly file: string | undefined
}

const leastBytes = 32
const howToMake = 'make one with: openssl rand -base64 32'

/** The message for a missing key. */
export const keysMissing: string = `needs key_file: FILE, or keys: \${env:NAME}, to seal states and secrets; ${howToMake}`

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
      file: optional(filledText, 'A file that holds the key.'),
    },
    { title: 'AuthKey' },
  ),
  ({ value: { key, file }, isBroken, report }) => {
    const hasKey = key !== undefined || isBroken('key')
    const hasFile = file !== undefined || isBroken('file')
    if (!hasKey && !hasFile) report([], 'required', 'needs key or file')
    if (hasKey && hasFile) report(['file'], 'conflict', 'set key or file, not both')
  },
)

const bareKey = built(keyText, (key): KeySection => ({ id: undefined, key, file: undefined }))

const oneKey: Schema<KeySection> = choice([bareKey, keyParts], (given) =>
  isMapping(given) ? keyParts : bareKey,
)
const onlyKey = built(oneKey, (key): readonly KeySection[] => [key])
const keyList = filledListOf(oneKey)

/** One key, or several: the first seals. A key is a string or a mapping. */
export const keys: Schema<readonly KeySection[]> = choice([onlyKey, keyList], (given) =>
  Array.isArray(given) ? keyList : onlyKey,
)

/** A key whose fields are valid, and its place in the section. */
export interface PlacedKey extends Partial<KeySection> {
  readonly path: KeyPath
  readonly filePath: KeyPath
}

type KeyPath = readonly (string | number)[]

/** Options of {@link readKeys}. */
export interface ReadKeysOptions {
  readonly files: ReadFiles
  /** The folder for relative paths. */
  readonly directory: string
  readonly report: (path: KeyPath, message: string) => void
}

/** Reads key files and reports duplicate keys. */
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

/** The id of a key without a name. It reveals nothing about the key and does not depend on the key's place. */
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

/** Whether the file holds printable text; the last byte of a binary key may equal a newline. */
const isLine = (content: Buffer): boolean => /^[\x20-\x7e]+\r?\n?$/.test(content.toString('latin1'))
