/**
 * What a launcher executes: a shell that starts one command after the other. It is given the number that it goes by; the
 * folder in which it makes the pipes for the outputs, and which it removes if the process it serves is gone; and what it is
 * itself, its program and this text. What to run comes in lines on its standard input, the first character of which
 * says what the rest is:
 *
 * - `n`: there are no words; `a`: the next word of the command, the first of them its program, by an absolute path
 * - `e`: a variable to set, as `NAME=value`; `u`: the name of one to unset; `i` and `o`: the values of the two that are others
 *   for each command, as a shell takes long to read a line
 * - `d`: the folder to go to
 * - `r`: run it, and say with which status it ended
 * - `x`: begin anew as a fresh shell; `q`: that is all
 *
 * The words, the variables and the folder stay as they are from one command to the next. The rest of a line is only
 * ever the value of something, in quotes: no shell reads it.
 *
 * When it can read no more, it says so: whoever hears that ends it, and if nobody is there to hear it, it removes the folder.
 *
 * Signals are caught by a command that does nothing, which no started program inherits, so that a command which signals
 * its own group does not end the launcher. Each output is opened to read and write first, on a descriptor that is closed
 * again: to open it just to write would wait for ever if its reader were gone.
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
