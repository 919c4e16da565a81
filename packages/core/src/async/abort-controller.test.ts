import { expect, it, vi } from 'vitest'
import { createAbortController } from './abort-controller.ts'

it('many listeners of one signal cause no warning', () => {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
  const { signal } = createAbortController()
  for (let count = 0; count < 20; count++) signal.addEventListener('abort', () => {})
  expect(warn).not.toHaveBeenCalled()
  warn.mockRestore()
})
