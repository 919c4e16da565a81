import { Button, type ButtonProps, Menu } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { May } from '../data/me.ts'
import { client } from '../data/services.ts'
import { useTexts } from '../texts/texts.ts'
import { readDuration } from '../time/durations.ts'
import { AllowedButton } from '../widgets/may-button.tsx'

const extensions = ['30m', '1h', '8h', '1d']

/** Lets a silence end later. */
export function ExtendMenu({
  id,
  may,
  ...props
}: { id: string; may: May } & Pick<ButtonProps, 'size' | 'variant'>): ReactNode {
  const { silences } = useTexts()
  const queries = useQueryClient()
  const extend = useMutation({
    mutationFn: (byMs: number) => client.silences.extend({ silenceId: id, byMs }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['silences'] }),
  })
  if (!may.allowed) {
    return (
      <AllowedButton may={may} {...props}>
        {silences.extend}
      </AllowedButton>
    )
  }
  return (
    <Menu>
      <Menu.Target>
        <Button {...props} loading={extend.isPending}>
          {extend.error === null ? silences.extend : silences.extendFailed}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {extensions.map((duration) => (
          <Menu.Item key={duration} onClick={() => extend.mutate(readDuration(duration) ?? 0)}>
            {silences.extendBy(duration)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
