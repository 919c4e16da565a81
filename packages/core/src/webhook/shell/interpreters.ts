/** A program that executes texts. */
export interface Interpreter {
  readonly name: RegExp
  /** Options with a text that it executes, or with a command that it runs. */
  readonly code?: RegExp
  /** Options before its first operand that it executes, or that say what it runs. */
  readonly globalCode?: RegExp
  /** Letters of options that take a word. */
  readonly takes?: string
  /** Its first operand: a script, or a text that it executes unless an option has one. */
  readonly operand?: 'script' | 'code'
  /** The number of other operands before that one. */
  readonly before?: number
  /** Whether it executes its standard input if no operand and no option says what else. */
  readonly reads?: boolean
  /** Whether operands may precede options. */
  readonly mixes?: boolean
}

/** Shells, and what is like one. */
export const shells: RegExp = /^(?:(?:ba|da|a|z|k|mk|pdk|lk|ya|po|rba|c|tc|fi)?sh|pwsh)$/
export const interpreters: readonly Interpreter[] = [
  {
    name: shells,
    code: /^(?:[-+][A-Za-z]*c[A-Za-z]*|-[Cc]ommand|--command)$/,
    takes: 'oO',
    operand: 'script',
    reads: true,
  },
  { name: /^(?:su|runuser|script|flock|sg)$/, code: /^(?:-[A-Za-z]*c|--command)$/, mixes: true },
  {
    name: /^(?:python|pypy)[\d.]*$/,
    code: /^-[A-Za-z]*c$/,
    takes: 'WXQ',
    operand: 'script',
    reads: true,
  },
  {
    name: /^(?:node|nodejs|deno|bun)$/,
    code: /^(?:-[ep]|-pe|--eval|--print|eval)$/,
    takes: 'rC',
    operand: 'script',
    reads: true,
  },
  {
    name: /^perl[\d.]*$/,
    code: /^-[A-Za-z0-9.]*[eE]$/,
    takes: 'I',
    operand: 'script',
    reads: true,
  },
  { name: /^ruby[\d.]*$/, code: /^-[A-Za-z0-9]*e$/, takes: 'IrCE', operand: 'script', reads: true },
  {
    name: /^php[\d.]*$/,
    code: /^(?:-[rBRE]|--run)$/,
    takes: 'dcz',
    operand: 'script',
    reads: true,
  },
  {
    name: /^(?:lua|luajit|Rscript|osascript|guile|elixir)[\d.]*$/,
    code: /^-[ec]$/,
    takes: 'l',
    operand: 'script',
    reads: true,
  },
  { name: /^(?:tclsh|expect)[\d.]*$/, code: /^-c$/, operand: 'script', reads: true },
  { name: /^env$/, code: /^(?:-[A-Za-z]*S|--split-string)$/, takes: 'uC' },
  { name: /^[gmn]?awk$/, code: /^(?:-e|--source)$/, takes: 'vFf', operand: 'code' },
  { name: /^g?sed$/, code: /^(?:-[A-Za-z]*e|--expression)$/, takes: 'lf', operand: 'code' },
  {
    name: /^psql$/,
    code: /^(?:-[A-Za-z]*c|--command)$/,
    takes: 'dhpUvofLFRPT',
    reads: true,
    mixes: true,
  },
  { name: /^(?:mysql|mariadb)$/, code: /^(?:-[A-Za-z]*e|--execute)$/, reads: true, mixes: true },
  { name: /^sqlite3$/, operand: 'code', before: 1, reads: true },
  { name: /^(?:at|batch)$/, takes: 'qft', reads: true, mixes: true },
  { name: /^crontab$/, takes: 'u', reads: true, mixes: true },
  {
    name: /^(?:groovy|julia|octave|scala|swipl|emacs|ghc)$/,
    code: /^(?:-[eEg]|--eval)$/,
    mixes: true,
  },
  { name: /^(?:ex|n?vim?|view)$/, code: /^(?:-c|--cmd)$/, mixes: true },
  { name: /^(?:gdb|lldb)$/, code: /^(?:--?ex|--?eval-command|-[oO])$/, mixes: true },
  { name: /^(?:mongo|mongosh)$/, code: /^--eval$/, reads: true, mixes: true },
  { name: /^clickhouse(?:-client)?$/, code: /^(?:-q|--query)$/, reads: true, mixes: true },
  { name: /^duckdb$/, code: /^-(?:c|cmd|s)$/, operand: 'code', before: 1, reads: true },
  // The rest run a command that an option names.
  {
    name: /^git$/,
    code: /^--(?:config|config-env|exec-path|(?:upload|receive)-pack)$/,
    globalCode: /^-c$/,
    takes: 'C',
    mixes: true,
  },
  {
    name: /^(?:bsd|g)?tar$/,
    code: /^(?:-[IF]|--(?:checkpoint-action|use-compress-program|to-command|info-script|new-volume-script|rsh-command|rmt-command))$/,
    mixes: true,
  },
  { name: /^rsync$/, code: /^(?:-[A-Za-z]*e|--rsh|--rsync-path)$/, mixes: true },
  { name: /^(?:scp|sftp)$/, code: /^-[oSF]$/, mixes: true },
  { name: /^g?sort$/, code: /^--compress-program$/, mixes: true },
  { name: /^zip$/, code: /^(?:-TT|--unzip-command)$/, mixes: true },
  { name: /^g?make$/, code: /^(?:-f|--eval|--file|--makefile)$/, mixes: true },
  { name: /^man$/, code: /^(?:-P|--pager)$/, mixes: true },
  { name: /^(?:nc|ncat|netcat)$/, code: /^(?:-[ec]|--(?:sh-)?exec)$/, mixes: true },
  { name: /^start-stop-daemon$/, code: /^(?:-[xa]|--exec|--startas)$/, mixes: true },
  { name: /^(?:docker|podman)$/, code: /^--entrypoint$/, mixes: true },
  { name: /^(?:vagrant|gcloud)$/, code: /^(?:-c|--command)$/, mixes: true },
]
