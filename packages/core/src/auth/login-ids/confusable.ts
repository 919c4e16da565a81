/** Scripts in daily use; a name may be written in each together with digits and signs of ASCII. @see UAX #31, table 5 */
const singleScripts =
  'Latin Cyrillic Greek Armenian Georgian Hebrew Arabic Thaana Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu ' +
  'Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Ethiopic'
/** Scripts that are written together. @see UTS #39, "highly restrictive" */
const scriptsTogether = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]
/** Of no script alone, but at home in these. */
const sharedCharacters: Readonly<Record<string, string>> = { Arabic: '٠-٩', Katakana: 'ー' }

const writingSystems = [
  ...singleScripts.split(' ').map((script) => [script]),
  ...scriptsTogether,
].map((scripts) => {
  const members = scripts.map((script) => `\\p{sc=${script}}${sharedCharacters[script] ?? ''}`)
  return new RegExp(`^[!-@[-\`{-~\\p{sc=Inherited}${members.join('')}]*$`, 'u')
})

/** Letters that look like a Latin one, by script: words of them alone are read as Latin. */
const lookAlikes = [
  'аԁеһіјӏорԛѕԝхусѵАВЕЅІЈӀКМНОРСТХУҮԚԜ',
  'αγικνορυχωητϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧ',
  'ոսօհզյցգքւՍՕ',
].map((letters) => new RegExp(`^[!-@[-\`{-~${letters}]*$`, 'u'))

/**
 * Whether a name may be taken for another one: it mixes scripts that are not written together, or is in none of those
 * in daily use; it mixes digits of several sorts; or it consists of letters that look like Latin ones, as `раура`.
 * Names of ASCII alone never are. What looks alike within one script is not found.
 *
 * @see UTS #39, sections 4 and 5
 */
export function isConfusable(name: string): boolean {
  if (/^\p{ASCII}*$/u.test(name)) return false
  const isMixed = !writingSystems.some((system) => system.test(name))
  const mixesDigits = /\d/.test(name) && /(?!\d)\p{Nd}/u.test(name)
  return isMixed || mixesDigits || lookAlikes.some((script) => script.test(name))
}
