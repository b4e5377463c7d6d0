/** The form fields of a link, for creating and editing. */
import type { Link, UpdateLink } from '@link-service/client'

import { timeField, toLocalTime, toTime } from '../../app/local-time.js'
import { Field, fieldError, MoreOptions, TextField } from '../../components/form.js'
import { CampaignFields } from './campaign-fields.js'
import { TagsField } from './tags-field.js'

export interface LinkValues {
  url: string
  slug: string
  title: string
  note: string
  tags: string[]
  redirect_status: 301 | 302 | 307 | 308
  forward_query: boolean
  enabled: boolean
  /** The expiry in the format of `datetime-local`, in the time zone of the browser. */
  expires: string
}

export const emptyLink: LinkValues = {
  url: '',
  slug: '',
  title: '',
  note: '',
  tags: [],
  redirect_status: 302,
  forward_query: false,
  enabled: true,
  expires: '',
}

export function toLinkValues(link: Link): LinkValues {
  return {
    url: link.url,
    slug: link.slug,
    title: link.title ?? '',
    note: link.note ?? '',
    tags: link.tags,
    redirect_status: link.redirect_status,
    forward_query: link.forward_query,
    enabled: link.enabled,
    expires: link.expires_at === null ? '' : toLocalTime(new Date(link.expires_at)),
  }
}

/** The fields that the form edits. The compiler reports a missing field. */
export type LinkBody = Required<Omit<UpdateLink, 'external_id' | 'expires_in'>>

/** Converts form values to the request body, without the slug. */
export function toLinkBody(values: LinkValues): LinkBody {
  return {
    url: values.url.trim(),
    title: values.title.trim() || null,
    note: values.note.trim() || null,
    tags: values.tags,
    redirect_status: values.redirect_status,
    forward_query: values.forward_query,
    enabled: values.enabled,
    expires_at: values.expires === '' ? null : toTime(values.expires),
  }
}

export const fieldLabels: Record<keyof LinkBody, string> = {
  url: 'Destination',
  title: 'Title',
  note: 'Note',
  tags: 'Tags',
  redirect_status: 'Redirect status',
  forward_query: 'Forward query',
  enabled: 'Enabled',
  expires_at: 'Expires',
}

const optionPointers = ['/note', '/redirect_status', '/expires_at']
export const linkPointers = ['/url', '/slug', '/title', '/tags', ...optionPointers]

interface LinkFieldsProps {
  values: LinkValues
  onChange: (values: LinkValues) => void
  error: unknown
  /** Whether the link is new. The slug can be chosen only then. */
  isNew: boolean
}

export function LinkFields({ values, onChange, error, isNew }: LinkFieldsProps) {
  const set = (change: Partial<LinkValues>) => onChange({ ...values, ...change })
  return (
    <>
      <TextField
        label="Destination"
        value={values.url}
        onInput={(url) => set({ url })}
        error={fieldError(error, '/url')}
        placeholder="https://example.com/spring"
        required
        isFirst
      />
      <CampaignFields url={values.url} onChange={(url) => set({ url })} />
      <div class="columns">
        {isNew && (
          <TextField
            label="Slug (optional)"
            value={values.slug}
            onInput={(slug) => set({ slug })}
            error={fieldError(error, '/slug')}
            hint="The last part of the short URL. Leave empty to generate one."
          />
        )}
        <TextField
          label={isNew ? 'Title (optional)' : 'Title'}
          value={values.title}
          onInput={(title) => set({ title })}
          error={fieldError(error, '/title')}
        />
      </div>
      <TagsField
        label={isNew ? 'Tags (optional)' : 'Tags'}
        tags={values.tags}
        onChange={(tags) => set({ tags })}
        error={fieldError(error, '/tags')}
      />
      {isNew ? (
        <MoreOptions
          isOpen={hasOptions(values)}
          pointers={optionPointers}
          error={error}
          hint="note, redirect status, expiry"
        >
          <Options values={values} onChange={onChange} error={error} />
        </MoreOptions>
      ) : (
        <Options values={values} onChange={onChange} error={error} />
      )}
    </>
  )
}

/** Whether the form shows the options of a new link when it opens, for a duplicate. */
function hasOptions({ note, redirect_status: status, forward_query, enabled, expires }: LinkValues): boolean {
  return note !== '' || status !== emptyLink.redirect_status || forward_query || !enabled || expires !== ''
}

function Options({ values, onChange, error }: Omit<LinkFieldsProps, 'isNew'>) {
  const set = (change: Partial<LinkValues>) => onChange({ ...values, ...change })
  return (
    <>
      <Field
        label="Note"
        hint="Visible in this workspace, never to visitors."
        error={fieldError(error, '/note')}
      >
        {(ids) => (
          <textarea
            {...ids}
            class="prose"
            rows={3}
            value={values.note}
            onInput={(event) => set({ note: event.currentTarget.value })}
          />
        )}
      </Field>
      <div class="columns">
        <Field
          label="Redirect status"
          hint="301 and 308 tell search engines that the move is permanent. Browsers do not cache them."
          error={fieldError(error, '/redirect_status')}
        >
          {(ids) => (
            <select
              {...ids}
              value={String(values.redirect_status)}
              onChange={(event) =>
                set({ redirect_status: Number(event.currentTarget.value) as LinkValues['redirect_status'] })
              }
            >
              <option value="302">302, temporary</option>
              <option value="301">301, permanent</option>
              <option value="307">307, temporary, same method</option>
              <option value="308">308, permanent, same method</option>
            </select>
          )}
        </Field>
        <Field label="Expires" hint="In your time zone." error={fieldError(error, '/expires_at')}>
          {(ids) => (
            <input
              {...ids}
              {...timeField}
              value={values.expires}
              onInput={(event) => set({ expires: event.currentTarget.value })}
            />
          )}
        </Field>
      </div>
      <div class="checks">
        <label class="check">
          <input
            type="checkbox"
            checked={values.forward_query}
            onChange={(event) => set({ forward_query: event.currentTarget.checked })}
          />
          Forward the visitor’s query string
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={values.enabled}
            onChange={(event) => set({ enabled: event.currentTarget.checked })}
          />
          Enabled
        </label>
      </div>
    </>
  )
}
