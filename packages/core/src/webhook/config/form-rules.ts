import {
  checked,
  filledText,
  flag,
  listOf,
  mapping,
  optional,
  type Schema,
  withDefault,
} from '../../document/schema.ts'
import type { FormRules } from '../webhook.ts'

/** How the fields of a form become data. */
export const formRules: Schema<FormRules> = checked(
  mapping<FormRules>(
    {
      data: optional(
        filledText,
        'The field whose JSON is the data, such as the `payload` of GitHub and Slack. Default: the fields are.',
      ),
      or_fields: withDefault(
        flag,
        false,
        'Whether the fields are the data of a form without the field that `data` names.',
      ),
      json: withDefault(listOf(filledText), [], 'Fields whose text is JSON.'),
      nested: withDefault(flag, false, 'Whether `a[b]=1` and `a[]=1` become objects and lists.'),
    },
    { title: 'WebhookForm' },
  ),
  ({ value, reportKey }) => {
    if (value.data === undefined) {
      if (value.or_fields) reportKey(['or_fields'], 'conflict', 'has no effect without data')
      return
    }
    if (value.or_fields) return
    const idle = (['json', 'nested'] as const).find((key) => {
      const given = value[key]
      return Array.isArray(given) ? given.length > 0 : given === true
    })
    if (idle !== undefined) reportKey([idle], 'conflict', 'has no effect beside data')
  },
)
