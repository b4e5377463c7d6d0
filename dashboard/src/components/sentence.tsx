/** A message from the service: times are shown in the time zone of the browser, and names of fields as code. */
import { formatClock, formatExact } from '../app/format.js'

const timeOrCode = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|`[^`]+`)/

export function Sentence({ text }: { text: string }) {
  return (
    <>
      {text.split(timeOrCode).map((part, index) => {
        if (!timeOrCode.test(part)) return part
        if (part.startsWith('`')) return <code key={index}>{part.slice(1, -1)}</code>
        return (
          <time key={index} dateTime={part} title={`${formatExact(part)} (${part})`}>
            {formatClock(part)}
          </time>
        )
      })}
    </>
  )
}
