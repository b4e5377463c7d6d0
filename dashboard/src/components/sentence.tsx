/** A message from the service: times are shown in the time zone of the browser, and names of fields as code. */
import { formatClock, formatExact } from '../app/format.js'

const times = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/
const timesAndCode = new RegExp(`${times.source}|(\`[^\`]+\`)`)

export function Sentence({ text }: { text: string }) {
  return (
    <>
      {text.split(timesAndCode).map((part, index) => {
        if (part?.startsWith('`')) return <code key={index}>{part.slice(1, -1)}</code>
        if (!part || !times.test(part)) return part
        return (
          <time key={index} dateTime={part} title={`${formatExact(part)} (${part})`}>
            {formatClock(part)}
          </time>
        )
      })}
    </>
  )
}
