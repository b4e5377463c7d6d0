package linkservice

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"testing"
	"time"
)

func compareRequests(t *testing.T, requests []receivedRequest, exchanges []vectorExchange) {
	t.Helper()
	if len(requests) != len(exchanges) {
		t.Fatalf("received %d requests, want %d", len(requests), len(exchanges))
	}
	for index, exchange := range exchanges {
		got, want := requests[index], exchange.Request
		if got.method != want.Method || got.path != want.Path {
			t.Errorf("request %d is %s %s, want %s %s", index, got.method, got.path, want.Method, want.Path)
		}
		if want.Query != nil && !reflect.DeepEqual(got.query, want.Query) {
			t.Errorf("request %d has the query %v, want %v", index, got.query, want.Query)
		}
		if want.Body != nil {
			var body any
			if err := json.Unmarshal([]byte(got.body), &body); err != nil || !reflect.DeepEqual(body, want.Body) {
				t.Errorf("request %d has the body %s, want %v", index, got.body, want.Body)
			}
		}
		for name, value := range want.Headers {
			text := got.header.Get(name)
			switch {
			case value == nil && text != "":
				t.Errorf("request %d has the header %s", index, name)
			case value != nil && *value == "*" && (text == "" || text != requests[0].header.Get(name)):
				t.Errorf("request %d has another %s: %q", index, name, text)
			case value != nil && *value != "*" && text != *value:
				t.Errorf("request %d has %s %q, want %q", index, name, text, *value)
			}
		}
	}
}

var errorKinds = []struct {
	name string
	kind error
}{
	{"TimeoutError", ErrTimeout},
	{"ConnectionError", ErrConnection},
	{"ValidationError", ErrValidation},
	{"UnauthorizedError", ErrUnauthorized},
	{"ForbiddenError", ErrForbidden},
	{"NotFoundError", ErrNotFound},
	{"ConflictError", ErrConflict},
	{"PreconditionFailedError", ErrPreconditionFailed},
	{"RateLimitedError", ErrRateLimited},
	{"ServerError", ErrServer},
}

func kindOf(err error) string {
	var failure *Error
	if !errors.As(err, &failure) {
		return "InvalidArgument"
	}
	for _, each := range errorKinds {
		if errors.Is(err, each.kind) {
			return each.name
		}
	}
	return "LinkServiceError"
}

func compareError(t *testing.T, err error, want map[string]any) {
	t.Helper()
	if err == nil {
		t.Fatal("the call succeeded")
	}
	got := map[string]any{"type": kindOf(err)}
	var failure *Error
	if errors.As(err, &failure) {
		got["code"] = string(failure.Code)
		got["status"] = orNull(float64(failure.Status))
		got["request_id"] = orNull(failure.RequestID)
		got["retry_after_ms"] = orNull(float64(failure.RetryAfter.Milliseconds()))
		got["errors"] = toJSON(t, failure.Fields)
		if failure.Fields == nil {
			got["errors"] = []any{}
		}
		if failure.Problem != nil {
			got["problem"] = toJSON(t, failure.Problem)
		}
	}
	compareMembers(t, "error", got, want)
}

func orNull[T comparable](value T) any {
	var zero T
	if value == zero {
		return nil
	}
	return value
}

// toJSON returns a result as received, with the fields that the client does not know.
func toJSON(t *testing.T, result any) any {
	t.Helper()
	value := reflect.ValueOf(result)
	if !value.IsValid() {
		return nil
	}
	if value.Kind() == reflect.Slice {
		items := []any{}
		for index := range value.Len() {
			items = append(items, toJSON(t, value.Index(index).Interface()))
		}
		return items
	}
	if row, ok := result.(FollowedRow[Event]); ok {
		return map[string]any{"item": toJSON(t, row.Item), "cursor": row.Cursor}
	}
	if batch, ok := result.(*EventBatch); ok {
		events := []any{}
		for _, event := range batch.Events {
			members := toJSON(t, event.Event).(map[string]any)
			members["sequence"] = float64(event.Sequence)
			events = append(events, members)
		}
		return map[string]any{"batch_id": batch.BatchID, "events": events}
	}
	var members any
	if err := json.Unmarshal(result.(interface{ RawJSON() json.RawMessage }).RawJSON(), &members); err != nil {
		t.Fatal(err)
	}
	return members
}

// compareMembers checks that got contains the members of want.
func compareMembers(t *testing.T, path string, got, want any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		members, _ := got.(map[string]any)
		for name, each := range want {
			compareMembers(t, path+"."+name, members[name], each)
		}
	case []any:
		items, _ := got.([]any)
		if len(items) != len(want) {
			t.Errorf("%s has %d items, want %d", path, len(items), len(want))
			return
		}
		for index, each := range want {
			compareMembers(t, path+"."+strconv.Itoa(index), items[index], each)
		}
	default:
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
}

func isWithin(wait time.Duration, limits [2]float64) bool {
	ms := float64(wait) / float64(time.Millisecond)
	return limits[0] <= ms && ms <= limits[1]
}
