// The documents whose schemas `write-schemas.mjs` reads, and where it writes what follows from them.
import { gatehouseSettings } from '../packages/cli/src/api/api-config.ts'
import { webhooksSchema } from '../packages/core/src/webhook/config/webhooks-schema.ts'

export { aboutSchemas } from '../packages/core/src/document/schema.ts'

export const documents = [
  {
    title: 'WebhooksConfig',
    schema: webhooksSchema({ fields: {}, limits: {}, log: {} }),
    files: ['packages/core/schemas/webhooks.json'],
    types: {
      path: 'packages/core/src/webhook/config/written/webhooks-config.ts',
      exported: ['WebhooksConfig', 'WebhookDefinition', 'WebhookDefaults'],
      about:
        'The configuration of the webhook service as an object, with the keys of its text. A length of time is a number of seconds, or a text such as `500ms`, `30s`, `10m`, `24h` or `7d`; a size is a number of bytes, or a text such as `64KiB` or `10MB`.',
    },
  },
  {
    title: 'GatehouseConfig',
    schema: webhooksSchema(gatehouseSettings),
    files: ['packages/cli/schemas/gatehouse.json'],
  },
]
