import { createWebhooks, type WebhooksContext, type WebhooksOptions } from '@gatehouse/core'

/** `POST /webhook/deploy` runs a command. Its token is the variable DEPLOY_TOKEN. */
export function createAppWebhooks(options: Omit<WebhooksOptions, 'config'>): WebhooksContext {
  return createWebhooks({
    ...options,
    config: {
      webhooks: [
        {
          id: 'deploy',
          token: { env: 'DEPLOY_TOKEN' },
          // Put your script here. No shell parses what a request sends.
          execute_command: 'echo deploying',
          workdir: '.',
          command_arguments: [{ source: 'data.ref', format: 'value', pattern: '[\\w./-]+' }],
          include_output: 'always',
        },
      ],
    },
  })
}
