import { inspect } from 'node:util'
import type { AlertmanagerConfig, AuthConfig, WebhooksConfig } from '@gatehouse/core'
import { resolveScalar } from '@gatehouse/go-template/yaml'
import ts from 'typescript'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { isWide } from '../../../test-support/lane.ts'
import {
  type ConfigNode,
  parseConfigDocument,
  type ScalarNode,
} from '../src/document/config-document.ts'
import { parseDocument } from '../src/document/parse-document.ts'
import { resolveCoreScalar } from '../src/document/scalar.ts'
import { isGatehouseError } from '../src/errors.ts'
import { alertsDocuments, authDocuments, webhooksDocuments } from './config-documents.ts'
import { Named, readWrittenTypes, samplesOf } from './written-types.ts'

/** The keys that decoders accept for the object at a path. */
const known = new Map<string, Set<string>>()

function note(path: string, keys: Iterable<string>): void {
  known.set(path, new Set([...(known.get(path) ?? []), ...keys]))
}

// A block reports its keys when it is decoded.
vi.mock('@gatehouse/go-template/yaml', async (importOriginal) => {
  const original = await importOriginal<typeof import('@gatehouse/go-template/yaml')>()
  const block: typeof original.block = (table) => {
    const kind = original.block(table)
    return {
      ...kind,
      decode(place) {
        note(place.path, Object.keys(table.fields))
        return kind.decode(place)
      },
    }
  }
  return { ...original, block }
})

/** The path of the object for each unknown key. */
const strangers = new Map<string, string>()

// A mapping reports its keys when it looks for a suggestion.
vi.mock('../src/input/suggestion.ts', () => ({
  nearestWord(word: string, words: Iterable<string>) {
    const path = strangers.get(word)
    if (path !== undefined) note(path, words)
  },
}))

// Other files of the same process may have loaded the mocked modules, and must not get the mocks.
vi.resetModules()
afterAll(() => void vi.resetModules())

const { loadAlertsConfig } = await import('../src/alerts/config/config.ts')
const { readAuthConfig } = await import('../src/auth/config/read-auth-config.ts')
const { readWebhooksConfig } = await import('../src/webhook/config/config.ts')

interface Service {
  readonly folder: string
  readonly file: string
  readonly type: string
  readonly documents: readonly string[]
  toObject(text: string): unknown
  /** Reads a configuration, without the positions in its source. */
  read(config: string | object): unknown
}

const ports = { environment: { GITHUB_SECRET: 's' }, workdir: '/' }

const services: readonly Service[] = [
  {
    folder: 'alerts',
    file: 'alertmanager-config',
    type: 'AlertmanagerConfig',
    documents: alertsDocuments,
    toObject: (text) => toValue(parseConfigDocument(text), yaml11Value),
    read(config) {
      const { source, ...read } = loadAlertsConfig(config as AlertmanagerConfig)
      return read
    },
  },
  {
    folder: 'auth',
    file: 'auth-config.generated',
    type: 'AuthConfig',
    documents: authDocuments,
    toObject: (text) => toValue(parseDocument({ text }), coreValue),
    read: (config) => readAuthConfig(config as AuthConfig),
  },
  {
    folder: 'webhook',
    file: 'webhooks-config.generated',
    type: 'WebhooksConfig',
    documents: webhooksDocuments,
    toObject: (text) => toValue(parseDocument({ text }), coreValue),
    read(config) {
      const { places, ...read } = readWebhooksConfig(config as WebhooksConfig, ports)
      // Tokens are functions, which never compare as equal.
      return inspect(read, { depth: null })
    },
  },
]

type ReadScalar = (node: ScalarNode) => unknown

/**
 * A value as a program would write it. YAML 1.1 has several spellings of values that are texts in text fields, so they must be
 * plain.
 */
const yaml11Value: ReadScalar = (node) => {
  const { tag, value } = resolveScalar(node)
  if (tag === '!!null' || String(value) === node.text) return value
  if (/^[yn]$/.test(node.text)) return node.text
  throw new Error('a value that means something else in a text')
}

const coreValue: ReadScalar = (node) => {
  const scalar = resolveCoreScalar(node)
  return 'value' in scalar ? scalar.value : null
}

function toValue(node: ConfigNode, scalar: ReadScalar): unknown {
  if (node.kind === 'scalar') return scalar(node)
  if (node.kind === 'sequence') return node.items.map((item) => toValue(item, scalar))
  const entries = node.entries.map(({ key, value }) => {
    if (key.kind !== 'scalar' || key.text === '<<') throw new Error('a key that no object has')
    return [key.text, toValue(value, scalar)]
  })
  return Object.fromEntries(entries)
}

/** The problems of a configuration; none if it is valid. */
function problemsOf(
  read: () => unknown,
): readonly { readonly path: string; readonly message: string }[] {
  try {
    read()
    return []
  } catch (error) {
    if (!isGatehouseError(error) || !Array.isArray(error.info.problems)) throw error
    return error.info.problems
  }
}

/** Whether a text is a valid configuration of a service, without keys that have no effect, and representable as an object. */
function isSound(text: string, read: Service['read'], toObject: Service['toObject']): boolean {
  try {
    toObject(text)
    return !warningsOf(read(text)).some((warning) => warning.includes('has no effect here'))
  } catch {
    return false
  }
}

const warningsOf = (config: unknown): readonly string[] => Object(config).warnings ?? []

