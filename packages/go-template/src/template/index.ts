// Go's templates, as text and as HTML.
export {
  type ExpectedError,
  GoError,
  type GoErrorKind,
  type GoErrorOptions,
  isExpectedError,
} from '../go-error.ts'
export { isEmptyTemplate } from './empty-template.ts'
export type { MissingKey } from './execute/run-state.ts'
export { libraryFunctions } from './functions/library-functions.ts'
export { join } from './functions/text-functions.ts'
export { durationValue } from './go-time/duration-value.ts'
export { parseTime } from './go-time/parse.ts'
export { type GoTime, goTime, goZeroTime } from './go-time/time.ts'
export type { Clock } from './go-time/time-functions.ts'
export { timeValue } from './go-time/time-value.ts'
export { parseHtmlTemplates } from './html/parse-html-templates.ts'
export { defaultLimits, type TemplateLimits } from './limits.ts'
export {
  anyParameter,
  intParameter,
  stringParameter,
  stringsParameter,
  templateFunction,
  textsOf,
  variadicFunction,
} from './make-function.ts'
export {
  float,
  int64,
  stringMapType,
  strings,
  struct,
  typedText,
  valueFromJson,
} from './make-value.ts'
export type { ListNode, Source, Template, Templates } from './node.ts'
export { parseSource } from './parse/parse-source.ts'
export { sortedEntries, structOf, textOf } from './read-value.ts'
export {
  parseTemplates,
  type RenderOptions,
  renderTemplate,
  renderText,
  type TemplateSet,
  type TemplateSetOptions,
} from './template-set.ts'
export type {
  Functions,
  GoFunction,
  GoList,
  GoMap,
  GoNumber,
  GoObject,
  GoStruct,
  GoText,
  ListType,
  MapType,
  Methods,
  NumberType,
  ParameterType,
  Run,
  StructType,
  TemplateFunction,
  Value,
} from './value.ts'
