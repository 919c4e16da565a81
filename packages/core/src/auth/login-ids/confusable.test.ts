import { describe, expect, it } from 'vitest'
import { isConfusable } from './confusable.ts'

describe('a confusable name', () => {
  it.each([
    ['Latin with a Cyrillic letter', 'pаypal'],
    ['Latin with a Greek letter', 'gοogle'],
    ['Cyrillic that looks like Latin', 'раурӏ'],
    ['the same with digits and punctuation', 'аре_42'],
    ['capitals that look like Latin', 'МОСТ'],
    ['Greek that looks like Latin', 'νιντ'],
    ['Armenian that looks like Latin', 'սոօ'],
    ['Cyrillic and Greek', 'жλ'],
    ['Cyrillic and Han', 'ж漢'],
    ['Hangul and kana', '한か'],
    ['an unused script', '𐤀𐤁'],
    ['Cherokee, with letters like Latin ones', 'ꭰꭱ'],
    ['a modifier letter like an apostrophe', 'oʼbrien'],
    ['Arabic stretched', 'كـتاب'],
    ['digits of two scripts', 'अ1१'],
    ['two kinds of Arabic digits', 'ع1٣'],
    ['digits of another script', 'maya१'],
  ])('is %s: %s', (_what, name) => {
    expect(isConfusable(name)).toBe(true)
  })

  it.each([
    ['nothing', ''],
    ['ASCII', "o'brien-1I|l0O"],
    ['Latin', 'josé_müller-straße'],
    ['Latin with a mark that does not combine', 'x\u0302y'],
    ['Cyrillic', 'мария-2'],
    ['Ukrainian', 'їжак'],
    ['Greek', 'σίσυφοσ'],
    ['Armenian', 'արամ'],
    ['Hebrew', 'נועה'],
    ['Arabic', 'محمد٣'],
    ['vowelled Arabic', 'مُحَمَّد'],
    ['Hindi', 'माया१'],
    ['Thai', 'สมชาย'],
    ['Japanese', 'マヤー々のsan'],
    ['Chinese', '瑪雅ㄇmaya88'],
    ['Korean', '마야瑪maya'],
    ['Amharic', 'ማያ'],
  ])('is not %s: %s', (_what, name) => {
    expect(isConfusable(name)).toBe(false)
  })
})
