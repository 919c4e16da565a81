export { type BlockField, type BlockTable, block, type Report } from '../config-block.ts'
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
} from '../config-decoder.ts'
export {
  type ConfigNode,
  type MappingNode,
  parseConfigDocument,
  type ScalarNode,
  type SequenceNode,
} from '../config-document.ts'
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
} from '../config-kinds.ts'
export { type ConfigProblem, formatConfigProblems, invalidConfig } from '../config-problem.ts'
export { formatDuration, formatGoDuration, parseDuration, parseGoDuration } from '../duration.ts'
