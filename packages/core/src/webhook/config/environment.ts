import { Secret } from '../../crypto/secret.ts'
import { findMember, report } from '../../document/place.ts'
import { quoteKey } from '../../document/problem.ts'
import { flag, listOf, mapOf, text, textLike } from '../../document/values.ts'
import type { EnvironmentValue, ValueFile } from '../webhook.ts'
import { mappingOf } from './fields.ts'
import { outsideObject, outsideText } from './outside-text.ts'
import type { Decode, Member, Place } from './place.ts'
import { source, type WrittenSource } from './sources.ts'

/** Variables that make a program load code or split words: no request may say what they hold. */
const riskyNames: ReadonlySet<string> = new Set([
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'LD_AUDIT',
  'NODE_OPTIONS',
  'BASH_ENV',
  'ENV',
  'IFS',
])

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/
const nameRule = 'the name of a variable: letters, digits and _'

function checkRisky(place: Place, name: string): void {
  if (!riskyNames.has(name)) return
  report(place, 'conflict', `a request must not say what ${name} holds`)
}

const sourceParts = mappingOf<{ readonly source: WrittenSource; readonly default: string }>({
  source,
  default: text,
})

const environmentValue: Decode<EnvironmentValue> = (place) => {
  const isReference =
    findMember(place, 'env') !== undefined || findMember(place, 'file') !== undefined
  if (place.node.kind !== 'mapping' || isReference) {
    const value = place.node.kind === 'mapping' ? outsideObject(place) : outsideText(place)
    return value === undefined ? undefined : { kind: 'text', value: new Secret(value) }
  }
  if (findMember(place, 'source') === undefined) report(place, 'required', 'needs a source')
  const given = sourceParts(place)
  if (given?.source === undefined) return undefined
  return { kind: 'source', ...given.source, default: given.default }
}

function readName({ key, keyPlace, valuePlace }: Member): string | undefined {
  if (!variableName.test(key)) {
    return report(keyPlace, 'out_of_range', `${quoteKey(key)} must be ${nameRule}`)
  }
  if (findMember(valuePlace, 'source') !== undefined) checkRisky(keyPlace, key)
  return key
}

/** The variables that are set for a command. */
export const environmentMap: Decode<ReadonlyMap<string, EnvironmentValue>> = mapOf(
  readName,
  environmentValue,
)

/** The variables of the server that a command inherits; `*` is all of them. */
export const inheritedNames: Decode<readonly string[]> = listOf(
  textLike((name) => name === '*' || variableName.test(name), `*, or ${nameRule}`),
)

const fileParts = mappingOf<{
  readonly env: string
  readonly source: WrittenSource
  readonly base64: boolean
}>(
  { env: textLike((name) => variableName.test(name), nameRule), source, base64: flag },
  { required: ['env', 'source'] },
)

const valueFile: Decode<ValueFile> = (place) => {
  const { env, source: written, base64 = false } = fileParts(place) ?? {}
  const envPlace = findMember(place, 'env')
  if (env !== undefined && envPlace !== undefined) checkRisky(envPlace, env)
  return env === undefined || written === undefined ? undefined : { env, ...written, base64 }
}

/** Values of a request that are written to files. */
export const valueFiles: Decode<readonly ValueFile[]> = listOf(valueFile)
