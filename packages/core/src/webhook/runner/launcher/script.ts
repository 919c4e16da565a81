/**
 * The script of a launcher: a shell that starts one command after the other. Its arguments are its number; the folder in which it
 * creates the pipes for the outputs, and which it removes if the process it serves is gone; and its own program and this text,
 * for restarts. It reads lines from its standard input. The first character of a line says what the rest is:
 *
 * - `n`: no words; `a`: the next word of the command, of which the first is the program with an absolute path
 * - `e`: a variable to set, as `NAME=value`; `u`: the name of a variable to unset; `i` and `o`: the values of the two variables that
 *   differ for each command, because a shell reads a line slowly
 * - `d`: the folder to change to
 * - `r`: run the command, and report its exit status
 * - `x`: restart as a fresh shell; `q`: quit
 *
 * The words, the variables and the folder persist from one command to the next. The rest of a line is only used as a quoted
 * value: no shell evaluates it.
 *
 * At the end of its input, it reports `gone` every second. The process it serves then ends it; if that process is gone too, writing
 * fails, and it removes the folder.
 *
 * A command that does nothing traps signals, which started programs do not inherit, so that a command that signals its own group
 * does not end the launcher. Each output is opened for reading and writing first, on a descriptor that is closed again: opening it
 * only for writing would block forever if its reader were gone.
 */
export const launcherScript = `
trap : HUP INT QUIT ALRM TERM USR1 USR2 PIPE
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
gatehouse_id=$1 gatehouse_folder=$2 gatehouse_shell=$3 gatehouse_script=$4
gatehouse_out=$2/$1.stdout gatehouse_err=$2/$1.stderr
set --
[ -p "$gatehouse_err" ] || mkfifo -m 600 "$gatehouse_out" "$gatehouse_err" || exit
unset PATH PWD OLDPWD
IFS=
echo "$gatehouse_id ready"
while read -r gatehouse_line; do
  case $gatehouse_line in
    i*) export "GATEHOUSE_RUN_ID=\${gatehouse_line#i}" ;;
    o*) export "GATEHOUSE_REQUEST_ID=\${gatehouse_line#o}" ;;
    n) set -- ;;
    a*) set -- "$@" "\${gatehouse_line#a}" ;;
    e*) export "\${gatehouse_line#e}" ;;
    u*) unset "\${gatehouse_line#u}" ;;
    d*) cd -P -- "\${gatehouse_line#d}" && unset PWD OLDPWD || exit ;;
    r)
      [ -p "$gatehouse_out" ] && [ -p "$gatehouse_err" ] || exit
      "$@" </dev/null 9<>"$gatehouse_out" >"$gatehouse_out" 9<>"$gatehouse_err" 2>"$gatehouse_err" 9>&-
      echo "$gatehouse_id $?" ;;
    x) exec "$gatehouse_shell" -c "$gatehouse_script" gatehouse "$gatehouse_id" "$gatehouse_folder" \\
         "$gatehouse_shell" "$gatehouse_script" ;;
    *) exit ;;
  esac
done
while echo "$gatehouse_id gone"; do /bin/sleep 1 </dev/null >/dev/null; done
exec /bin/rm -rf -- "$gatehouse_folder"
`

/** The letter for a variable that changes with each command. */
export const letterOf: ReadonlyMap<string, string> = new Map([
  ['GATEHOUSE_RUN_ID', 'i'],
  ['GATEHOUSE_REQUEST_ID', 'o'],
])

/** Variables with a meaning to the shell itself, or to the script. */
const own =
  /^(?:gatehouse_.*|IFS|OPTIND|OPTARG|LINENO|PPID|RANDOM|SECONDS|EPOCHSECONDS|EPOCHREALTIME)$/

const variable = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Whether a launcher can set a variable for commands without affecting itself. */
export function isLaunchable(name: string): boolean {
  return variable.test(name) && !own.test(name)
}
