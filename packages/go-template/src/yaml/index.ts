// YAML as Go reads and writes it: tables of keys decode a document, and write it back.
export { GoError, isExpectedError } from '../go-error.ts'
export { type BlockField, type BlockTable, block, keyPlaceOf, type Report } from './block.ts'
export {
  type ConfigKind,
  childPlace,
  createDecoding,
  type DecodePlace,
  type Decoding,
  type DecodingOptions,
  decodeWith,
  type Expand,
  type Expanded,
  isNull,
  type MappingEntry,
  mappingEntries,
  problemCount,
  reportCheck,
  reportStructure,
  reportType,
  resolveScalar,
  type SecretSpan,
  scalarText,
} from './decoder.ts'
export { compareYamlKeys } from './key-order.ts'
export {
  anyScalarText,
  decimal,
  flag,
  hideSource,
  integer,
  listOf,
  mapOf,
  oneOf,
  optional,
  type ParsedOptions,
  parsed,
  reportReferences,
  text,
  textMap,
  texts,
} from './kinds.ts'
export type {
  DecodeProblem,
  YamlMapping,
  YamlNode,
  YamlScalarNode,
  YamlSequence,
} from './node.ts'
export { resolveYamlScalar, type WholeNumber, type YamlScalar } from './scalar.ts'
export { writeYaml, type YamlFlow, type YamlList, type YamlMap, type YamlValue } from './text.ts'
