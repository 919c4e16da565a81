const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The number of bytes of a text in UTF-8. A lone surrogate takes three, because it is written as U+FFFD. */
export function byteLength(text: string): number {
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) length += 1
    else if (unit < 0x800) length += 2
    else if (isPairAt(text, i)) {
      length += 4
      i += 1
    } else length += 3
  }
  return length
}

/** The number of code points of a text. */
export function runeCount(text: string): number {
  let count = text.length
  for (let i = 0; i < text.length; i++) {
    if (isPairAt(text, i)) count -= 1
  }
  return count
}

/** The first `count` code points of a text. */
export function firstRunes(text: string, count: number): string {
  if (text.length <= count) return text
  let end = 0
  for (let left = count; left > 0 && end < text.length; left--) end += isPairAt(text, end) ? 2 : 1
  return text.slice(0, end)
}

function isPairAt(text: string, index: number): boolean {
  const isHigh = (text.charCodeAt(index) & 0xfc00) === 0xd800
  return isHigh && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00
}

/** The bytes of a text from `start` to before `end`. Characters cut apart become U+FFFD. */
export function sliceBytes(text: string, start: number, end: number): string {
  return decoder.decode(encoder.encode(text).subarray(start, end))
}

/** The byte of a text at an index. */
export function byteAt(text: string, index: number): number | undefined {
  return encoder.encode(text)[index]
}
