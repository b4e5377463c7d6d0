package linkservice

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"iter"
	"strings"
	"time"
)

const (
	// maxSilence is the time without data after which a stream reconnects. The service sends a comment every 15 seconds.
	maxSilence = 45 * time.Second
	// reconnectDelay prevents a busy loop.
	reconnectDelay = 500 * time.Millisecond
)

// Live returns new clicks within a second until the context ends. It continues after a cursor, or starts with new
// clicks if the cursor is empty. It reconnects if the stream breaks. After the first connection, temporary failures are
// retried forever.
func (s *ClicksService) Live(ctx context.Context, after string, query *FollowLiveClicksQuery) iter.Seq2[FollowedRow[Click], error] {
	return func(yield func(FollowedRow[Click], error) bool) {
		cursor, err := after, error(nil)
		if cursor == "" {
			// Needed to resume if the first stream breaks before its first click.
			cursor, err = s.newestCursor(ctx, query)
		}
		connecting := s.transport
		for err == nil {
			var stream io.ReadCloser
			stream, err = connecting.download(ctx, request{
				method: "GET",
				path:   "/v1/clicks/live",
				query:  query,
				accept: []string{"text/event-stream"},
				header: map[string]string{"Last-Event-ID": cursor},
			})
			if err != nil {
				break
			}
			connecting = s.transport.retryingForever()
			for event := range readServerEvents(stream) {
				row := FollowedRow[Click]{Cursor: event.id}
				if json.Unmarshal([]byte(event.data), &row.Item) != nil {
					break
				}
				if ctx.Err() != nil || !yield(row, nil) {
					return
				}
				cursor = event.id
			}
			err = pause(ctx, reconnectDelay)
		}
		if ctx.Err() == nil {
			yield(FollowedRow[Click]{}, err)
		}
	}
}

func (s *ClicksService) newestCursor(ctx context.Context, query *FollowLiveClicksQuery) (string, error) {
	filter := &ListClicksQuery{}
	if query != nil {
		filter.LinkID = query.LinkID
	}
	page, err := s.Read(ctx, "latest", filter)
	if err != nil || page.NextCursor == nil {
		return "", err
	}
	return *page.NextCursor, nil
}

type serverEvent struct{ id, data string }

// readServerEvents returns the complete events of one stream, and ends on a failure. The next stream has the others.
func readServerEvents(stream io.ReadCloser) iter.Seq[serverEvent] {
	return func(yield func(serverEvent) bool) {
		defer stream.Close()
		timer := time.AfterFunc(maxSilence, func() { stream.Close() })
		defer timer.Stop()
		lines := bufio.NewReader(stream)
		var event serverEvent
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			timer.Reset(maxSilence)
			line = strings.TrimSuffix(line, "\n")
			if id, isID := strings.CutPrefix(line, "id: "); isID {
				event.id = id
			} else if data, isData := strings.CutPrefix(line, "data: "); isData {
				event.data = data
			} else if line == "" {
				if event.id != "" && event.data != "" && !yield(event) {
					return
				}
				event = serverEvent{}
			}
		}
	}
}
