/** The part of the package that tests use; it has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  interface Policy {
    add(prompt: object): void
  }

  export const interactionPolicy: {
    base(): Policy
    readonly Prompt: new (info: { name: string; requestable: boolean }) => object
  }

  export class Provider {
    constructor(issuer: string, configuration: object)
    readonly Grant: new (properties: {
      accountId: string
      clientId: string
    }) => Grant
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
    ): Promise<void>
  }
}
