// Strict YAML with line and column for every problem, and the parsers of durations, for your own configuration files.

export {
  type BlockField,
  type BlockTable,
  block,
  type ConfigKind,
  childPlace,
  createDecoding,
  type DecodePlace,
  type Decoding,
  decodeWith,
  flag,
  integer,
  isNull,
  listOf,
  mapOf,
  oneOf,
  optional,
  type ParsedOptions,
  parsed,
  type Report,
  reportCheck,
  reportStructure,
  reportType,
  text,
  textMap,
  texts,
} from '@gatehouse/go-template/yaml'
export {
  type ConfigNode,
  type MappingNode,
  parseConfigDocument,
  type ScalarNode,
  type SequenceNode,
} from '../document/config-document.ts'
export {
  type ConfigProblem,
  formatConfigProblems,
  invalidConfig,
} from '../document/config-problem.ts'
export { readTlsOptions, type TlsOptions } from '../http-client/tls-options.ts'
export {
  formatDuration,
  formatGoDuration,
  parseDuration,
  parseGoDuration,
} from './durations.ts'
