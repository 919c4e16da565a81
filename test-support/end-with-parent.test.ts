import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const helper = new URL('../scripts/end-with-parent.mjs', import.meta.url)
const program = `import { endWithParent } from ${JSON.stringify(helper.href)}
import { createServer } from 'node:net'
endWithParent()
createServer().listen(0, '127.0.0.1', () => console.log('listening'))
process.once('SIGTERM', () => {
  console.log('ended in order')
  process.exit()
})
`

it('a program under npm start ends when npm gets SIGTERM', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  // The second command keeps the shell from replacing itself with the first.
  const scripts = { start: 'node serve.mjs && echo done' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'served', scripts }))
  writeFileSync(join(folder, 'serve.mjs'), program)
  const npm = spawn('npm', ['start'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const group = npm.pid
  onTestFinished(() => {
    try {
      if (group !== undefined) process.kill(-group, 'SIGKILL')
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  })
  let said = ''
  npm.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  await expect.poll(() => said, { timeout: 60_000 }).toContain('listening')
  // The output closes once every process that writes to it has ended.
  const closed = once(npm, 'close')
  npm.kill('SIGTERM')
  await closed
  expect(said).toContain('ended in order')
}, 120_000)
