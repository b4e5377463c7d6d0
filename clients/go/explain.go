package linkservice

import "context"

// ExplainFor explains why one webhook did or did not receive the event.
func (s *EventsService) ExplainFor(ctx context.Context, id, webhookID string) (*Explanation, error) {
	return fetchJSON[Explanation](ctx, s.transport, request{
		method:     "GET",
		path:       "/v1/events/{id}/explain",
		ids:        []string{id},
		parameters: map[string]string{"webhook_id": webhookID},
	})
}
