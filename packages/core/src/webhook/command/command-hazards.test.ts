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
    'f() { ./argv.sh $1; }; f "$1"',
    'f() { ./argv.sh $2; }; f x "$1"',
    'function f { ./argv.sh "$(echo $@)"; }; f "$1"',
    'f() ( ./argv.sh $1 ); f "$1"',
    `./argv.sh \${x:-'}'} $1`,
    `./argv.sh \${x#'"'} $1`,
    './argv.sh $((echo $1) | cat)',
    './argv.sh `echo \\$1`',
    './argv.sh "`echo \\"$1\\" \\$1`"',
    './argv.sh `echo \\`echo \\$1\\``',
    './argv.sh $"a" $1',
    "./argv.sh $'it\\'s' $1",
    './argv.sh \\\\$1',
    './argv.sh "a"\'b\'$1',
    './argv.sh &>log $1',
    "cat <<-'E'\n\t$1\n\tE\n./argv.sh $1",
    'set -- a "$@"; ./argv.sh $2',
    'set -- $1; ./argv.sh "$@"',
    'while [ $# -gt 0 ]; do ./argv.sh $1; shift; done',
    'x="$*"; ./argv.sh $x',
    'x=a; x="$x $1"; ./argv.sh $x',
    'for x in a b; do y="$1-$x"; done; ./argv.sh $y',
    'IFS=,; ./argv.sh $1',
    './argv.sh 2>$1',
    './argv.sh $1/x',
    'if ./argv.sh; then :; elif ./argv.sh $1; then :; fi',
    'until ./argv.sh $1; do :; done',
    '! ./argv.sh $1',
    '(cd /srv && ./argv.sh $1) &\nwait',
    'rsync -a $1 host:/srv',
    'local_x() { local y; y="$1"; ./argv.sh $y; }; local_x "$1"',
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
    'f() { ./argv.sh $1; }; f x; ./argv.sh "$1"',
    'f() { ./argv.sh "$1" "$2"; }; f x "$1"',
    'log() { echo "$(date)" "$@" >&2; }\nlog "start $1"\n./argv.sh "$1"',
    `./argv.sh "\${x:-'}" "$1" "'}"`,
    './argv.sh "`basename \\"$1\\"`"',
    './argv.sh "$(basename -- "$1" .git)" "$(date +%s)"',
    'set -eu; ./argv.sh "$1"',
    'set -- --verbose "$@"; ./argv.sh "$@"',
    'while [ $# -gt 0 ]; do ./argv.sh "$1"; shift; done',
    'n=$((1 + 2)); ./argv.sh "$1" "$n"',
    './argv.sh "$1" &>log',
    './argv.sh "$1" >>log 2>&1',
    'cat <<E | ./argv.sh\nhello $1 and "$1"\nE',
    './argv.sh <<<"$1"',
    'printf \'%s\\n\' "$1" | while IFS= read -r x; do ./argv.sh "$x"; done',
    `./argv.sh "\${1%%-*}" "\${1##*/}" "\${1:0:8}"`,
    'awk -v x="$1" \'$1 == x {print $2}\' file',
    'sed -n \'s/a/b/p\' "$1"',
    'jq --arg x "$1" \'.[$x]\' file',
    'sudo -u deploy -- ./argv.sh "$1"',
    'ssh host ./deploy.sh; ./argv.sh "$1"',
    'find . -name "$1" -print0 | xargs -0 rm -f --',
    'find . -type f -exec grep -l -- "$1" {} +',
    'python3 -c \'import sys; print(sys.argv[1])\' "$1"',
    'python3 deploy.py -c "$1"',
    'node -e \'console.log(process.argv[1])\' "$1"',
    'node app.js -e "$1"',
    'perl -e \'print $ARGV[0]\' -- "$1"',
    'perl -i -pe \'s/a/b/\' "$1"',
    'bash ./deploy.sh -c "$1"',
    'bash -c \'set -e; ./argv.sh "$1"\' deploy "$1"',
    'bash -lc \'exec "$0" "$@"\' ./argv.sh "$1"',
    'sudo sh -c \'cd /srv && ./argv.sh "$1"\' sh "$1"',
    'printf \'%s\\0\' "$1" | xargs -0 sh -c \'./argv.sh "$@"\' sh',
    'find /srv -name \'*.log\' -exec sh -c \'gzip "$1"\' sh {} \\; ; ./argv.sh "$1"',
    'env -i PATH=/usr/bin ./argv.sh "$1"',
    'git -C /srv log --grep="$1"',
    'case "$1" in *[!a-z]*) exit 1;; esac; ./argv.sh "$1"',
    'test -f "$1" || exit 1; ./argv.sh "$1"',
    'curl -fsS -d "text=$1" https://chat.example.com/hook',
    'psql -v name="$1" -f query.sql',
    'timeout 10 ./argv.sh "$1" || ./argv.sh --failed "$1"',
    'make deploy "$1"',
    'TAG="$1" ./deploy.sh',
    'git -C /srv fetch origin "$1" && git switch -c "$1"',
    'tar -I zstd -cf "$1" .',
    'rsync -ae ssh "$1" host:/srv',
    'rsync -a -e "ssh -p 22" -- "$1" host:/srv',
    'echo "$1" >>deploy.log; sh deploy.sh "$1"',
    'printf \'%s\' "$1" >version.txt; ./build.sh version.txt',
    'echo "$(date) $1" | tee -a log; . ./env.sh',
    'sh ./deploy.sh >log; ./argv.sh "$1" >>log; ./check.sh log',
    'docker run -e TAG="$1" app -c run',
    'docker compose exec -T web ./argv.sh "$1"',
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
    ['arithmetic', './argv.sh "$(( $1 + 1 ))"'],
    ['arithmetic by name', 'n="$1"; ./argv.sh $((n + 1))'],
    ['old arithmetic', './argv.sh "$[ $1 + 1 ]"'],
    ['let', 'let "x = $1"'],
    ['a slice', `./argv.sh "\${HOME:$1}"`],
    ['a slice by name', `n=$1; ./argv.sh "\${HOME:0:n}"`],
    ['a subscript', `./argv.sh "\${list[$1]}"`],
    ['a subscript that is set', 'list[$1]=x; ./argv.sh'],
    ['an indirect name', `./argv.sh "\${!1}"`],
    ['a number in [[ ]]', '[[ "$1" -eq 1 ]] && ./argv.sh'],
    ['(( ))', '(( $1 > 3 )) && ./argv.sh'],
    ['for (( ))', 'for ((i = 0; i < $1; i++)); do ./argv.sh; done'],
    ['test -v', 'test -v "$1"'],
    ['eval in quotes', '\\eval "$1"'],
    ['eval in parts', '"ev"al "$1"'],
    ['command eval', 'command eval "$1"'],
    ['eval --', 'eval -- "$1"'],
    ['eval later', 'if true; then x="$1"; eval "$x"; fi'],
    ['eval set', 'eval "set -- $1"; ./argv.sh "$@"'],
    ['eval in a function', 'run() { eval "$2"; }; run x "$1"'],
    ['eval in a substitution', './argv.sh "$(eval "$1")"'],
    ['sh -c of all', 'sh -c "$*"'],
    ['sh -c of all words', 'sh -c "$@"'],
    ['sh -c --', 'sh -c -- "$1"'],
    ['sh -c -e', 'sh -c -e "$1"'],
    ['sh -e -c', 'sh -e -c "$1"'],
    ['bash -lc', 'bash -lc "$1"'],
    ['bash --login', 'bash --login -c "./argv.sh $1"'],
    ['bash --rcfile', 'bash --rcfile f -c "$1"'],
    ['bash +x', 'bash +x -c "$1"'],
    ['nested text with $@', 'cd / && bash -c \'./argv.sh $@\' x "$1"'],
    ['concatenated text', 'sh -c \'./argv.sh \'"$1"'],
    ['concatenated plain', "sh -c './argv.sh '$1"],
    ['ash', 'ash -c "$1"'],
    ['fish', 'fish -c "$1"'],
    ['csh', 'csh -fc "$1"'],
    ['pwsh', 'pwsh -Command "$1"'],
    ['$SHELL', '$SHELL -c "$1"'],
    ['$SHELL or sh', `"\${SHELL:-sh}" -c "$1"`],
    ['busybox', 'busybox sh -c "$1"'],
    ['env -S', 'env -S "sh -c $1"'],
    ['env -S attached', 'env -S"$1"'],
    ['env --split-string', 'env --split-string="$1"'],
    ['env with a name', 'env "$1" ./argv.sh'],
    ['sudo -i', 'sudo -iu deploy sh -c "$1"'],
    ['sudo --user', 'sudo --user deploy -- sh -c "$1"'],
    ['sudo of a program', 'sudo -u deploy "$1"'],
    ['su -c', 'su - deploy -c "./argv.sh $1"'],
    ['runuser', 'runuser -u deploy -- sh -c "$1"'],
    ['script', 'script -qc "./argv.sh $1" log'],
    ['flock -c', 'flock lock -c "./argv.sh $1"'],
    ['flock of a program', 'flock lock "$1"'],
    ['xargs sh -c', 'printf "%s" "$1" | xargs sh -c'],
    ['xargs -0 sh -c', 'printf "%s\\0" "$1" | xargs -0 sh -c'],
    ['xargs of a program', 'ls | xargs "$1"'],
    ['xargs nested', 'printf "%s\\0" "$1" | xargs -0 sh -c \'./argv.sh $1\' sh'],
    ['xargs -I in a text', 'echo "$1" | xargs -I % sh -c \'./argv.sh %\''],
    ['find -exec', 'find . -exec "$1" {} \\;'],
    ['find -exec sh -c', 'find . -exec sh -c "$1" \\;'],
    ['find -exec of a path', 'find "$1" -exec sh -c \'./argv.sh {}\' \\;'],
    ['find -execdir', 'find "$1" -execdir bash -c \'./argv.sh $1\' x {} \\;'],
    ['ssh', 'ssh host "$1"'],
    ['ssh with options', 'ssh -p 22 deploy@host "cd /srv && ./deploy.sh \'$1\'"'],
    ['ssh with input', 'echo "$1" | ssh host'],
    ['ssh with a document', 'ssh host <<E\n./deploy.sh $1\nE'],
    ['ssh with a shell', 'ssh host sh -s <<E\n./deploy.sh $1\nE'],
    ['watch', 'watch "$1"'],
    ['parallel', 'parallel "./argv.sh $1"'],
    ['at', 'echo "./argv.sh $1" | at now'],
    ['batch', 'batch <<E\n./argv.sh $1\nE'],
    ['tmux', 'tmux new-session -d "./argv.sh $1"'],
    ['crontab', 'echo "* * * * * ./argv.sh $1" | crontab -'],
    ['python', 'python3 -c "print(\'$1\')"'],
    ['python -W', 'python3 -W ignore -c "$1"'],
    ['python attached', 'python3 -c"$1"'],
    ['python by input', 'echo "$1" | python3'],
    ['python by a document', 'python3 - <<E\nprint("$1")\nE'],
    ['node -e', 'node -e "console.log(\'$1\')"'],
    ['node --eval=', 'node --eval="$1"'],
    ['node -r', 'node -r dotenv/config -e "$1"'],
    ['node by input', 'node <<E\nconsole.log("$1")\nE'],
    ['perl -e', 'perl -e "print \'$1\'"'],
    ['perl -pi -e', 'perl -pi -e "s/x/$1/" file'],
    ['perl -i -pe', 'perl -i.bak -pe "s/x/$1/" file'],
    ['perl -e attached', 'perl -e"$1"'],
    ['perl twice', 'perl -e 1 -e "$1"'],
    ['ruby', 'ruby -rjson -e "puts \'$1\'"'],
    ['php', 'php -d x=1 -r "echo \'$1\';"'],
    ['lua', 'lua -e "$1"'],
    ['awk', 'awk "/$1/ {print}" file'],
    ['awk -F', 'awk -F: "\\$1 == \\"$1\\"" file'],
    ['awk with -v', 'awk -v x=1 "{print $1}" file'],
    ['gawk -e', 'gawk -e "$1" file'],
    ['gawk --source', 'gawk --source="$1" file'],
    ['awk -f', 'awk -f "$1" file'],
    ['awk by input', 'echo "$1" | awk -f - file'],
    ['sed', 'sed "s/x/$1/" file'],
    ['sed -i', 'sed -i "s/x/$1/" file'],
    ['sed -e', 'sed -e "s/x/$1/" file'],
    ['sed -ne', 'sed -ne "s/x/$1/p" file'],
    ['sed --expression', 'sed --expression="s/x/$1/" file'],
    ['sed twice', 'sed -e s/a/b/ -e "s/x/$1/" file'],
    ['sed by variable', 'x="s/a/$1/"; sed "$x" file'],
    ['psql', 'psql -c "select \'$1\'"'],
    ['psql by input', 'echo "select \'$1\'" | psql app'],
    ['mysql', 'mysql -e "select \'$1\'" app'],
    ['sqlite3', 'sqlite3 app.db "select \'$1\'"'],
    ['read', 'read -r "$1" <file; ./argv.sh'],
    ['unset', 'unset "$1"; ./argv.sh'],
    ['printf -v', 'printf -v "$1" x'],
    ['declare', 'declare -n x="$1"; declare "$1=x"'],
    ['make SHELL', 'make SHELL="$1"'],
    ['git ssh', 'GIT_SSH_COMMAND="ssh $1" git fetch'],
    ['here-string', 'bash <<<"$1"'],
    ['a pipe of two', 'printf %s "$1" | tr a b | sh -e'],
    ['tee', 'echo "$1" | tee x | sudo bash'],
    ['process substitution', 'bash <(echo "$1")'],
    ['source of a process', '. <(echo "$1")'],
    ['exec with a fixed beginning', 'exec "$1" --flag'],
    ['a coprocess', 'coproc sh -c "$1"'],
    ['a group', '{ sh -c "$1"; } || ( bash -c "$1" )'],
    ['a case', 'case a in (a) sh -c "$1" ;; esac'],
    ['a time', 'time sh -c "$1"'],
    ['nohup', 'nohup sh -c "./argv.sh $1" &\nwait'],
    ['nice -n', 'nice -n 5 "$1"'],
    ['strace', 'strace -f "$1"'],
    ['gosu', 'gosu deploy "$1"'],
    ['unshare', 'unshare -r "$1"'],
    ['systemd-run', 'systemd-run --user sh -c "$1"'],
    ['kubectl', 'kubectl exec pod -- sh -c "./argv.sh $1"'],
    ['docker compose', 'docker compose exec web bash -lc "./argv.sh $1"'],
    ['chroot', 'chroot /srv sh -c "$1"'],
    ['LD_PRELOAD', 'export LD_PRELOAD="$1"; ./argv.sh'],
    ['git -c', 'git -c "core.sshCommand=$1" fetch'],
    ['git -C -c', 'git -C /srv -c "$1" fetch'],
    ['git --upload-pack', 'git fetch --upload-pack="$1" origin'],
    ['git --receive-pack', 'git push --receive-pack "$1" origin'],
    ['tar', 'tar --checkpoint=1 --checkpoint-action="$1" -cf a.tar .'],
    ['tar -I', 'tar -I "$1" -xf a.tar'],
    ['tar --to-command', 'tar --to-command "$1" -xf a.tar'],
    ['rsync -e', 'rsync -ae "$1" . host:/srv'],
    ['rsync --rsh', 'rsync --rsh="$1" . host:/srv'],
    ['scp', 'scp -o "ProxyCommand=$1" a host:'],
    ['sort', 'sort --compress-program="$1" big'],
    ['make --eval', 'make --eval="$1"'],
    ['make -f', 'make -f "$1"'],
    ['docker --entrypoint', 'docker run --entrypoint "$1" app'],
    ['mongosh', 'mongosh --eval "$1"'],
    ['gcloud', 'gcloud compute ssh host --command="$1"'],
    ['a written script', 'echo "$1" > x.sh; sh x.sh'],
    ['a written script, dotted', 'echo "$1" >x.sh && . ./x.sh'],
    ['a written script, run', 'printf %s "$1" >x.sh; chmod +x x.sh; ./x.sh'],
    ['a written script, read', 'printf %s "$1" >x.sh; sh <x.sh'],
    ['a written script, by tee', 'echo "$1" | tee -a /tmp/x.sh >/dev/null; bash /tmp/x.sh'],
    ['a written script, by a document', 'cat >x.py <<E\nprint("$1")\nE\npython3 x.py'],
    ['a written script, by a variable', 'f=$(mktemp); echo "$1" >"$f"; sh "$f"'],
    ['a written script, in a group', '{ echo "$1" >x.sh; } && ( source x.sh )'],
    ['a written environment', 'echo "TAG=$1" >.env; set -a; . ./.env'],
    ['a written query', 'echo "$1" >q.sql; psql -f q.sql'],
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
    ['set -f; for x in $1; do ./argv.sh "$x"; done'],
    ['"./jobs/$1.sh"'],
    ['make deploy TAG="$1"'],
    ['./generate.sh "$1" >x.sh; sh x.sh'],
    ['S=bash; $S -c "$1"'],
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

  it('may stand where quotes do not help if its pattern allows only plain characters', () => {
    const texts = [
      './argv.sh $(( $1 + 1 ))',
      'ssh host "./deploy.sh $1"',
      `./argv.sh "\${HOME:$1}"`,
      '[[ "$1" -eq 1 ]] && ./argv.sh',
    ]
    for (const text of texts) {
      for (const pattern of ['[a-z0-9-]+', '\\d{1,3}', 'v[0-9]+(?:\\.[0-9]+)*', 'main|dev']) {
        expect(verdictOf(text, { command_arguments: [{ ...value, pattern }] })).toBe('accepted')
      }
      for (const pattern of ['.+', '[^;]+', '\\S+', '[a-z ]+', '[!-~]+', 'a\\$b', '[[:print:]]+']) {
        expect(verdictOf(text, { command_arguments: [{ ...value, pattern }] })).toBe('refused')
      }
    }
    const pattern = '[a-z]+'
    expect(verdictOf('./argv.sh $1', { command_arguments: [{ ...value, pattern }] })).toBe(
      'refused',
    )
    const env = { N: { source: 'data.q', pattern: '\\d+' } }
    expect(verdictOf('./argv.sh $((N + 1))', { env })).toBe('accepted')
  })

  it('is refused with what to write instead', () => {
    expect(problemOf('./argv.sh $1')).toContain('write "$1"')
    expect(problemOf(`./argv.sh \${1:-x}`)).toContain(`write "\${1:-x}"`)
    expect(problemOf('./argv.sh $(basename "$1")')).toContain('write "$(basename "$1")"')
    expect(problemOf('eval "$1"')).toContain('eval evaluates "$1" as shell text')
    expect(problemOf('ssh host "$1"')).toContain('a pattern that allows only safe characters')
    expect(problemOf('awk "/$1/" f')).toContain('pass the value to it as a parameter')
    expect(problemOf('echo "$1" >x.sh; sh x.sh')).toContain('pass the value to the script')
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
