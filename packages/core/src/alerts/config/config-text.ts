import { writeYaml, type YamlMap, type YamlValue } from '@gatehouse/go-template/yaml'
import { type Decode, type ExactJson, exactJson, isPlainObject } from '../../input/decode.ts'
import { refuse } from '../../input/refusal.ts'

/**
 * The text of a configuration that may be an object. An object is first written as YAML, because everything else needs a text:
 * secrets are masked by their position in it, `/status` shows it, and a metric is its hash.
 */
export const configText: Decode<string> = (value) => {
  if (typeof value === 'string') return value
  return isPlainObject(value)
    ? writeYaml(yamlMap(exactJson(value)))
    : refuse('the text of a configuration or an object', value)
}

const yamlMap = (value: ExactJson): YamlMap =>
  new Map(
    Object.entries(Object(value)).map(([key, member]) => [key, yamlValue(member as ExactJson)]),
  )

function yamlValue(value: ExactJson): YamlValue {
  // JavaScript writes such a number with zeros for its last digits.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return BigInt(Number(value))
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? value.map(yamlValue) : yamlMap(value)
}
