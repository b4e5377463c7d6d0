import { etagOf, PreconditionFailedError } from '@link-service/client'
import type { Link } from '@link-service/client'
import { useState } from 'preact/hooks'

import { service } from '../../api/client.js'
import { say } from '../../app/notices.js'
import type { Resource } from '../../app/resource.js'
import { snippetOf } from '../../app/snippets.js'
import { Dialog } from '../../components/dialog.js'
import { FormError, useAction } from '../../components/form.js'
import { bodyOf, LinkFields, linkPointers, valuesOf } from '../links/link-fields.js'
import type { LinkValues } from '../links/link-fields.js'

interface EditLinkProps {
  link: Link
  resource: Resource<Link>
  onClose: () => void
}

type EditLinkBody = ReturnType<typeof bodyOf>

/** Saves the fields that were changed. If somebody else has changed the link meanwhile, it shows both versions. */
export function EditLink({ link, resource, onClose }: EditLinkProps) {
  const [seen, setSeen] = useState(link)
  const [values, setValues] = useState<LinkValues>(() => valuesOf(link))
  const [newest, setNewest] = useState<Link | null>(null)
  const saving = useAction()

  const save = (base: Link) =>
    saving.run(async () => {
      const body = changedOf(bodyOf(values), bodyOf(valuesOf(base)))
      if (Object.keys(body).length === 0) return onClose()
      try {
        const link = await service.links.update(base.id, body, { ifMatch: etagOf(base) })
        resource.set(link)
        const path = `/v1/links/${base.id}`
        say('Saved.', snippetOf({ method: 'PATCH', path, body, call: 'links.update', args: [base.id] }))
        onClose()
      } catch (error) {
        if (!(error instanceof PreconditionFailedError)) throw error
        setNewest(await service.links.get(base.id))
      }
    })
  const send = (event: Event) => {
    event.preventDefault()
    save(seen)
  }
  const takeTheirs = (theirs: Link) => {
    setSeen(theirs)
    setValues(valuesOf(theirs))
    setNewest(null)
    resource.set(theirs)
  }
  return (
    <Dialog title={`Edit /${link.slug}`} onClose={onClose}>
      <form class="stack" onSubmit={send}>
        {newest && (
          <Conflict
            mine={bodyOf(values)}
            theirs={bodyOf(valuesOf(newest))}
            onTheirs={() => takeTheirs(newest)}
            onMine={() => {
              setSeen(newest)
              setNewest(null)
              save(newest)
            }}
          />
        )}
        <LinkFields values={values} onChange={setValues} error={saving.error} isNew={false} />
        <FormError error={saving.error} shown={linkPointers} />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="primary" disabled={saving.isBusy || newest !== null}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function changedOf(body: EditLinkBody, before: EditLinkBody): Partial<EditLinkBody> {
  const changed = Object.entries(body).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof EditLinkBody]),
  )
  return Object.fromEntries(changed)
}

interface ConflictProps {
  mine: EditLinkBody
  theirs: EditLinkBody
  onMine: () => void
  onTheirs: () => void
}

function Conflict({ mine, theirs, onMine, onTheirs }: ConflictProps) {
  const names = Object.keys(changedOf(mine, theirs)) as (keyof EditLinkBody)[]
  return (
    <div class="callout warn stack" role="alert">
      <p>
        <b>Somebody else has changed this link meanwhile.</b> Nothing of yours is saved yet.
      </p>
      <dl class="facts">
        {names.map((name) => [
          <dt key={name}>{name}</dt>,
          <dd key={`${name} values`}>
            now {shown(theirs[name])}, yours {shown(mine[name])}
          </dd>,
        ])}
      </dl>
      <div class="row wrap">
        <button type="button" onClick={onTheirs}>
          Take theirs
        </button>
        <button type="button" onClick={onMine}>
          Save mine over it
        </button>
      </div>
    </div>
  )
}

function shown(value: unknown): string {
  return value === null ? 'none' : JSON.stringify(value)
}
