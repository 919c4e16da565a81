import { writeYaml, type YamlMap, type YamlValue } from '../../go/yaml/text.ts'
import { type Decode, isPlainObject, json } from '../../input/decode.ts'
import { refuse } from '../../input/refusal.ts'
import type { Json } from '../../storage/storage.ts'

/**
 * The text of a configuration that may be an object. An object is first written as YAML, because everything else needs a text:
 * secrets are masked by their position in it, `/status` shows it, and a metric is its hash.
 */
export const configText: Decode<string> = (value) => {
  if (typeof value === 'string') return value
  return isPlainObject(value)
    ? writeYaml(yamlMap(json(value)))
    : refuse('the text of a configuration or an object', value)
}

const yamlMap = (value: Json): YamlMap =>
  new Map(Object.entries(Object(value)).map(([key, member]) => [key, yamlValue(member as Json)]))

function yamlValue(value: Json): YamlValue {
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? value.map(yamlValue) : yamlMap(value)
}
