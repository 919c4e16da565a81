import { expect, it } from 'vitest'
import { themeStyles } from './theme.ts'

it('has a value for every property, and both schemes', () => {
  const styles = themeStyles({})
  expect(styles).toContain('color-scheme: light dark;')
  expect(styles).toContain('--gh-accent: light-dark(#18181b, #fafafa);')
  expect(styles.match(/--gh-[\w-]+:/g)).toHaveLength(13)
})

it('uses a colour of a brand in both schemes, and one of a surface in its own', () => {
  const styles = themeStyles({
    accent: '#0b57d0',
    surface: '#fffdf5',
    scheme: 'dark',
    radius: '4px',
  })
  expect(styles).toContain('--gh-accent: light-dark(#0b57d0, #0b57d0);')
  expect(styles).toContain('--gh-surface: light-dark(#fffdf5, #18181b);')
  expect(styles).toContain('color-scheme: dark;')
  expect(styles).toContain('--gh-radius: 4px;')
  expect(themeStyles({ dark: { surface: 'black' } })).toContain('light-dark(#ffffff, black)')
})

it.each([
  'red; } body { display: none',
  'url(https://evil.example/x)',
  '</style>',
  'a\\62',
  '/* x',
  '',
])('refuses the value "%s"', (accent) => {
  expect(() => themeStyles({ accent })).toThrow(TypeError)
})
