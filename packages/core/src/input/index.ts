// Decoders for values given in code, with errors that name the place and the problem.
export {
  type Decode,
  decodeInput,
  exactly,
  type Fields,
  filledText,
  flag,
  functionLike,
  having,
  lineOfText,
  listOf,
  objectOf,
  oneOf,
  optional,
  rawText,
  recordOf,
  wholeFrom,
} from './decode.ts'
export { clockPort, loggerPort } from './ports.ts'
export { collectionInput, recordViewInput } from './record-view.ts'
export { invalidInput, refuse, refuseShown } from './refusal.ts'
