// Checks that the commands and flags that documents show exist.

/** What a document writes as code: lines of blocks, joined where a backslash ends one, and words in a sentence. */
function codeOf(text) {
  const blocks = [...text.matchAll(/^```(?:sh|text|console)\n([\s\S]*?)^```/gm)]
  const lines = blocks.flatMap(([, block]) => block.replaceAll('\\\n', ' ').split('\n'))
  const inline = text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`]+)`/g)
  return [...lines, ...[...inline].map(([, code]) => code.replaceAll('\n', ' '))]
}

/** The words after `gatehouse`, which stands first, after a prompt, or after another command. */
const callsIn = (text) =>
  codeOf(text).flatMap((code) =>
    [...code.matchAll(/(?:^|[|&;(] *|^\$ )gatehouse ([a-z][^|#;)]*)/g)].map(([, call]) => call),
  )

/** The word of a call that does not exist. */
function unknownWord(call, commands) {
  const words = call.trim().split(/\s+/)
  let command
  let below = commands
  for (const word of words) {
    const next = below.find((one) => one.name() === word)
    if (next === undefined) {
      if (below.length > 0 && /^[a-z-]+$/.test(word)) return word
      break
    }
    command = next
    below = next.commands
  }
  // Every command takes flags with dashes for dots, and its file by three names.
  const dashed = (flag) => flag.replaceAll('.', '-')
  const flags = command.options.flatMap(({ long }) => [
    dashed(long),
    `--no-${dashed(long.slice(2))}`,
  ])
  return words
    .filter((word) => /^--\w/.test(word))
    .map((word) => word.replace(/=.*/, ''))
    .find((flag) => !flags.includes(dashed(flag)) && !/^--(?:config|help$)/.test(flag))
}

/** A wrong call, which a document shows as such. */
const shownAsWrong = 'storage bogus'

/**
 * The problems of the calls in a document.
 *
 * @param document its name
 * @param commands those of `commander`
 */
export function unknownCalls(document, text, commands) {
  return callsIn(text)
    .filter((call) => call.trim() !== shownAsWrong)
    .map((call) => ({ call, word: unknownWord(call, commands) }))
    .filter(({ word }) => word !== undefined)
    .map(({ call, word }) => `${document}: gatehouse ${call.trim()}: there is no ${word}`)
}
