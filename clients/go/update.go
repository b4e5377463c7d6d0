package linkservice

import (
	"context"
	"errors"
)

// maxUpdateRounds is how often UpdateFunc starts again after a conflict.
const maxUpdateRounds = 5

// UpdateFunc updates a link without lost changes. It calls change with the current link, and again after a conflict. If
// change returns nil, the link stays unchanged.
func (s *LinksService) UpdateFunc(ctx context.Context, id string, change func(*Link) (*UpdateLink, error)) (*Link, error) {
	return updateFunc(change,
		func() (*Link, error) { return s.Get(ctx, id) },
		func(patch UpdateLink, version UpdateOption) (*Link, error) { return s.Update(ctx, id, patch, version) },
	)
}

// UpdateFunc updates a webhook without lost changes. It calls change with the current webhook, and again after a conflict.
// If change returns nil, the webhook stays unchanged.
func (s *WebhooksService) UpdateFunc(ctx context.Context, id string, change func(*Webhook) (*UpdateWebhook, error)) (*Webhook, error) {
	return updateFunc(change,
		func() (*Webhook, error) { return s.Get(ctx, id) },
		func(patch UpdateWebhook, version UpdateOption) (*Webhook, error) {
			return s.Update(ctx, id, patch, version)
		},
	)
}

func updateFunc[T interface{ ETag() string }, Patch any](
	change func(T) (*Patch, error),
	read func() (T, error),
	write func(Patch, UpdateOption) (T, error),
) (T, error) {
	for round := 1; ; round++ {
		current, err := read()
		if err != nil {
			return current, err
		}
		patch, err := change(current)
		if err != nil || patch == nil {
			return current, err
		}
		updated, err := write(*patch, IfMatch(current.ETag()))
		if round < maxUpdateRounds && errors.Is(err, ErrPreconditionFailed) {
			continue
		}
		return updated, err
	}
}
