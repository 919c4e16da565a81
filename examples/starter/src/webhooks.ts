import {
  closeWebhooks,
  createWebhooks,
  startWebhooks,
  type WebhooksContext,
  type WebhooksOptions,
} from '@gatehouse/core'

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

/** Keeps the records of runs in order until the returned function is called, which waits for commands. */
export function runWebhooks(webhooks: WebhooksContext): () => Promise<void> {
  const running = startWebhooks(webhooks)
  return async () => {
    await closeWebhooks(webhooks)
    await running.stop()
  }
}
