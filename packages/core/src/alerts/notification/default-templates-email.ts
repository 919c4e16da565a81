/** An HTML email with tables and inline styles, which mail programs support; dark text on a light background. */
export const emailTemplate = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>{{ template "__subject" . }}</title>
</head>
<body style="margin: 0; padding: 0; background-color: #f2f4f7;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color: #f2f4f7;">
<tr>
<td align="center" style="padding: 24px 12px;">
<table role="presentation" width="640" cellpadding="0" cellspacing="0" border="0" style="width: 100%; max-width: 640px; background-color: #ffffff; border: 1px solid #d9dee7; font-family: Helvetica, Arial, sans-serif; font-size: 14px; line-height: 20px; color: #1b2430;">
<tr>
{{- if .Alerts.Firing }}
<td style="padding: 16px 24px; background-color: #b3261e; color: #ffffff; font-size: 18px; line-height: 24px; font-weight: bold;">
{{- else }}
<td style="padding: 16px 24px; background-color: #1b6e3c; color: #ffffff; font-size: 18px; line-height: 24px; font-weight: bold;">
{{- end }}
{{ len .Alerts }} alert{{ if ne (len .Alerts) 1 }}s{{ end }}
{{- range .GroupLabels.SortedPairs }} for {{ .Name }}={{ .Value }}{{ end }}: {{ .Status }}
</td>
</tr>
<tr>
<td style="padding: 20px 24px 4px;">
<table role="presentation" cellpadding="0" cellspacing="0" border="0">
<tr>
<td style="background-color: #22518c; border-radius: 4px;"><a href="{{ template "__alertmanagerURL" . }}" style="display: inline-block; padding: 10px 18px; color: #ffffff; font-weight: bold; text-decoration: none;">View in Alertmanager</a></td>
</tr>
</table>
</td>
</tr>
{{- with .Alerts.Firing }}
<tr>
<td style="padding: 16px 24px 0; font-size: 16px; font-weight: bold; color: #b3261e;">{{ len . }} firing</td>
</tr>
{{- template "__email_alert_list" . }}
{{- end }}
{{- with .Alerts.Resolved }}
<tr>
<td style="padding: 16px 24px 0; font-size: 16px; font-weight: bold; color: #1b6e3c;">{{ len . }} resolved</td>
</tr>
{{- template "__email_alert_list" . }}
{{- end }}
<tr>
<td style="padding: 20px 24px; color: #5b6675; font-size: 12px;"><a href="{{ .ExternalURL }}" style="color: #22518c;">Sent by {{ template "__alertmanager" . }}</a></td>
</tr>
</table>
</td>
</tr>
</table>
</body>
</html>
`

/** The part of the email about each alert of a list. */
export const emailAlertList = `{{ range . }}
<tr>
<td style="padding: 12px 24px 0;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-top: 1px solid #d9dee7;">
<tr>
<td style="padding-top: 12px; word-break: break-word;">
<strong>Labels</strong><br>
{{- range .Labels.SortedPairs }}
<strong>{{ .Name }}</strong> = {{ .Value }}<br>
{{- end }}
{{- with .Annotations.SortedPairs }}
<br><strong>Annotations</strong><br>
{{- range . }}
<strong>{{ .Name }}</strong> = {{ .Value }}<br>
{{- end }}
{{- end }}
{{- with .GeneratorURL }}
<br><a href="{{ . }}" style="color: #22518c;">Source</a>
{{- end }}
</td>
</tr>
</table>
</td>
</tr>
{{- end }}`
