// Schemas for configuration files: decoding with all problems at once, suggestions and references to secrets, as the services have it.
export { nearestWord } from '../input/suggestion.ts'
export { readDuration, shortDuration } from '../time/duration.ts'
export { aboutSchemas } from './about.ts'
export type { ConfigNode, MappingNode, ScalarNode } from './config-document.ts'
export {
  type DecodeDocumentOptions,
  type Decoded,
  decodeDocument,
  type Inspected,
  inspectDocument,
  type LaterProblem,
  nodeAt,
  problemAt,
} from './decode-document.ts'
export { duration, durationOrNone, size } from './measures.ts'
export { type Outside, outsidePath, outsideText, secretText } from './outside-text.ts'
export { type DocumentText, parseDocument } from './parse-document.ts'
export { pathFrom } from './path.ts'
export { type DocumentProblem, formatDocumentProblem, invalidDocument } from './problem.ts'
export {
  built,
  type Checking,
  checked,
  choice,
  type Fields,
  filledListOf,
  filledText,
  flag,
  integer,
  isMapping,
  keyOf,
  listOf,
  mapOf,
  mapping,
  oneOf,
  optional,
  parsed,
  parsedText,
  type Report,
  required,
  type Schema,
  type Sound,
  text,
  textLike,
  withDefault,
} from './schema.ts'
