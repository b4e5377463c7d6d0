{{- define "link-service.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "link-service.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "link-service.labels" -}}
{{ include "link-service.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* A test compares this list with the settings that the service treats as secrets. */}}
{{- define "link-service.secretNames" -}}
required: [DATABASE_URL, TOKEN_PEPPER, ENCRYPTION_KEY]
optional: [DATABASE_DIRECT_URL, REDIS_URL, TOKEN_PEPPER_PREVIOUS, ENCRYPTION_KEY_PREVIOUS, NOTICES, WEBHOOK_PROXY]
{{- end -}}

{{/* Environment of a container. Arguments: root, settings of the component, settings of the chart. */}}
{{- define "link-service.env" -}}
{{- $names := include "link-service.secretNames" .root | fromYaml -}}
{{- $secret := required "existingSecret is required: the name of a Secret with DATABASE_URL, TOKEN_PEPPER and ENCRYPTION_KEY." .root.Values.existingSecret -}}
{{- $fixed := dict "HOST" "0.0.0.0" "PORT" "3000" "METRICS_PORT" (toString .root.Values.metricsPort) "DATA_DIR" "/data" "PRINT_FIRST_TOKEN" "false" "PUBLIC_URL" (required "publicUrl is required, such as https://links.example." .root.Values.publicUrl) -}}
{{- /* toString would change large numbers, such as 1000000 to 1e+06. */ -}}
{{- range $name, $value := mergeOverwrite (deepCopy .root.Values.settings) .settings $fixed .chart }}
- name: {{ $name }}
  value: {{ ternary $value (toJson $value) (kindIs "string" $value) | quote }}
{{- end }}
{{- range $name := concat $names.required $names.optional }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $secret }}
      key: {{ $name }}
      {{- if has $name $names.optional }}
      optional: true
      {{- end }}
{{- end }}
{{- end -}}

{{- define "link-service.image" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  capabilities:
    drop: [ALL]
{{- end -}}

{{/* Fields of every pod. Arguments: root, component. */}}
{{- define "link-service.pod" -}}
{{- $root := .root -}}
{{- $component := .component -}}
automountServiceAccountToken: false
# Kubernetes would set variables with the names of services.
enableServiceLinks: false
serviceAccountName: {{ .root.Values.serviceAccountName }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.spreadOver }}
topologySpreadConstraints:
  {{- range . }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "link-service.selector" $root | nindent 8 }}
        app.kubernetes.io/component: {{ $component }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* The process stays alive without its database, so that it serves links from memory. */}}
{{- define "link-service.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: metrics }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: metrics }
  periodSeconds: 10
  timeoutSeconds: 3
  failureThreshold: 3
readinessProbe:
  httpGet: { path: /readyz, port: metrics }
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 2
{{- end -}}
