import type { StepPage } from './step-page.ts'

/** `terminate_other_sessions` */
export const terminateOtherSessionsPage: StepPage = {
  title: 'You are signed in elsewhere',
  text: 'You can be signed in at one place only. If you go on, you are signed out at the others.',
  forms: [{ hidden: { confirm_terminate_other_sessions: true }, button: 'Sign out elsewhere' }],
  links: [['Leave it as it is', '/']],
}
