// The documents and interfaces whose schemas `write-schemas.mjs` reads, and where it writes what follows from them.
import { gatehouseSettings } from '../packages/cli/src/api/api-config.ts'
import { testFile } from '../packages/cli/src/route-tests/test-file.ts'
import { alertsApi } from '../packages/core/src/alerts/api/operations.ts'
import { authApi } from '../packages/core/src/auth/api/operations.ts'
import { authSchema } from '../packages/core/src/auth/config/auth-schema.ts'
import { aboutSchemas } from '../packages/core/src/document/about.ts'
import { convertInterface } from '../packages/core/src/http/api/convert.ts'
import { createSchemaConverter } from '../packages/core/src/http/api/json-schema.ts'
import { webhookApi } from '../packages/core/src/webhook/api/operations.ts'
import { webhooksSchema } from '../packages/core/src/webhook/config/webhooks-schema.ts'

export { commandOf, extensionKeys, idleNames, loadedCommands, metricsOf } from './reference.ts'
export { aboutSchemas, convertInterface, createSchemaConverter }

/** The HTTP interfaces, by the folder of their service. */
export const interfaces = { alerts: alertsApi, auth: authApi, webhook: webhookApi }

export const documents = [
  {
    title: 'WebhooksConfig',
    schema: webhooksSchema({ fields: {}, limits: {}, log: {} }),
    files: ['packages/core/schemas/webhooks.json'],
    types: {
      path: 'packages/core/src/webhook/config/written/webhooks-config.generated.ts',
      exported: ['WebhooksConfig', 'WebhookDefinition', 'WebhookDefaults'],
      about:
        'The configuration of the webhook service as an object, with the keys of its text. A length of time is a number of seconds, or a text such as `500ms`, `30s`, `10m`, `24h` or `7d`; a size is a number of bytes, or a text such as `64KiB` or `10MB`.',
    },
  },
  {
    title: 'AuthConfig',
    schema: authSchema,
    files: ['packages/core/schemas/auth.json'],
    types: {
      path: 'packages/core/src/auth/config/written/auth-config.generated.ts',
      exported: ['AuthConfig', 'AuthFlowName', 'AuthFlows'],
      about:
        'The configuration of the authentication flow service as an object, with the keys of `authgear.yaml` that have an effect. Durations are texts such as `60s`, `5m` or `1h30m`. No secret stands in it.\n *\n * @see Authgear, `authgear.yaml`',
    },
  },
  {
    title: 'GatehouseConfig',
    schema: webhooksSchema(gatehouseSettings),
    files: ['packages/cli/schemas/gatehouse.json'],
  },
  {
    title: 'RouteTests',
    schema: testFile,
    files: ['packages/cli/schemas/route-tests.json'],
  },
]
