import type { ConfigNode } from '../../document/config-document.ts'
import { configNode } from '../../document/config-node.ts'
import { decodeDocument } from '../../document/decode-document.ts'
import { objectDocument } from '../../document/object-document.ts'
import { type DocumentText, parseDocument } from '../../document/parse-document.ts'
import { configSource, isTextSource } from '../../input/config-source.ts'
import { decodeInput, exactly, listOf, optional, rawText } from '../../input/decode.ts'
import { configOf } from './auth-document.ts'
import { authSchema } from './auth-schema.ts'
import { configWarnings } from './checks/config-warnings.ts'
import type { LoadedAuthConfig } from './config.ts'
import type { FurtherKinds } from './flows/flow-grammar.ts'
import { pointingToAll } from './problem.ts'
import type { AuthConfig } from './written/auth-config.generated.ts'

export type { AuthConfigProblem } from './problem.ts'

/**
 * A configuration: a YAML or JSON text, with or without its source; an object; or a function that returns one of {@link
 * readAuthConfig}. It is a function so that editors complete and check an object by {@link AuthConfig} alone.
 */
export type AuthConfigSource = string | AuthConfig | DocumentText | (() => LoadedAuthConfig)

/** Documents already decoded. */
const configs = new WeakSet<object>()

/** Options of {@link readAuthConfig}. */
export interface ReadAuthConfigOptions {
  /** Names of further identifications that flows may use, beside those of the grammar (default none). */
  readonly identifications?: readonly string[]
  /** Names of further authentications that flows may use (default none). */
  readonly authentications?: readonly string[]
}

const names = optional(listOf(rawText))

const readFields = { identifications: names, authentications: names }
const readOptions = exactly<ReadAuthConfigOptions>(readFields)

/** Options of {@link decodeAuthConfig}. */
export interface DecodeAuthConfigOptions extends ReadAuthConfigOptions {
  /** The name of the file, for messages. */
  readonly filename?: string | undefined
}

const decodeOptions = exactly<DecodeAuthConfigOptions>({
  ...readFields,
  filename: optional(rawText),
})

/**
 * Reads a configuration in the shape of `authgear.yaml` and checks all of it.
 *
 * @throws {GatehouseError} `InvalidConfig`; `info.problems` are all the problems in the order of the document, as
 * {@link AuthConfigProblem}.
 * @see Authgear, `authgear.yaml`
 */
export function readAuthConfig(
  given: AuthConfigSource,
  how: ReadAuthConfigOptions = {},
): LoadedAuthConfig {
  const options = decodeInput('options', readOptions, how)
  const source = decodeInput(
    'config',
    configSource<Exclude<AuthConfigSource, () => unknown>>,
    given,
  )
  if (typeof source === 'string') return readText({ text: source }, options)
  if (isRead(source)) return source
  if (isTextSource<DocumentText>(source)) return readText(source, options)
  const node = pointingToAll(() => objectDocument(source))
  return readDocument(node, options)
}

function isRead(source: object): source is LoadedAuthConfig {
  return configs.has(source)
}

function readText(source: DocumentText, options: ReadAuthConfigOptions): LoadedAuthConfig {
  const node = pointingToAll(() => parseDocument(source))
  return readDocument(node, { ...options, filename: source.filename })
}

/**
 * Checks the nodes of a document and fills in every default, as {@link readAuthConfig} does with a text. For a program that
 * keeps other things in the same file.
 *
 * @throws {GatehouseError} `InvalidConfig`, as {@link readAuthConfig}; `InvalidInput` if there are no nodes or an option does not fit.
 */
export function decodeAuthConfig(
  node: ConfigNode,
  options: DecodeAuthConfigOptions = {},
): LoadedAuthConfig {
  return readDocument(
    decodeInput('node', configNode, node),
    decodeInput('options', decodeOptions, options),
  )
}

function readDocument(node: ConfigNode, options: DecodeAuthConfigOptions): LoadedAuthConfig {
  const { identifications = [], authentications = [], filename } = options
  const context: FurtherKinds = { identifications, authentications }
  const { value, warnings } = decodeDocument(node, authSchema, {
    filename,
    context,
    hasPointers: true,
  })
  const config = configOf(value)
  const read = { ...config, warnings: [...warnings, ...configWarnings(config, value)] }
  configs.add(read)
  return read
}
