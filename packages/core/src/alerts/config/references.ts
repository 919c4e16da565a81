import type { Expand } from '@gatehouse/go-template/yaml'
import {
  expandForeign,
  holdsReferences,
  type ReferenceSources,
} from '../../document/outside-text.ts'
import {
  type Decode,
  environmentInput,
  exactly,
  functionLike,
  optional,
} from '../../input/decode.ts'

/**
 * Where `${env:NAME}`, `${file:PATH}` and `${cred:NAME}` in secrets and URLs find their values. With `unresolved` they are not
 * looked up: such a field counts as set, for checks and comparisons without the secrets.
 */
export type ConfigReferences = ConfigReferenceSources | 'unresolved'

/** The sources of references. */
export interface ConfigReferenceSources {
  /** The variables that `${env:NAME}` reads. */
  environment: Readonly<Record<string, string | undefined>>
  /** Reads a file as text, for `${file:PATH}` and `${cred:NAME}` (default: none can be read). */
  readFile?: (path: string) => string
}

const sources: Decode<ConfigReferenceSources> = exactly<ConfigReferenceSources>({
  environment: environmentInput,
  readFile: optional(functionLike('a function that reads a file')),
})

/** Decodes {@link ConfigReferences}. */
export const configReferences: Decode<ConfigReferences> = (value) =>
  value === 'unresolved' ? value : sources(value)

/** How the references of a file in `directory` are resolved. */
export function expanderOf(references: ConfigReferences, directory = ''): Expand {
  if (references === 'unresolved') {
    return (written) => (holdsReferences(written) ? { isUnknown: true } : undefined)
  }
  const { environment, readFile } = references
  const found: ReferenceSources = { environment, readFile, directory }
  return (written) => {
    if (!holdsReferences(written)) return undefined
    const { value, problems } = expandForeign(written, found)
    return problems.length === 0 ? { value } : { problems }
  }
}
