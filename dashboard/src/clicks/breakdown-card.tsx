/** A card with a tab for each of its dimensions. The selected tab is part of the URL. */
import { getQueryParameter, setQuery } from '../app/router.js'
import { Section, Tabs } from '../components/basics.js'
import { Breakdown } from './breakdown.js'
import type { Selection } from './breakdown.js'
import { dimensions } from './dimensions.js'
import type { breakdownCards } from './dimensions.js'

interface Props {
  card: (typeof breakdownCards)[number]
  selection: Selection
}

export function BreakdownCard({ card: { name, title, shown }, selection }: Props) {
  const tabs = dimensions.filter(([dimension]) => (shown as readonly string[]).includes(dimension))
  const [current, , singular] = tabs.find(([dimension]) => dimension === getQueryParameter(name)) ?? tabs[0]!
  const pick = (value: string) => setQuery({ [name]: value === shown[0] ? null : value }, { replace: true })
  return (
    <Section
      title={title}
      class={`breakdown-${name}`}
      actions={
        tabs.length > 1 && (
          <Tabs
            label={title}
            tabs={tabs.map(([dimension, text]) => [dimension, text] as const)}
            current={current}
            onPick={pick}
          />
        )
      }
    >
      <Breakdown key={current} selection={selection} name={current} singular={singular} />
    </Section>
  )
}