/** The value of a sample, with an unknown key in every object. `note` collects the keys of its type. */
function withStrangers(
  value: unknown,
  note: (path: string, kind: string, keys: Iterable<string>) => void,
  path = '',
): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => withStrangers(item, note, `${path}[${index}]`))
  }
  if (typeof value !== 'object' || value === null) return value
  const below = (key: string): string => (path === '' ? key : `${path}.${key}`)
  const entries = value instanceof Named ? [...value.members] : Object.entries(value)
  const members = entries.map(([key, one]) => [key, withStrangers(one, note, below(key))])
  if (!(value instanceof Named)) return Object.fromEntries(members)
  const stranger = `stranger_${strangers.size}`
  strangers.set(stranger, path)
  note(path, String(value.members.get('type') ?? ''), value.members.keys())
  return Object.fromEntries([...members, [stranger, 1]])
}

/**
 * Samples of a configuration that have each of its lists once, in the first sample which has it, and then an empty one. In the wide
 * lane every sample has every list.
 */
function withListsOnce(samples: readonly unknown[]): readonly unknown[] {
  if (isWide) return samples
  const seen = new Set<unknown>()
  const once = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value
    if (seen.has(value)) return []
    seen.add(value)
    return value
  }
  return samples.map((sample) => {
    if (!(sample instanceof Named)) return sample
    return new Named(new Map([...sample.members].map(([key, value]) => [key, once(value)])))
  })
}

/** Decoder messages about a value of the wrong type, as opposed to one out of range. */
const wrongType =
  /cannot unmarshal|must be (?:text|a mapping|a list|true or false|a (?:whole )?number\b(?! from))/

const sourceFolder = (folder: string): URL => new URL(`../src/${folder}/`, import.meta.url)

const documentsOf = new Map<Service, readonly string[]>()

/** The documents that are configurations of a service. */
function soundDocuments(service: Service): readonly string[] {
  const { documents, read, toObject } = service
  const sound =
    documentsOf.get(service) ?? documents.filter((text) => isSound(text, read, toObject))
  documentsOf.set(service, sound)
  return sound
}

describe.each(services)('$type', (service) => {
  const { folder, type, toObject, read } = service

  it('has exactly the keys that are read', () => {
    const named: Record<string, Set<string>> = {}
    const decoded: Record<string, Set<string>> = {}
    const add = (sets: typeof named, place: string, keys: Iterable<string>): void => {
      sets[place] = new Set([...(sets[place] ?? []), ...keys].sort())
    }
    const samples = samplesOf(readWrittenTypes(sourceFolder(folder)), type)
    for (const sample of withListsOnce(samples)) {
      known.clear()
      strangers.clear()
      const places = new Map<string, string>()
      const config = withStrangers(sample, (path, kind, keys) => {
        const place = `${path.replace(/\[\d+\]/g, '[]')} ${kind}`
        places.set(path, place)
        add(named, place, keys)
      })
      const problems = problemsOf(() => read(Object(config)))
      const ofType = ({ message }: { message: string }) => wrongType.test(message)
      expect(problems.filter(ofType)).toEqual([])
      for (const [path, place] of places) add(decoded, place, known.get(path) ?? [])
    }
    expect(Object.keys(named).length).toBeGreaterThan(30)
    expect(named).toEqual(decoded)
  })

  const sound = soundDocuments(service)

  it('is read alike as text and as an object', () => {
    expect(sound.length).toBeGreaterThan(5)
    for (const text of sound) expect(read(Object(toObject(text)))).toEqual(read(text))
  })

  it('accepts the configurations of the documentation, the examples and the vectors', () => {
    expect(sound.length).toBeGreaterThan(5)
    expect(errorsIn(service)).toEqual([])
  })
})

/** The name of the file of a service in {@link compiled}. */
const documentsFile = ({ folder }: Service): string =>
  new URL('config/written/documents.ts', sourceFolder(folder)).pathname

/** The valid documents of a service as objects of its type, in TypeScript. */
function sourceOf(service: Service): string {
  const { file, type, toObject } = service
  const lines = soundDocuments(service).map((text, index) => {
    return `export const c${index}: ${type} = ${JSON.stringify(toObject(text))}`
  })
  return `import type { ${type} } from './${file}.ts'\n${lines.join('\n')}\n`
}

/** One program with the documents of all services: most of the time of a program goes to the declarations of the language. */
let program: ts.Program | undefined

function compiled(): ts.Program {
  const texts = new Map(services.map((service) => [documentsFile(service), sourceOf(service)]))
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    // Configurations have no types of browsers, whose declarations are the longest.
    lib: ['lib.es2023.d.ts'],
    types: [],
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (name) => texts.has(name) || fileExists(name)
  host.getSourceFile = (name, version, ...rest) => {
    const text = texts.get(name)
    return text === undefined
      ? getSourceFile(name, version, ...rest)
      : ts.createSourceFile(name, text, version)
  }
  return ts.createProgram([...texts.keys()], options, host)
}

/**
 * Compiles the documents of a service and returns their own errors, not those of files they import. Numbers and `true` in YAML texts
 * become such values in the object, and `null` means absent; the types allow neither.
 */
function errorsIn(service: Service): readonly string[] {
  program ??= compiled()
  const documents = program.getSourceFile(documentsFile(service))
  if (documents === undefined) return ['no documents']
  const found = program.getSemanticDiagnostics(documents)
  return found.flatMap(({ messageText, file, start = 0 }) => {
    const message = ts.flattenDiagnosticMessageText(messageText, '\n')
    const isSpelling = /^Type '(?:null|number|boolean)' is not assignable to type /.test(message)
    return isSpelling ? [] : [`${file?.text.slice(start, start + 80)}: ${message}`]
  })
}
