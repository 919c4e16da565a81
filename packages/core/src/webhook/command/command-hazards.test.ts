import { describe, expect, it } from 'vitest'
import { readConfig, settingProblems, withWebhook } from '../config/config.fixture.ts'

const value = { source: 'data.q', format: 'value' }
const fromRequest = { command_arguments: [value] }

/** `refused`, `warned` or `accepted`. */
function verdictOf(execute_command: string, settings: object = fromRequest): string {
  const given = { execute_command, ...settings }
  const problems = settingProblems(given)
  if (problems.includes('execute_command unsafe_command')) return 'refused'
  if (problems.length > 0) return problems.join()
  const { warnings } = readConfig(withWebhook(given))
  return warnings.some((line) => line.includes('execute_command')) ? 'warned' : 'accepted'
}

/** The first problem, in words. */
function problemOf(execute_command: string, settings: object = fromRequest): string {
  try {
    readConfig(withWebhook({ execute_command, ...settings }))
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

describe('a value of a request in a shell text', () => {
  it.each([
    'cd /srv && ./argv.sh $1',
    './argv.sh $@',
    './argv.sh $*',
    './argv.sh "$1" $*',
    `./argv.sh \${1}`,
    `./argv.sh \${1:-x}`,
    `./argv.sh \${1%.*}`,
    `./argv.sh \${x:-$1}`,
    `./argv.sh \${x:+"$1"}`,
    './argv.sh --image=$1',
    './argv.sh a"$x"$1',
    './argv.sh "a"$1"b"',
    './argv.sh $(echo $1)',
    './argv.sh $(echo "$1")',
    './argv.sh "$(echo $1)"',
    './argv.sh `echo $1`',
    './argv.sh "`echo $1`"',
    '( ./argv.sh $1 )',
    '{ ./argv.sh $1; }',
    'if true; then ./argv.sh $1; fi',
    'if [ $1 = main ]; then ./argv.sh; fi',
    'test -n $1',
    'while ./argv.sh $1; do :; done',
    'for x in $1; do ./argv.sh "$x"; done',
    'for x in "$@"; do ./argv.sh $x; done',
    'for x; do ./argv.sh $x; done; : "$1"',
    'case "$1" in a) ./argv.sh $1;; esac',
    'x=$1; ./argv.sh $x',
    'x="$1"; y="$x"; ./argv.sh $y',
    'x=$(cat "$1"); ./argv.sh $x',
    'export X=$1',
    `local_value="$1" && ./argv.sh \${local_value}`,
    './argv.sh >$1',
    './argv.sh < $1',
    './argv.sh <<EOF\n$(./argv.sh $1)\nEOF',
    'echo "$1" | while read -r x; do ./argv.sh $x; done',
    'set -- "$1"; ./argv.sh $1',
    './a.sh; ./b.sh || ./argv.sh $1 &\nwait',
    './argv.sh \\\n $1',
    './argv.sh $10',
    'printf %s "$1" | xargs ./argv.sh',
    'while getopts a: o "$@"; do ./argv.sh $OPTARG; done',
  ])('is refused if the shell would split it: %s', (command) => {
    expect(verdictOf(command)).toBe('refused')
  })

  it.each([
    './argv.sh "$1"',
    './argv.sh "$@"',
    `./argv.sh "\${1}" "\${1:-x}"`,
    './argv.sh --image="$1"',
    './argv.sh "a $1 b"',
    './argv.sh "$(basename "$1")"',
    './argv.sh "`basename "$1"`"',
    './argv.sh \'$1\' \\$1 "$1"',
    'x=$1; ./argv.sh "$x"',
    'x=$1 ./argv.sh "$@"',
    'x=$(basename "$1"); ./argv.sh "$x"',
    'case $1 in main|dev) ./argv.sh "$1";; *) exit 1;; esac',
    'case $1\nin main) ./argv.sh;; esac',
    `./argv.sh \${#1} $#`,
    `./argv.sh \${1:+--verbose}`,
    `: \${1:?missing}; ./argv.sh "$1"`,
    './argv.sh <<EOF\n$1\nEOF',
    './argv.sh <<\'EOF\'\n$1\nEOF\n./argv.sh "$1"',
    'for x in "$@"; do ./argv.sh "$x"; done',
    'for x in a b; do ./argv.sh $x "$1"; done',
    './argv.sh "$1" # not $1',
    'printf \'%s\\0\' "$1" | xargs -0 ./argv.sh',
    'cd "$(dirname "$1")" && ./argv.sh',
    '[ "$1" = main ] && ./argv.sh "$1" || exit 3',
    '{ ./argv.sh "$1"; } 2>&1 | tee -a log',
    './argv.sh $HOME $PWD "$1"',
    'git fetch && git checkout "origin/$1"',
    'printf %s "$1" | tee out >/dev/null',
    'sleep 1 && ./deploy.sh',
    'exec ./deploy.sh "$@"',
    'find . -name "$1" -exec sh -c \'echo "$1"\' sh {} \\;',
    'cat "$1" | sh -c \'cat -- "$1"\' sh x',
    'trap \'rm -f tmp\' EXIT; ./argv.sh "$1"',
    'env FOO="$1" ./argv.sh',
    'docker restart node "$1"',
  ])('is accepted if it stays whole: %s', (command) => {
    expect(verdictOf(command)).toBe('accepted')
  })

  it.each([
    ['eval "$1"', 'eval "$1"'],
    ['eval', 'eval "./argv.sh $1"'],
    ['sh -c', 'sh -c "$1"'],
    ['bash', 'cd /srv && bash -lc "./argv.sh $1"'],
    ['bash -o', 'bash -o pipefail -c "$1"'],
    ['env sh', 'cd / && env A=b sh -c "$1"'],
    ['sudo', 'cd / && sudo -u deploy bash -c "echo $1"'],
    ['docker', 'docker exec app sh -c "./deploy.sh $1"'],
    ['xargs sh', 'printf %s "$1" | xargs -I{} sh -c \'./argv.sh {}\''],
    ['nested quotes', 'cd / && sh -c \'./argv.sh $1\' sh "$1"'],
    ['nested $0', 'cd / && sh -c \'./argv.sh $0\' "$1"'],
    ['lost $0', 'cd / && sh -c \'./argv.sh "$1"\' "$1"'],
    ['.', '. "$1"'],
    ['source', 'source $1'],
    ['exec', 'exec "$1"'],
    ['exec all', 'exec "$@"'],
    ['command', '"$1" --help'],
    ['sh file', 'cd / && sh "$1"'],
    ['python', 'cd / && python3 -c "$1"'],
    ['perl', 'cd / && perl -ne "$1"'],
    ['awk', 'cd / && awk "$1" file'],
    ['pipe', 'echo "$1" | sh'],
    ['pipe to bash -s', 'echo "$1" | bash -s -- x'],
    ['here', 'sh <<EOF\necho $1\nEOF'],
    ['trap', 'trap "$1" EXIT; sleep 1'],
    ['alias', 'alias x="$1"'],
    ['export', 'export "$1"'],
    ['PATH', 'PATH="$1" ./argv.sh'],
    ['LD_PRELOAD', 'export LD_PRELOAD="$1"; ./argv.sh'],
  ])('is refused as code or program: %s', (_, command) => {
    expect(verdictOf(command)).toBe('refused')
  })

  it.each([
    'sh -c',
    'bash -c',
    '/bin/bash -ec',
    'env sh -c',
    'sudo sh -c',
    "sh -c './argv.sh $1'",
    "sh -c './argv.sh $1' sh",
    'sh -c \'./argv.sh "$1"\'',
    "sh -c './argv.sh $@' sh",
    'bash -c \'eval "$1"\' bash',
    'sh',
    'sudo',
    'env',
    'xargs',
    'python3 -c',
    'node -e',
    'python3',
    'awk',
    'su deploy -c',
  ])('is refused after the words: %s', (command) => {
    expect(verdictOf(command)).toBe('refused')
  })

  it.each([
    'sh -c \'./argv.sh "$1"\' sh',
    'bash -c \'cd /srv && ./argv.sh "$@"\' deploy',
    'sh ./deploy.sh',
    'bash -eu deploy.sh',
    'python3 deploy.py',
    'env STAGE=prod ./deploy.sh',
    'sudo -u deploy ./deploy.sh',
    'docker service update --image',
    'timeout 10 ./deploy.sh',
    'sh -c \'./argv.sh "$0"\'',
  ])('is accepted after the words: %s', (command) => {
    expect(verdictOf(command)).toBe('accepted')
  })

  it.each([
    ['./argv.sh $(( $1 + 1 ))'],
    ['f() { ./argv.sh $1; }; f "$1"'],
    ['set -f; for x in $1; do ./argv.sh "$x"; done'],
    ['ssh host "./deploy.sh $1"'],
    ['"./jobs/$1.sh"'],
    ['./argv.sh "$2"'],
    ['./argv.sh "$1" "$0"'],
  ])('draws a warning if it may be meant, or is safe: %s', (command) => {
    expect(verdictOf(command)).toBe('warned')
  })

  it('in a variable is the same', () => {
    const env = { BRANCH: { source: 'data.q' }, STAGE: 'prod', AT: { source: 'request:time' } }
    expect(verdictOf('./argv.sh $BRANCH', { env })).toBe('refused')
    expect(verdictOf(`./argv.sh \${BRANCH#refs/heads/}`, { env })).toBe('refused')
    expect(verdictOf("sh -c './argv.sh $BRANCH'", { env })).toBe('refused')
    expect(verdictOf('eval "$BRANCH"', { env })).toBe('refused')
    expect(verdictOf('sh -c "$BRANCH"', { env })).toBe('refused')
    expect(verdictOf('./argv.sh "$BRANCH" $STAGE $AT', { env })).toBe('accepted')
    expect(verdictOf('sh -c "$STAGE"', { env })).toBe('accepted')
    expect(verdictOf('./argv.sh $OTHER', { env })).toBe('accepted')
  })

  it('on the standard input or in a file is found as far as possible', () => {
    const stdin = 'body'
    expect(verdictOf('sh', { stdin })).toBe('refused')
    expect(verdictOf('bash -s', { stdin })).toBe('refused')
    expect(verdictOf('sh ./deploy.sh', { stdin })).toBe('accepted')
    expect(verdictOf('read -r x; ./argv.sh $x', { stdin })).toBe('warned')
    expect(verdictOf('./argv.sh $(cat)', { stdin })).toBe('warned')
    expect(verdictOf('./argv.sh "$(cat)"', { stdin })).toBe('accepted')
    const files = [{ env: 'PAYLOAD', source: 'data.q' }]
    expect(verdictOf('./argv.sh $PAYLOAD', { files })).toBe('accepted')
    expect(verdictOf('./argv.sh $(cat $PAYLOAD)', { files })).toBe('warned')
  })

  it('is told from fixed arguments by its position', () => {
    const fixed = { name: 'restart', source: '' }
    const named = { name: '--image', source: 'data.q' }
    expect(verdictOf('docker $1 "$2"', { command_arguments: [fixed, value] })).toBe('accepted')
    expect(verdictOf('docker "$1" $2', { command_arguments: [fixed, value] })).toBe('refused')
    expect(verdictOf('exec "$@"', { command_arguments: [fixed, value] })).toBe('accepted')
    expect(verdictOf('sudo', { command_arguments: [fixed, value] })).toBe('accepted')
    expect(verdictOf('docker $1 "$2"', { command_arguments: [named] })).toBe('accepted')
    expect(verdictOf('docker $2', { command_arguments: [named] })).toBe('refused')
    const optional = { ...value, on_missing: 'skip' }
    expect(verdictOf('./argv.sh $1', { command_arguments: [optional, fixed] })).toBe('refused')
    expect(verdictOf('./argv.sh $1', { command_arguments: [fixed] })).toBe('accepted')
  })

  it('is not looked for in another language, and less sure in another shell', () => {
    expect(verdictOf('./argv.sh $1', { ...fromRequest, shell: '/bin/zsh' })).toBe('warned')
    expect(verdictOf('./argv.sh $1', { ...fromRequest, shell: '/bin/bash' })).toBe('refused')
    const python = { ...fromRequest, shell: '/usr/bin/python3' }
    expect(verdictOf('import sys; print(sys.argv, "$1")', python)).toBe('accepted')
    expect(
      verdictOf('[[ $1 == main ]] && ./argv.sh "$1"', { ...fromRequest, shell: '/bin/bash' }),
    ).toBe('accepted')
  })

  it('is refused with what to write instead', () => {
    expect(problemOf('./argv.sh $1')).toContain('write "$1"')
    expect(problemOf(`./argv.sh \${1:-x}`)).toContain(`write "\${1:-x}"`)
    expect(problemOf('./argv.sh $(basename "$1")')).toContain('write "$(basename "$1")"')
    expect(problemOf('eval "$1"')).toContain('eval evaluates "$1" as shell text')
    expect(problemOf('sh -c')).toContain('write the text itself')
    expect(problemOf("sh -c 'echo'")).toContain('write a name such as sh')
  })

  it('is looked for in any text without fail', () => {
    for (const text of [
      '$('.repeat(10_000),
      `"\${`.repeat(10_000),
      '`'.repeat(9_999),
      '((('.repeat(5_000),
    ]) {
      expect(() => verdictOf(`echo ${text}`)).not.toThrow()
    }
    const nested = `sh -c '`.repeat(50)
    expect(() => verdictOf(nested)).not.toThrow()
  })
})
