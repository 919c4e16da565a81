/**
 * Which grammar matchers are read with, and so which label names are legal: `fallback` tries both and
 * prefers the classic reading where they differ, `utf8` allows any name of UTF-8, `classic` only
 * `[a-zA-Z_][a-zA-Z0-9_]*`.
 *
 * @see Alertmanager, feature flags `classic-mode` and `utf8-strict-mode`
 */
export type MatcherMode = 'fallback' | 'utf8' | 'classic'
