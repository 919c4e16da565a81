import {
  type Decode,
  exactly,
  isPlainObject,
  listOf,
  objectOf,
  optional,
  rawText,
} from '../../input/decode.ts'
import type { TemplateFile } from '../notification/notification-templates.ts'
import { configText } from './config-text.ts'
import type { AlertmanagerConfig } from './written/alertmanager-config.ts'

/** What a configuration may be given as: the text of `alertmanager.yml`, an object with its keys, or one of them with the files beside it. */
export type AlertsConfigInput =
  | string
  | AlertmanagerConfig
  | AlertsConfigSource
  | AlertsConfigObject

/** A configuration as an object, with the folder its relative paths start from. */
export interface AlertsConfigObject extends Omit<AlertsConfigSource, 'text'> {
  config: AlertmanagerConfig
}

/** A configuration as text, with the folder its relative paths start from. */
export interface AlertsConfigSource {
  /** The text of `alertmanager.yml`. */
  text: string
  /** Absolute path of the folder the text was read from. */
  directory?: string
  /** What messages call the text (default `alertmanager.yml`). */
  filename?: string
  /** The files that the globs of `templates` find, with their content (default none). */
  templateFiles?: readonly TemplateFile[]
}

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
