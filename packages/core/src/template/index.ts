// Go's templates, as text and as HTML.
export type { MissingKey } from './execute/run-state.ts'
export { libraryFunctions } from './functions/library-functions.ts'
export { durationValue } from './go-time/duration-value.ts'
export { goTime, goZeroTime } from './go-time/time.ts'
export { timeValue } from './go-time/time-value.ts'
export { parseHtmlTemplates } from './html/parse-html-templates.ts'
export type { TemplateLimits } from './limits.ts'
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
