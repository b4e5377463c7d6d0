/** The restrictions of a token in its details. */
import { Moment } from '../../components/basics.js'
import { describeRate, shortNetwork } from './restriction-values.js'
import type { Restrictions } from './restriction-values.js'

export function RestrictionFacts({
  restrictions: { allowed_ips, not_before, rate_limit, tags },
}: {
  restrictions: Restrictions
}) {
  return (
    <>
      {allowed_ips && (
        <>
          <dt>Allowed IP addresses</dt>
          <dd>
            {allowed_ips.map((network) => (
              <div key={network}>
                <code>{shortNetwork(network)}</code>
              </div>
            ))}
          </dd>
        </>
      )}
      {tags && (
        <>
          <dt>Only links tagged</dt>
          <dd class="row wrap">
            {tags.map((tag) => (
              <span key={tag} class="badge">
                {tag}
              </span>
            ))}
          </dd>
        </>
      )}
      {rate_limit && (
        <>
          <dt>Rate limit</dt>
          <dd>{describeRate(rate_limit)}</dd>
        </>
      )}
      {not_before && (
        <>
          <dt>Valid from</dt>
          <dd>
            <Moment at={not_before} />
          </dd>
        </>
      )}
    </>
  )
}
