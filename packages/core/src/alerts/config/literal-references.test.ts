import { expect, it } from 'vitest'
import { literalReferences } from './literal-references.ts'

it('warns of a reference in a field that does not resolve it, in parts too', () => {
  const text = `global:
  smtp_auth_username: \${env:SMTP_USER}
  smtp_auth_password: \${env:SMTP_PASSWORD}
  smtp_from: $\${env:LITERAL} # \${env:COMMENT}
route: { receiver: a }
receivers:
- name: a
  webhook_configs: [{ url: "\${file:url}" }]
`
  const part = { filename: 'team.yml', text: `receivers:\n- { name: "\${env:NAME}" }\n` }
  const why = 'is ordinary text here: only secrets and URLs may be references'
  expect(literalReferences({ text, filename: 'a.yml', parts: [part] })).toEqual([
    `a.yml:2:23: \${env:SMTP_USER} ${why}`,
    `team.yml:2:12: \${env:NAME} ${why}`,
  ])
  expect(literalReferences({ text: text.replaceAll('env:', '') })).toEqual([])
})
