// JSON as Go reads and writes it.
export { GoError, isExpectedError } from '../go-error.ts'
export { decodeJson, goJson, goJsonString, RawJson } from './json.ts'
export { parseJsonInSteps } from './json-in-steps.ts'
export { type JsonItemsLimits, jsonItems } from './json-items.ts'
export { encodedList, encodeListItem, joinBytes } from './json-list.ts'
export { findJsonValue, type JsonPlace } from './json-scanner.ts'
export {
  type GoFailures,
  type GoReader,
  type GoStruct,
  goBoolean,
  goFailure,
  goString,
  goStruct,
  goUri,
  isJsonObject,
  keepFailure,
  readAll,
  readStruct,
  typeMessage,
} from './struct.ts'
