package linkservice

import (
	"context"
	"iter"
	"strings"
	"time"
)

// FollowedRow is a row of a feed.
type FollowedRow[T any] struct {
	Item T
	// Cursor continues after this row. Store it after handling the row, and pass it to the next run.
	Cursor string
}

const (
	followedPageSize  = 100
	firstPollInterval = 500 * time.Millisecond
	// cursorSeparator separates the cursor of a page from the ID of the last handled row on that page.
	cursorSeparator = "~"
)

type feedRow interface{ rowID() string }

func (c Click) rowID() string { return c.ID }

func (e Event) rowID() string { return e.ID }

// Follow returns all clicks after a cursor, oldest first, then waits for new ones until the context ends. An empty cursor
// starts with the oldest click, "latest" with new ones. After the first page, temporary failures are retried forever.
func (s *ClicksService) Follow(ctx context.Context, after string, query *ListClicksQuery) iter.Seq2[FollowedRow[Click], error] {
	filter := ListClicksQuery{}
	if query != nil {
		filter = *query
	}
	// A page must contain the same rows again when it is read again.
	filter.Limit = followedPageSize
	return follow(ctx, s.transport, after, func(ctx context.Context, t *transport, cursor string) (*Page[Click], error) {
		return (&ClicksService{t}).Read(ctx, cursor, &filter)
	})
}

// Follow returns all events after a cursor, oldest first, then waits for new ones until the context ends. An empty cursor
// starts with the oldest event, "latest" with new ones. After the first page, temporary failures are retried forever.
func (s *EventsService) Follow(ctx context.Context, after string, query *ListEventsQuery) iter.Seq2[FollowedRow[Event], error] {
	filter := ListEventsQuery{}
	if query != nil {
		filter = *query
	}
	filter.Limit = followedPageSize
	return follow(ctx, s.transport, after, func(ctx context.Context, t *transport, cursor string) (*Page[Event], error) {
		return (&EventsService{t}).Read(ctx, cursor, &filter)
	})
}

type readFeed[T any] func(ctx context.Context, t *transport, cursor string) (*Page[T], error)

func follow[T feedRow](ctx context.Context, t *transport, after string, read readFeed[T]) iter.Seq2[FollowedRow[T], error] {
	return func(yield func(FollowedRow[T], error) bool) {
		cursor, lastID, _ := strings.Cut(after, cursorSeparator)
		wait := firstPollInterval
		reading := t
		for {
			page, err := read(ctx, reading, cursor)
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				yield(FollowedRow[T]{}, err)
				return
			}
			reading = t.retryingForever()
			next := cursor
			if page.NextCursor != nil {
				next = *page.NextCursor
			}
			rows := rowsAfter(page.Data, lastID)
			for index, item := range rows {
				rowCursor := cursor + cursorSeparator + item.rowID()
				if index == len(rows)-1 {
					rowCursor = next
				}
				if ctx.Err() != nil || !yield(FollowedRow[T]{item, rowCursor}, nil) {
					return
				}
			}
			cursor, lastID = next, ""
			if page.HasMore {
				continue
			}
			wait = min(wait*2, t.pollInterval)
			if len(rows) > 0 {
				wait = firstPollInterval
			}
			if pause(ctx, min(wait, t.pollInterval)) != nil {
				return
			}
		}
	}
}

// rowsAfter returns the rows after an ID, or all rows if retention has removed it: duplicates are better than a gap.
func rowsAfter[T feedRow](rows []T, id string) []T {
	for index, row := range rows {
		if row.rowID() == id {
			return rows[index+1:]
		}
	}
	return rows
}
