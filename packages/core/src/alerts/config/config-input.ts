import {
  type Decode,
  exactly,
  functionLike,
  isPlainObject,
  listOf,
  optional,
  rawText,
} from '../../input/decode.ts'
import { type ExpectedAlerts, expectedAlertsInput } from '../expect/expectation.ts'
import type { TemplateFile } from '../notification/notification-templates.ts'
import { configText } from './config-text.ts'
import { type AlertsConfigPart, configParts } from './parts.ts'
import { type ConfigReferences, configReferences } from './references.ts'
import { templateFile } from './template-file.ts'
import type { AlertmanagerConfig } from './written/alertmanager-config.ts'

/**
 * A configuration: the text of `alertmanager.yml`, an object with its keys, or one of them with its template files and directory.
 */
export type AlertsConfigInput =
  | string
  | AlertmanagerConfig
  | AlertsConfigSource
  | AlertsConfigObject

/** A configuration as an object, with the directory for relative paths. */
export interface AlertsConfigObject extends Omit<AlertsConfigSource, 'text'> {
  config: AlertmanagerConfig
}

/** A configuration as text, with the directory for relative paths. */
export interface AlertsConfigSource {
  /** The text of `alertmanager.yml`. */
  text: string
  /** Absolute path of the directory of the file. */
  directory?: string
  /** The name of the file in messages (default `alertmanager.yml`). */
  filename?: string
  /** The files that match the globs of `templates`, with their content (default none). */
  templateFiles?: readonly TemplateFile[]
  /** How references such as `${env:NAME}` in secrets and URLs are resolved (default: they are ordinary text). */
  references?: ConfigReferences
  /** Further files, such as those of teams (default none). */
  parts?: readonly AlertsConfigPart[]
  /** Alerts that must keep coming (default none). Not part of `alertmanager.yml`. */
  expect?: readonly ExpectedAlerts[]
  /** Why no receiver may run a webhook, or `undefined` (default: asks the option `webhookRuns`). */
  webhookProblem?: (webhook: string) => string | undefined
}

const place = {
  directory: optional(rawText),
  filename: optional(rawText),
  templateFiles: optional(listOf(templateFile)),
  references: optional(configReferences),
  parts: optional(configParts),
  expect: optional(expectedAlertsInput),
  webhookProblem: optional(
    functionLike<NonNullable<AlertsConfigSource['webhookProblem']>>(
      'a function that finds problems of webhooks',
    ),
  ),
}

const source = exactly<AlertsConfigSource>({ text: rawText, ...place })

const objectSource = exactly<Omit<AlertsConfigSource, 'text'> & { config: string }>({
  config: configText,
  ...place,
})

/** Decodes a configuration in any of its forms to text. No configuration has a key `text` or `config`. */
export const configInput: Decode<AlertsConfigSource> = (value) => {
  if (!isPlainObject(value)) return { text: configText(value) }
  if ('text' in value) return source(value)
  if (!('config' in value)) return { text: configText(value) }
  const { config, ...rest } = objectSource(value)
  return { text: config, ...rest }
}

/** The texts of all files of a configuration. */
export const wholeText = ({ text, parts = [] }: AlertsConfigSource): string =>
  [text, ...parts.map((part) => part.text)].join('\n---\n')
