/** The operations of the webhook service by id: the method, and the path below the base path. Refusals name methods in this order. */
export const webhookOperations = {
  runWebhook: 'POST /webhook',
  deliverWebhook: 'POST /webhook/:id',
  listWebhooks: 'GET /webhooks',
  listRefusals: 'GET /webhooks/refusals',
  testWebhook: 'POST /webhooks/test',
  listRuns: 'GET /runs',
  getRunChanges: 'GET /runs/changes',
  getRun: 'GET /runs/:run_id',
  cancelRun: 'DELETE /runs/:run_id',
  getOutput: 'GET /runs/:run_id/output',
  hashMessage: 'POST /hash',
  getWebhookMetrics: 'GET /metrics',
  getWebhookHealth: 'GET /healthz',
  getWebhookReadiness: 'GET /readyz',
} as const

/** The id of an operation. */
export type WebhookOperation = keyof typeof webhookOperations
