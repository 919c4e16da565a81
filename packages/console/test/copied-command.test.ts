import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { listSilences } from '@gatehouse/core'
import { expect, it } from 'vitest'
import { amtoolBinary, describeWith, pathOf } from '../../../test-support/binaries.ts'
import { useServer } from '../../../test-support/browser.ts'
import { amtoolCommand } from '../src/alerts/copied-texts.ts'
import { startConsole } from './open-console.fixture.ts'

const run = promisify(execFile)

describeWith([amtoolBinary], 'the command that a page copies', () => {
  const server = useServer(() => startConsole())

  it('silences by just the labels of a hostile alert, as bash reads it', async () => {
    const labels = {
      alertname: 'it\'s $(touch x) `id` !! "quoted" \\n',
      control: '\u001b[2J\t\u0003\u202e\n',
      option: '--alertmanager.url=http://evil.example; exit 1 #',
    }
    const { alerts, url } = server()
    const command = amtoolCommand(labels, url.replace(/\/$/, '')) ?? ''
    await run('bash', ['-c', command.replace(/^amtool/, pathOf(amtoolBinary))])
    const [silence] = await listSilences(alerts)
    expect(
      Object.fromEntries(silence?.matchers.map(({ name, value }) => [name, value]) ?? []),
    ).toEqual(labels)
  })
})
