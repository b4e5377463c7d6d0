package linkservice

import (
	"context"
	"iter"
)

// Page is one page of a list or feed.
type Page[T any] struct {
	response
	Data    []T  `json:"data"`
	HasMore bool `json:"has_more"`
	// NextCursor is nil after the last page of a list. A feed always has one.
	NextCursor *string `json:"next_cursor"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *Page[T]) UnmarshalJSON(data []byte) error {
	type fields Page[T]
	return decodeFields(data, (*fields)(p), &p.response)
}

// List is a paginated list. It sends no request before it is used.
type List[T any] struct {
	read func(cursor string) (*Page[T], error)
}

func newList[T any](ctx context.Context, t *transport, r request) *List[T] {
	return &List[T]{func(cursor string) (*Page[T], error) {
		page := r
		if cursor != "" {
			page.parameters = map[string]string{"cursor": cursor}
		}
		return fetchJSON[Page[T]](ctx, t, page)
	}}
}

// Page returns the page of a cursor. An empty cursor is the first page.
func (l *List[T]) Page(cursor string) (*Page[T], error) {
	return l.read(cursor)
}

// Pages returns all pages.
func (l *List[T]) Pages() iter.Seq2[*Page[T], error] {
	return func(yield func(*Page[T], error) bool) {
		cursor := ""
		for {
			page, err := l.read(cursor)
			if !yield(page, err) || err != nil || page.NextCursor == nil {
				return
			}
			cursor = *page.NextCursor
		}
	}
}

// All returns all items. It ends after the first error.
//
//	for link, err := range client.Links.List(ctx, nil).All() {
func (l *List[T]) All() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page, err := range l.Pages() {
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range page.Data {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}

// Collect returns the first items, at most limit.
func (l *List[T]) Collect(limit int) ([]T, error) {
	items := []T{}
	if limit <= 0 {
		return items, nil
	}
	for item, err := range l.All() {
		if err != nil {
			return nil, err
		}
		items = append(items, item)
		if len(items) == limit {
			break
		}
	}
	return items, nil
}
