import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { itWith, systemdAnalyzeBinary } from '../../../test-support/binaries.ts'
import { runCli } from '../src/main.fixture.ts'

const file = fileURLToPath(new URL('../deploy/gatehouse.service', import.meta.url))
const unit = readFileSync(file, 'utf8')
const sockets = readFileSync(file.replace(/service$/, 'socket'), 'utf8')

describe('the unit of systemd', () => {
  // It prints what it does not understand, and still exits with 0.
  itWith([systemdAnalyzeBinary], 'is understood by systemd', () => {
    const printed = execFileSync('/bin/sh', ['-c', 'systemd-analyze verify "$1" 2>&1', 'sh', file])
    expect(printed.toString()).not.toContain('gatehouse.service:')
  })

  it('has sockets that the server can use', () => {
    const places = [...sockets.matchAll(/^(?:# )?ListenStream=(.*)$/gm)].map(([, place]) => place)
    expect(places).toEqual(['127.0.0.1:8081', '/run/gatehouse.sock'])
    expect(sockets).not.toContain('Accept=')
  })

  it('runs commands and flags that exist, and is not restarted after the exit code of a bad file', async () => {
    const lines = [...unit.matchAll(/^ExecStart=\/usr\/bin\/env gatehouse (.*)$/gm)]
    expect(lines).toHaveLength(1)
    for (const [, words = ''] of lines) {
      const ended = await runCli([...words.split(' ').slice(0, -1), '/nowhere/config.yaml'], '.')
      expect(ended.stderr).toContain('/nowhere/config.yaml')
      expect(unit).toContain(`RestartPreventExitStatus=${ended.exitCode}\n`)
    }
  })
})
