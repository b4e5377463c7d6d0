/** Why the dashboard is refused. */
import { declareProblems } from '../platform/http/problems/problems.js'

export const sessionProblems = declareProblems({
  no_session: {
    status: 401,
    title: 'A session of the dashboard is needed',
    cause:
      'The cookie of the dashboard is missing or comes twice, or its session was ended, was not used for 12 hours, or is 7 days old.',
    remedy: 'Sign in again at /dashboard. Programs call the API under its own path, with a bearer token.',
  },
  invalid_code: {
    status: 401,
    title: 'This code does not sign in any more',
    cause: 'The code was used, is older than 10 minutes, or was never given out.',
    remedy: 'Make another one on the machine of the service, with `link-service dashboard`.',
  },
  cross_site: {
    status: 403,
    title: 'This request does not come from the dashboard',
    cause:
      'A request with a session would change something, and does not say that a page of this service sent it, or has a body of a type that forms send.',
    remedy:
      'Send it from a page of this service, as JSON. Programs call the API under its own path, with a bearer token.',
  },
})
