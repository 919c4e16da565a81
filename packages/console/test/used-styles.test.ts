import { describe, expect, it } from 'vitest'
import { usedStyles } from '../drop-unused-styles.ts'

describe('usedStyles', () => {
  const used = new Set(['m_1a'])

  it.each([
    ['.m_1a{a:b}', '.m_1a{a:b}'],
    ['.m_2b{a:b}', ''],
    ['.m_2b:hover,.m_3c>a{a:b}.own{c:d}', '.own{c:d}'],
    ['.m_2b .m_1a{a:b}', '.m_2b .m_1a{a:b}'],
    ['@media print{.m_2b{a:b}.m_1a{a:b}}', '@media print{.m_1a{a:b}}'],
    ['@media print{.m_2b{a:b}}.own{a:b}', '.own{a:b}'],
    ['@charset "utf-8";.m_2b{a:b}', '@charset "utf-8";'],
    ['@keyframes m_9f{0%{a:b}to{c:d}}', '@keyframes m_9f{0%{a:b}to{c:d}}'],
    ['.own{a:b;c:d}.m_2b{a:b}', '.own{a:b;c:d}'],
  ])('keeps of %j just %j', (css, kept) => {
    expect(usedStyles(css, used)).toBe(kept)
  })
})
