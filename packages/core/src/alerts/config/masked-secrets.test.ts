import { expect, it } from 'vitest'
import { formatConfigProblems } from '../../document/config-problem.ts'
import { maskedSecrets } from './masked-secrets.ts'

it('warns of the masks that a shown configuration has in place of secrets, in parts too', () => {
  const text = `global:
  smtp_auth_password: <secret> # <secret>
route: { receiver: a }
receivers:
- name: a # <secret>
  webhook_configs: [{ url: "https://hooks.example.com/<secret>" }]
`
  const part = {
    filename: 'team.yml',
    text: `receivers:\n- name: b\n  slack_configs: [{ api_url: <secret> }]\n`,
  }
  const why = '<secret> stands in place of a secret: write the secret itself, or a reference to it'
  expect(formatConfigProblems('a.yml', maskedSecrets({ text, parts: [part] }))).toEqual([
    `a.yml:2:23: ${why}`,
    `a.yml:6:55: ${why}`,
    `team.yml:3:30: ${why}`,
  ])
  expect(maskedSecrets({ text: text.replaceAll('<secret>', 's') })).toEqual([])
})
