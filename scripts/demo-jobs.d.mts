/** See demo-jobs.mjs. */
export const demoToken: string
export const demoWebhooks: string
export const demoScripts: Readonly<Record<string, string>>
