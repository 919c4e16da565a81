import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { amtoolBinary, describeWith, pathOf } from '../../../test-support/binaries.ts'
import { runCli, runHere } from '../src/main.fixture.ts'
import { run } from './support/run.ts'
import { temporaryFolder } from './support/server.ts'

const data = {
  receiver: 'team',
  status: 'firing',
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'Disk', team: 'a' },
      annotations: { summary: '<b>&"' },
      startsAt: '2026-01-02T03:04:05.5+02:00',
    },
    { status: 'resolved', labels: null, endsAt: '2026-01-02T03:04:05Z' },
  ],
  groupLabels: { alertname: 'Disk' },
}

const config = (...templates: readonly string[]): string =>
  JSON.stringify({ route: { receiver: 'r' }, receivers: [{ name: 'r' }], templates })

const files: Readonly<Record<string, string>> = {
  't/a.tmpl':
    '{{ define "x" }}a{{ end }}{{ define "a" }}{{ template "x" . }}{{ .Receiver }}{{ end }}',
  't/b.tmpl': '{{ define "x" }}b{{ end }}',
  't/[c].tmpl': '{{ define "x" }}c{{ end }}',
  'bad/bad.tmpl': '{{ define "x" }}\n{{ if }}{{ end }}{{ end }}',
  'data.json': JSON.stringify(data),
  'none.json': 'null',
  'number.json': '{"receiver":1}',
  'time.json': '{"alerts":[{"startsAt":"yesterday"}]}',
  'good.yml': config('t/*.tmpl', 'none/*'),
  'bad.yml': config('bad/*'),
  'pattern.yml': config('['),
}

describeWith([amtoolBinary], 'templates are rendered as by amtool', () => {
  let folder: string

  beforeAll(async () => {
    folder = await temporaryFolder()
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), text)
    }
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Runs both programs with flags in which `@` stands for the folder, and returns their results. */
  async function both(
    runOurs: typeof runHere,
    ...flags: readonly string[]
  ): Promise<readonly [unknown, unknown]> {
    const args = flags.map((flag) => flag.replace('@', `${folder}/`))
    const env = { HOME: folder, XDG_CONFIG_HOME: folder, TZ: 'UTC' }
    const [theirs, ours] = await Promise.all([
      run(pathOf(amtoolBinary), args, env),
      runOurs(args, folder, env),
    ])
    // Gatehouse also names the file with the error.
    const withoutFile = (text: string): string => text.replace(new RegExp(`${folder}/\\S*: `), '')
    return [
      {
        code: ours.exitCode,
        stdout: withoutFile(ours.stdout),
        stderr: withoutFile(ours.stderr).trim(),
      },
      {
        code: theirs.code,
        stdout: theirs.stdout,
        stderr: theirs.stderr.trim().replace('amtool: error: ', ''),
      },
    ]
  }

  const render = (text: string, ...flags: readonly string[]) =>
    both(
      runHere,
      'template',
      'render',
      `--template.text=${text}`,
      '--template.glob=@t/a.tmpl',
      ...flags,
    )

  it.each([
    [''],
    ['plain <text>\n'],
    ['{{ template "a" . }}'],
    ['{{ template "a" . }}', '--template.glob=@t/b.tmpl'],
    ['{{ template "a" . }}', '--template.glob=@t/*'],
    ['{{ template "a" . }}', '--template.glob=@t/\\[c\\].*', '--template.glob=@none/*'],
    ['{{ template "a" . }}', '--template.glob=@[^s]/[a-b].tmpl'],
    ['{{ range .Alerts }}{{ .Labels.SortedPairs.Values }}{{ .Annotations.Names }}{{ end }}'],
    ['{{ .Status }} {{ len .Alerts.Firing }} {{ .GroupLabels.Values }} {{ .ExternalURL }}'],
    [
      '{{ range .Alerts }}{{ .Fingerprint }} {{ .GeneratorURL }} {{ printf "%.0f" (.EndsAt.Sub .StartsAt).Seconds }} {{ end }}',
      '--template.type=text',
    ],
    [
      '{{ range .Alerts }}{{ .StartsAt }} {{ .EndsAt }} {{ .Labels.team }}|{{ end }}',
      '--template.data=@data.json',
    ],
    [
      '<a href="{{ .Receiver }}?{{ (index .Alerts 0).Annotations.summary }}">{{ "<" }}</a>',
      '--template.data=@data.json',
      '--template.type=html',
    ],
    ['{{ .Receiver }}|{{ len .Alerts }}|{{ .CommonLabels.x }}', '--template.data=@none.json'],
    ['{{ .Nope }}'],
    ['{{ nope }}'],
    ['{{ if }}'],
    ['{{ template "nope" . }}'],
    ['x', '--template.glob=@bad/*'],
    ['x', '--template.data=@time.json'],
  ])('renders %s', async (text, ...flags) => {
    const [ours, theirs] = await render(text, ...flags.filter((flag) => flag !== undefined))
    expect(ours).toEqual(theirs)
  })

  it.each(['good', 'bad', 'pattern'])('checks the templates of %s.yml', async (name) => {
    const [ours, theirs] = await both(runHere, 'check-config', `@${name}.yml`)
    expect(ours).toEqual(theirs)
  })

  it('renders and checks alike with the built command', async () => {
    const built: typeof runHere = (args, cwd, env) => runCli(args, cwd, '', env)
    for (const flags of [
      ['template', 'render', '--template.text={{ .Status }}', '--template.glob=@t/a.tmpl'],
      ['check-config', '@bad.yml'],
    ]) {
      const [ours, theirs] = await both(built, ...flags)
      expect(ours).toEqual(theirs)
    }
  })
})
