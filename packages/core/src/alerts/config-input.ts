import {
  type Decode,
  exactly,
  isPlainObject,
  listOf,
  objectOf,
  optional,
  rawText,
} from '../input/decode.ts'
import { refuse } from '../input/refusal.ts'
import type { TemplateFile } from './config.ts'
import type { AlertsConfigSource } from './context.ts'

/** A file of templates. */
export const templateFile: Decode<TemplateFile> = objectOf<TemplateFile>({
  name: rawText,
  text: rawText,
})

const source = exactly<AlertsConfigSource>({
  text: rawText,
  directory: optional(rawText),
  filename: optional(rawText),
  templateFiles: optional(listOf(templateFile)),
})

/** A configuration in any of the forms that the service takes. */
export const configInput: Decode<string | AlertsConfigSource> = (value) => {
  if (typeof value === 'string') return value
  return isPlainObject(value)
    ? source(value)
    : refuse('the text of a configuration or an object', value)
}
