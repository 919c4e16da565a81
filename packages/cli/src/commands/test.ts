import { dirname, resolve } from 'node:path'
import { decodeDocument, nodeAt, parseDocument } from '@gatehouse/core/document'
import { Command } from 'commander'
import { readTextFile } from '../config/config-file.ts'
import { badNews } from '../config/exit-codes.ts'
import { createReadFiles } from '../config/read-files.ts'
import { createRefusals } from '../config/refusals.ts'
import { counted } from '../counted.ts'
import { paint } from '../log/color.ts'
import { type Compared, compare } from '../route-tests/compare.ts'
import { runTest } from '../route-tests/run-test.ts'
import { testFile } from '../route-tests/test-file.ts'
import { runCommand } from '../run-command.ts'
import { readRoutingConfig } from '../services/routing-config.ts'

interface TestFlags {
  readonly json?: boolean
}

/** A test of a file, with its result. */
interface Result extends Compared {
  readonly name: string
  readonly line: number
}

interface FileResult {
  readonly file: string
  readonly tests: readonly Result[]
}

/** `gatehouse test`: tests routes and notifications of a configuration. */
export function testCommand(): Command {
  const command = new Command('test')
    .description(
      'Run tests of a configuration of alerts: which routes an alert takes, and which notifications are sent when.',
    )
    .argument('<file...>', 'test files, such as routes.test.yml')
    .option('--json', 'print the results as JSON')
  return command.action((filenames: readonly string[]) =>
    runCommand(() => runFiles(filenames, command.opts<TestFlags>())),
  )
}

async function runFiles(filenames: readonly string[], { json }: TestFlags): Promise<number> {
  const results: FileResult[] = []
  for (const filename of filenames) {
    results.push({ file: filename, tests: await runFile(filename) })
  }
  const isGood = results.every(({ tests }) => tests.every(({ passed }) => passed))
  console.log(json ? JSON.stringify(jsonOf(results)) : results.flatMap(linesOf).join('\n'))
  return isGood ? 0 : badNews
}

async function runFile(filename: string): Promise<readonly Result[]> {
  const refusals = createRefusals(filename)
  const root = parseDocument(await readTextFile(filename))
  const decoded = await refusals.of(() => decodeDocument(root, testFile, { filename }))
  refusals.throwIfAny()
  if (decoded === undefined) throw new TypeError(`${filename} was refused without a reason`)
  const { value } = decoded
  const config = resolve(dirname(filename), value.config)
  const tested = await readRoutingConfig(config, createReadFiles())
  const results: Result[] = []
  for (const [index, test] of value.tests.entries()) {
    const { name } = test
    const line = nodeAt(root, 'tests', index)?.line ?? 1
    results.push({ name, line, ...compare(test, await runTest(tested, test)) })
  }
  return results
}

const jsonOf = (results: readonly FileResult[]): unknown => ({
  passed: results.every(({ tests }) => tests.every(({ passed }) => passed)),
  files: results.map(({ file, tests }) => ({
    file,
    tests: tests.map(({ lines: _, ...test }) => test),
  })),
})

function linesOf({ file, tests }: FileResult): readonly string[] {
  const failed = tests.filter(({ passed }) => !passed)
  const count = counted(tests.length, 'test')
  if (failed.length === 0)
    return [`Unit Testing:  ${file}`, `  ${paint('good', 'SUCCESS')}: ${count}`, '']
  return [
    `Unit Testing:  ${file}`,
    `  ${paint('bad', 'FAILED')}: ${failed.length} of ${count} (- expected, + got)`,
    ...failed.flatMap(({ name, line, lines }) => [
      `    ${paint('strong', `${file}:${line}:`)} ${name}`,
      ...lines.map(({ mark, text }) => `      ${painted(mark, `${mark} ${text}`)}`),
    ]),
    '',
  ]
}

const tones = { '-': 'bad', '+': 'good', ' ': undefined } as const

function painted(mark: keyof typeof tones, text: string): string {
  const tone = tones[mark]
  return tone === undefined ? text : paint(tone, text)
}
