import {
  type Decode,
  exactly,
  isPlainObject,
  listOf,
  objectOf,
  optional,
  rawText,
} from '../../input/decode.ts'
import type { AlertsConfigSource } from '../context.ts'
import type { TemplateFile } from './config.ts'
import { configText } from './config-text.ts'

/** A file of templates. */
export const templateFile: Decode<TemplateFile> = objectOf<TemplateFile>({
  name: rawText,
  text: rawText,
})

const place = {
  directory: optional(rawText),
  filename: optional(rawText),
  templateFiles: optional(listOf(templateFile)),
}

const source = exactly<AlertsConfigSource>({ text: rawText, ...place })

const objectSource = exactly<Omit<AlertsConfigSource, 'text'> & { config: string }>({
  config: configText,
  ...place,
})

/** A configuration in any of the forms that the service takes, as text. No configuration has a key `text` or `config`. */
export const configInput: Decode<AlertsConfigSource> = (value) => {
  if (!isPlainObject(value)) return { text: configText(value) }
  if ('text' in value) return source(value)
  if (!('config' in value)) return { text: configText(value) }
  const { config, ...rest } = objectSource(value)
  return { text: config, ...rest }
}
