/** Scripts in daily use. A name may combine one of them with ASCII digits and punctuation. @see UAX #31, table 5 */
const singleScripts =
  'Latin Cyrillic Greek Armenian Georgian Hebrew Arabic Thaana Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu ' +
  'Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Ethiopic'
/** Scripts that are written together. @see UTS #39, "highly restrictive" */
const scriptsTogether = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]
/** Characters of the script "Common" that are used with these scripts. */
const sharedCharacters: Readonly<Record<string, string>> = { Arabic: '٠-٩', Katakana: 'ー' }

const writingSystems = [
  ...singleScripts.split(' ').map((script) => [script]),
  ...scriptsTogether,
].map((scripts) => {
  const members = scripts.map((script) => `\\p{sc=${script}}${sharedCharacters[script] ?? ''}`)
  return new RegExp(`^[!-@[-\`{-~\\p{sc=Inherited}${members.join('')}]*$`, 'u')
})

/** Letters that look like Latin ones, by script: words made only of them are read as Latin. */
const lookAlikes = [
  'аԁеһіјӏорԛѕԝхусѵАВЕЅІЈӀКМНОРСТХУҮԚԜ',
  'αγικνορυχωητϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧ',
  'ոսօհզյցգքւՍՕ',
].map((letters) => new RegExp(`^[!-@[-\`{-~${letters}]*$`, 'u'))

/**
 * Whether a name can be mistaken for another: it mixes scripts that are not written together, or is not in a script of daily use;
 * it mixes several kinds of digits; or it consists of letters that look like Latin ones, as `раура`. ASCII names are never
 * confusable. Look-alikes within one script are not detected.
 *
 * @see UTS #39, sections 4 and 5
 */
export function isConfusable(name: string): boolean {
  if (/^\p{ASCII}*$/u.test(name)) return false
  const isMixed = !writingSystems.some((system) => system.test(name))
  const mixesDigits = /\d/.test(name) && /(?!\d)\p{Nd}/u.test(name)
  return isMixed || mixesDigits || lookAlikes.some((script) => script.test(name))
}
