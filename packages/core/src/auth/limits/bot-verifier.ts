/** Verifies bot protection responses. @see `createTurnstileVerifier`, `createRecaptchaVerifier` */
export interface BotVerifier {
  /** The `bot_protection.provider.type` that it verifies (default any). */
  readonly type?: string
  /** Verifies a client's response from the provider. Rejects if that is not possible. */
  verify(given: { readonly response: string; readonly ip: string }): Promise<'passed' | 'failed'>
}
