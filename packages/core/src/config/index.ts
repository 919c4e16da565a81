// Strict YAML with line and column for every problem, and the parsers of durations, for your own configuration files.
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
export {
  formatDuration,
  formatGoDuration,
  parseDuration,
  parseGoDuration,
} from '../go/duration.ts'
export { type BlockField, type BlockTable, block, type Report } from '../go/yaml/block.ts'
export {
  type ConfigKind,
  childPlace,
  createDecoding,
  type DecodePlace,
  type Decoding,
  decodeWith,
  isNull,
  reportCheck,
  reportStructure,
  reportType,
} from '../go/yaml/decoder.ts'
export {
  flag,
  integer,
  listOf,
  mapOf,
  oneOf,
  optional,
  type ParsedOptions,
  parsed,
  text,
  textMap,
  texts,
} from '../go/yaml/kinds.ts'
export { readTlsOptions, type TlsOptions } from '../http-client/tls-options.ts'
