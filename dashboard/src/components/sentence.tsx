/** A message from the service, with its times shown in the time zone of the browser. */
import { formatClock, formatExact } from '../app/format.js'

const time = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/

export function Sentence({ text }: { text: string }) {
  return (
    <>
      {text.split(time).map((part, index) =>
        time.test(part) ? (
          <time key={index} dateTime={part} title={`${formatExact(part)} (${part})`}>
            {formatClock(part)}
          </time>
        ) : (
          part
        ),
      )}
    </>
  )
}
