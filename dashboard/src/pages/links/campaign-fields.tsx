/** Edits the campaign parameters of a destination. The destination itself is the only state. */
import { useId, useState } from 'preact/hooks'

import { plural } from '../../app/format.js'
import { readRememberedValues } from '../../app/remembered-values.js'
import { Badge } from '../../components/basics.js'
import { TextField } from '../../components/form.js'
import { campaignParameters, campaignValue, withCampaignValue } from './campaign.js'

interface CampaignFieldsProps {
  url: string
  onChange: (url: string) => void
}

export function CampaignFields({ url, onChange }: CampaignFieldsProps) {
  const listId = useId()
  const [remembered] = useState(readRememberedValues)
  const used = campaignParameters.filter(({ name }) => campaignValue(url, name) !== '').length
  const hasDestination = url.trim() !== ''
  return (
    <details class="campaign">
      <summary>
        Campaign parameters {used > 0 && <Badge tone="accent">{plural(used, 'value')}</Badge>}
      </summary>
      <div class="campaign-fields">
        {campaignParameters.map(({ name, label, example }) => (
          <div key={name}>
            <TextField
              label={label}
              value={campaignValue(url, name)}
              onInput={(value) => onChange(withCampaignValue(url, name, value))}
              placeholder={example}
              disabled={!hasDestination}
              autocomplete="off"
              list={`${listId}-${name}`}
            />
            <datalist id={`${listId}-${name}`}>
              {(remembered[name] ?? []).map((value) => (
                <option key={value} value={value} />
              ))}
            </datalist>
          </div>
        ))}
      </div>
      {hasDestination ? (
        <p class="small-text">
          <span class="muted">Visitors are sent to </span>
          <output class="break" aria-label="Resulting URL">
            {url}
          </output>
        </p>
      ) : (
        <p class="hint">Enter a destination first.</p>
      )}
    </details>
  )
}
