import { isClientError, type ListedWebhook } from '@gatehouse/client'
import { Alert, Button, Group, PasswordInput, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { startRun } from '../../data/start-run.ts'
import { rememberRun, valuesOfRun } from '../../data/webhooks.ts'
import {
  fieldProblem,
  isData,
  type RunField,
  runFields,
  runRequest,
  takesData,
} from '../../runs/run-fields.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../widgets/icon.tsx'
import { Failure } from '../../widgets/states.tsx'
import classes from './webhooks-page.module.css'

/** Runs a webhook with values for its command. The server's refusals are shown at their field. */
export function RunForm({
  webhook,
  again,
  onStarted,
}: {
  webhook: ListedWebhook
  /** The id of a run whose values it has at first; empty for none. */
  again: string
  onStarted: (runId: string) => void
}): ReactNode {
  const { webhooks: texts } = useTexts()
  const queries = useQueryClient()
  const fields = runFields(webhook)
  const before = valuesOfRun(again)
  const [values, setValues] = useState(before?.values ?? {})
  const [json, setJson] = useState(before?.json ?? '')
  const [token, setToken] = useState('')
  const [wasSent, setSent] = useState(false)
  const needsToken = !webhook.actions.includes('webhooks:run')
  const start = useMutation({
    mutationFn: () => startRun(webhook, runRequest(fields, { values, json }), token),
    onSuccess: async (runId) => {
      if (runId === undefined) return
      rememberRun(runId, { values, json })
      await queries.invalidateQueries({ queryKey: ['runs'] })
      onStarted(runId)
    },
  })
  const writable = fields.filter(({ place }) => place !== 'elsewhere' && place !== 'whole')
  const others = fields.filter(({ place }) => place === 'elsewhere')
  const hasData = takesData(webhook, fields)
  const refused = refusedField(start.error)
  const problemOf = (field: RunField): string | undefined => {
    if (refused?.source === field.source) return refused.message
    const problem = wasSent ? fieldProblem(field, values[field.source] ?? '') : undefined
    return problem && texts.problem(problem)
  }
  const isComplete =
    writable.every((field) => fieldProblem(field, values[field.source] ?? '') === undefined) &&
    isData(json) &&
    (!needsToken || token !== '')
  const isWrongToken = isClientError(start.error, 'invalid_token')
  const isAtField =
    (needsToken && isWrongToken) || writable.some(({ source }) => source === refused?.source)
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setSent(true)
        if (isComplete) start.mutate()
      }}
    >
      {again !== '' && before === undefined && fields.length > 0 && (
        <p className={classes.note}>{texts.againDetail}</p>
      )}
      {writable.length === 0 && !hasData && <p className={classes.note}>{texts.noValues}</p>}
      {writable.map((field, index) => (
        <ValueField
          key={field.source}
          field={field}
          isFirst={index === 0}
          value={values[field.source] ?? ''}
          problem={problemOf(field)}
          onChange={(value) => {
            if (refused?.source === field.source) start.reset()
            setValues({ ...values, [field.source]: value })
          }}
        />
      ))}
      {hasData && <DataField value={json} onChange={setJson} />}
      {others.length > 0 && (
        <p className={classes.note}>
          {texts.elsewhere(others.map(({ source }) => source).join(', '))}
        </p>
      )}
      {needsToken && (
        <TokenField
          value={token}
          isMissing={wasSent && token === ''}
          isWrong={isWrongToken}
          onChange={setToken}
        />
      )}
      {start.error !== null && !isAtField && <Failure error={start.error} />}
      {start.isSuccess && start.data === undefined && <Skipped />}
      <Group justify="flex-end">
        <Button
          type="submit"
          loading={start.isPending}
          leftSection={<Icon name="play" size={14} />}
          {...(writable.length === 0 && !hasData && { 'data-autofocus': true })}
        >
          {texts.run}
        </Button>
      </Group>
    </form>
  )
}

/** Says that the rules of the webhook wanted no run. */
function Skipped(): ReactNode {
  const { webhooks: texts } = useTexts()
  return (
    <Alert color="yellow" role="status" icon={<Icon name="warning" />}>
      {texts.skipped}
    </Alert>
  )
}

/** The whole data, as JSON. */
function DataField({
  value,
  onChange,
}: {
  value: string
  onChange: (value: string) => void
}): ReactNode {
  const { webhooks: texts } = useTexts()
  return (
    <Textarea
      className={classes.code ?? ''}
      label={texts.data}
      description={texts.dataDetail}
      autosize
      minRows={3}
      maxRows={14}
      spellCheck={false}
      value={value}
      error={isData(value) ? undefined : texts.badData}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

/** The token of the webhook, for who may not run it otherwise. */
function TokenField({
  value,
  isMissing,
  isWrong,
  onChange,
}: {
  value: string
  isMissing: boolean
  isWrong: boolean
  onChange: (value: string) => void
}): ReactNode {
  const { webhooks: texts } = useTexts()
  const refusal = isWrong ? texts.wrongToken : undefined
  return (
    <PasswordInput
      label={texts.tokenOfWebhook}
      autoComplete="off"
      required
      value={value}
      error={isMissing ? texts.problem({ kind: 'required' }) : refusal}
      visibilityToggleButtonProps={{ 'aria-label': texts.showToken }}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

function ValueField({
  field,
  isFirst,
  value,
  problem,
  onChange,
}: {
  field: RunField
  isFirst: boolean
  value: string
  problem: string | undefined
  onChange: (value: string) => void
}): ReactNode {
  const { webhooks: texts } = useTexts()
  const { source, inputs, isRequired, default: fallback } = field
  const patterns = [...new Set(inputs.flatMap(({ pattern }) => pattern ?? []))]
  const about = [
    inputs.map(({ use, name }) => texts.uses[use](name)).join(', '),
    ...(isRequired || fallback !== undefined ? [] : [texts.optional]),
    ...(fallback === undefined ? [] : [texts.ifEmpty(fallback)]),
    ...patterns.map((pattern) => texts.fits(pattern)),
  ]
  const props = {
    label: <bdi>{source}</bdi>,
    description: <bdi>{about.join(' · ')}</bdi>,
    required: isRequired,
    value,
    error: problem,
    spellCheck: false,
    autoComplete: 'off',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange(currentTarget.value),
    ...(isFirst && { 'data-autofocus': true }),
  }
  const isLong = inputs.some(({ use }) => use === 'file')
  return isLong ? (
    <Textarea autosize minRows={3} maxRows={10} {...props} />
  ) : (
    <TextInput {...props} />
  )
}

/** The source of the value that the server refused, and its words. */
function refusedField(
  error: unknown,
): { readonly source: unknown; readonly message: string } | undefined {
  if (!isClientError(error, 'argument_missing', 'argument_rejected')) return undefined
  return { source: Object(error.body).source, message: error.message }
}
