import { writeYaml, type YamlMap, type YamlValue } from '@gatehouse/go-template/yaml'
import { decodeInput, oneOf, rawText } from '../../input/decode.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import type { FlowType } from '../config/flow-definition.ts'
import { flowTypes } from '../config/flows/flow-grammar.ts'
import { findFlow } from './find-flow.ts'

/**
 * A declared or generated flow as YAML for the section `authentication_flow`: it shows the steps that clients go through, and is
 * a start for a custom flow. `undefined` if there is no such flow.
 */
export function explainFlow(
  config: LoadedAuthConfig,
  type: FlowType,
  name: string,
): string | undefined {
  const flow = findFlow(
    config,
    decodeInput('type', oneOf<FlowType>(flowTypes), type),
    decodeInput('name', rawText, name),
  )
  if (flow === undefined) return undefined
  const { steps } = flow
  return writeYaml(new Map([[`${type}_flows`, [yamlOf({ name, steps })]]]))
}

/** Definitions are JSON. */
function yamlOf(value: unknown): YamlValue {
  if (Array.isArray(value)) return value.map(yamlOf)
  if (typeof value === 'object' && value !== null) return yamlMap(value)
  return typeof value === 'boolean' || typeof value === 'number' ? value : String(value)
}

function yamlMap(value: object): YamlMap {
  return new Map(Object.entries(value).map(([key, member]) => [key, yamlOf(member)]))
}
