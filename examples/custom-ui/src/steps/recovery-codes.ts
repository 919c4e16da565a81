import { html } from 'hono/html'
import type { StepPage } from './step-page.ts'

/** `view_recovery_code_data`: shown only once. */
export function recoveryCodesPage(codes: readonly string[]): StepPage {
  return {
    title: 'Keep your recovery codes',
    text: 'Each of them lets you in once, should you lose your other device. They are not shown again: print them, or keep them where you keep passwords.',
    body: html`<ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>`,
    forms: [{ hidden: { confirm_recovery_code: true }, button: 'I have kept them' }],
  }
}
